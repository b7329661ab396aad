"""The days that a sentence is about: dates, ranges, ends, anniversaries and weekdays that recur."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal, NamedTuple

from agent.language.dates.notes import meant_dates
from agent.language.dates.periods import Period
from agent.language.dates.resolution import Mention, mentions
from agent.language.pattern_files import load_patterns

Recurrence = Literal["once", "weekly", "yearly"]

MAX_BEFORE = 40
"""Characters that are examined before a date."""
MAX_PAST_DAYS = 270
"""How long ago a day without a year may be in a sentence about the past."""

_DATES = load_patterns("dates/notes.toml")
_PATTERNS = load_patterns("agenda/events.toml")
_RANGE_START = re.compile(
    r"(?<![\d:.,])(\d{1,2})(?:st|nd|rd|th|er|\.)?\s?(?:-|\u2013|to|bis|al?|au|ao|tot|\u5230|\u81f3)\s?$"
)


class EventDays(NamedTuple):
    """A period, and whether it recurs, and has an end that the sentence names."""

    period: Period
    recurrence: Recurrence = "once"
    is_range: bool = False


def event_days(sentence: str, stated: date) -> list[EventDays]:
    """The days on which something takes place or holds, according to a sentence; empty without any.

    Args:
        sentence: what the user said.
        stated: the local day when they said it.
    """
    if not _PATTERNS["date"].search(sentence):
        return []
    found = [one for one in mentions(sentence, stated) if one.rule != "duration" and not _is_other_word(sentence, one)]
    meant = {one.start: periods for one, periods in meant_dates(sentence, stated)}
    return [*_event_days(sentence, found, meant, stated), *_absences(sentence, found, meant, stated)]


def _absences(
    sentence: str, found: Sequence[Mention], meant: dict[int, list[Period]], stated: date
) -> Iterator[EventDays]:
    """The days from a date to that of the return ("we fly on the 5th and come back on the 9th")."""
    for first, second in pairwise(found):
        if _PATTERNS["returns"].search(sentence, first.stop, second.start):
            starts = _periods(sentence, first, meant.get(first.start, []), stated)
            stops = _periods(sentence, second, meant.get(second.start, []), stated)
            if starts and stops and starts[0].start < stops[0].stop:
                yield EventDays(Period(starts[0].start, stops[0].stop), is_range=True)


def _is_other_word(sentence: str, mention: Mention) -> bool:
    """Check whether a single word is also another one, and no preposition shows that it is a date ("Jan", "may")."""
    if mention.rule not in ("date", "weekday") or len(mention.words) > 1:
        return False
    word = sentence[mention.start : mention.stop]
    is_ambiguous = _PATTERNS["ambiguous"].fullmatch(word) is not None
    return is_ambiguous and not _PATTERNS["before_ambiguous"].search(sentence[: mention.start])


def _event_days(
    sentence: str, found: Sequence[Mention], meant: dict[int, list[Period]], stated: date
) -> Iterator[EventDays]:
    ranged = {
        second.start: first
        for first, second in pairwise(found)
        if _DATES["joint"].fullmatch(sentence, first.stop, second.start)
        and (sentence[first.stop : second.start].strip() or _begins_with_end(sentence, second))
    }
    starts = {one.start for one in ranged.values()}
    weekly_stop = -1
    for mention in found:
        before = sentence[max(0, mention.start - MAX_BEFORE) : mention.start]
        if mention.start in starts or _DATES["since"].search(before):
            continue
        is_listed = weekly_stop >= 0 and _DATES["list"].fullmatch(sentence, weekly_stop, mention.start) is not None
        recurrence = "weekly" if is_listed else _recurrence(sentence, before, mention)
        weekly_stop = mention.stop if recurrence == "weekly" else -1
        for period in _periods(sentence, mention, meant.get(mention.start, []), stated):
            if recurrence != "once":
                yield EventDays(period, recurrence)
                continue
            first = ranged.get(mention.start)
            start = _start_of_range(sentence, first, period, stated) if first else _number_before(before, period)
            if start is None and _ends_there(sentence, before, mention):
                start = min(stated, period.stop)
            if start and start <= period.stop:
                yield EventDays(Period(start, period.stop), is_range=True)
            else:
                yield EventDays(period)


def _ends_there(sentence: str, before: str, mention: Mention) -> bool:
    """Check whether something holds until a date, as the words before it, or those after it, say."""
    return _begins_with_end(sentence, mention) or any(
        (_PATTERNS["until"].search(before), _PATTERNS["until_after"].match(sentence, mention.stop))
    )


def _begins_with_end(sentence: str, mention: Mention) -> bool:
    """Check whether the preposition for an end is part of a date ("bis 16. Dezember")."""
    return sentence[mention.start : mention.stop].casefold().startswith("bis ")


def _recurrence(sentence: str, before: str, mention: Mention) -> Recurrence:
    words = sentence[mention.start : mention.stop]
    if mention.rule == "date" and _PATTERNS["yearly"].search(sentence):
        return "yearly"
    if mention.rule != "weekday":
        return "once"
    is_weekly = _PATTERNS["weekly"].search(before + words) or _PATTERNS["weekly_day"].search(words)
    return "weekly" if is_weekly else "once"


def _periods(sentence: str, mention: Mention, meant: Sequence[Period], stated: date) -> Sequence[Period]:
    """The likely readings of a date, usually one; none if it is no event."""
    days = sorted(mention.periods)
    if not days or meant:
        return meant
    is_past = _DATES["past"].search(sentence) is not None and not _is_ahead(sentence)
    if mention.rule == "date":
        return _of_year(mention, days, stated, is_past=is_past)
    if mention.rule == "day_of_month":
        is_day = _PATTERNS["of_month"].search(sentence[: mention.stop]) is not None
        return [day for day in days if day.start >= stated][:1] if is_day else []
    if mention.rule == "weekday" and _has_happened(sentence, mention):
        return days[:1]
    if mention.rule in ("offset", "unit"):
        return [min(days, key=lambda one: one.stop - one.start)] if mention.rule == "offset" else days[-1:]
    return [day for day in days if day.start > stated][:1] or days[-1:]


def _has_happened(sentence: str, mention: Mention) -> bool:
    """Check whether something happened on a weekday, or held until then."""
    before = sentence[max(0, mention.start - MAX_BEFORE) : mention.start]
    pattern = _PATTERNS["over"] if _ends_there(sentence, before, mention) else _DATES["happened"]
    return pattern.search(sentence) is not None


def _is_ahead(sentence: str) -> bool:
    """Check whether a sentence with a verb in the past may be about a day that is ahead ("I booked a flight")."""
    name = "moved" if _PATTERNS["over"].search(sentence) else "ahead"
    return _PATTERNS[name].search(sentence) is not None


def _of_year(mention: Mention, days: Sequence[Period], stated: date, *, is_past: bool) -> Sequence[Period]:
    """The reading of a date without a year that is nearest in the direction of the sentence."""
    if len(days) == 1:
        is_whole_year = {word.code for word in mention.words} == {"Y"}
        return [] if is_whole_year and days[0].start <= stated else days
    earlier = [day for day in days if day.start <= stated and stated - day.start < timedelta(MAX_PAST_DAYS)]
    if is_past and earlier:
        return earlier[-1:]
    return [day for day in days if day.stop >= stated][:1]


def _start_of_range(sentence: str, first: Mention, last: Period, stated: date) -> date | None:
    """The day on which a range begins, the latest one before its end."""
    starts = sorted(one.start for one in first.periods if one.start <= last.start)
    before = sentence[max(0, first.start - MAX_BEFORE) : first.start]
    is_other = _DATES["since"].search(before) is not None
    return None if is_other or not starts else max((one for one in starts if one <= last.stop), default=stated)


def _number_before(before: str, period: Period) -> date | None:
    """The day before a date of the same month ("from the 12th to 16 December")."""
    found = _RANGE_START.search(before)
    if not found or period.start != period.stop or not 0 < int(found[1]) < period.start.day:
        return None
    return period.start.replace(day=int(found[1]))
