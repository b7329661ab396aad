"""The periods of the past that a question names ("yesterday evening", "since Monday"), in several languages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import chain

from agent.language.dates.periods import Period
from agent.language.dates.resolution import Mention, mentions
from agent.language.pattern_files import load_patterns

DAY_PARTS = {"morning": (4, 12), "noon": (11, 15), "afternoon": (12, 18), "evening": (17, 24), "night": (17, 29)}
"""The hours of a part of a day; those from 24 are on the next day."""
MIN_LAST_DAYS = 2
"""How long ago "last Monday" is at least: the day before is called yesterday."""

_PATTERNS = load_patterns("said/questions.toml")
_REWRITTEN = load_patterns("said/times.toml")
_DAY = timedelta(1)
_TIME = "\1"
_DAY_PART = re.compile(rf"{_TIME}\s?({'|'.join(DAY_PARTS)})\b")
_AMBIGUOUS = frozenset({"mon", "sun", "sat", "wed", "may", "mar", "jan", "mars", "once", "segunda", "quarta"})
"""Names of days and months that are other words without a preposition ("mon chien")."""
_BEFORE_DATE = re.compile(r"\b(?:on|in|since|na|em|desde)\s\Z", re.IGNORECASE)
_TOPIC_ENDS = (" about", " regarding", " concerning", " über", " sobre", " over", " sur", " su", " wegen", "关于")


@dataclass(frozen=True, slots=True)
class SaidPeriod:
    """A half-open interval of local times."""

    start: datetime
    stop: datetime


def cut_periods(text: str, now: datetime) -> tuple[str, SaidPeriod | None]:
    """Cut the periods out of a text.

    Args:
        text: the words of a question.
        now: the local time at which the user asks.

    Returns:
        The other words, and the time from the start of the first period to the end of the last one; None without a
        period that has begun. A period that is the topic remains ("about yesterday").
    """
    for replacement, pattern in _REWRITTEN.items():
        text = pattern.sub(replacement, text)
    found = [(one, period) for one, period in _past_periods(text, now.date()) if not _is_topic(text, one)]
    if not found:
        return text, None
    for mention, _ in reversed(found):
        text = f"{text[: mention.start]}{_TIME}{text[mention.stop :]}"
    is_since = _PATTERNS["since"].search(text) is not None
    part = _DAY_PART.search(text)
    start = min(period.start for _, period in found)
    stop = now.date() if is_since else max(period.stop for _, period in found)
    hours = DAY_PARTS[part[1]] if part else (0, 24)
    said = SaidPeriod(_at(start, hours[0], now), _at(stop, 24 if is_since else hours[1], now))
    return _PATTERNS["preposition"].sub(" ", text), said


def _past_periods(text: str, today: date) -> Iterator[tuple[Mention, Period]]:
    for mention in mentions(text, today):
        is_named = len(mention.words) > 1 or text[mention.start : mention.stop].casefold() not in _AMBIGUOUS
        period = _past(mention, today) if is_named or _BEFORE_DATE.search(text[: mention.start]) else None
        if period and period.start <= today:
            yield mention, period


def _past(mention: Mention, today: date) -> Period | None:
    """The reading of a date that is in the past, the latest one; None if it has none."""
    if mention.rule == "day_of_month":
        return None
    if mention.rule == "duration":
        return max(Period(today - (one.stop - one.start), today) for one in mention.periods)
    if mention.rule == "offset":
        return max(mention.periods, key=lambda one: one.stop - one.start)
    if mention.rule == "weekday":
        days = MIN_LAST_DAYS if any(word.code == "L" for word in mention.words) else 1
        earlier = [one for one in mention.periods if one.stop <= today - days * _DAY]
    else:
        weekends = ((one, Period(one.start - 7 * _DAY, one.stop - 7 * _DAY)) for one in mention.periods)
        is_weekend = any(word.value == "weekend" for word in mention.words) and len(mention.words) == 1
        readings = chain.from_iterable(weekends) if is_weekend else mention.periods
        earlier = [one for one in readings if one.start <= today]
    return max(earlier, default=None)


def _is_topic(text: str, mention: Mention) -> bool:
    """Check whether a date follows a preposition that makes it the topic ("about Monday")."""
    return f" {text[: mention.start].rstrip()}".casefold().endswith(_TOPIC_ENDS)


def _at(day: date, hour: int, now: datetime) -> datetime:
    """A local time; hours from 24 are on the next day."""
    return datetime.combine(day + (hour // 24) * _DAY, time(hour % 24), tzinfo=now.tzinfo)
