"""The events of a statement: its sentences that say when something takes place or holds, in several languages."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from agent.language.agenda.event_days import Recurrence, event_days
from agent.language.dates.notes import date_note, split_date_note
from agent.language.dates.periods import Period
from agent.language.dates.resolution import mentions, strip_dates
from agent.language.parsing.sentences import sentences
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

MAX_CHARS = 2_000
"""Longer statements are examined up to here."""
MAX_RECURRING_DAYS = 7
"""The longest period for which what happens every week is listed."""
MIN_VAGUE_DAYS = 7
"""The shortest period for which events of a month or year without a day are listed."""
LAST_DAY_OF_WEEK = 8
"""From this length, in days, an event without a range is vague."""
LATE_HOURS = 7
"""Hours before this one without "am" are in the afternoon ("tomorrow at 5")."""
NOON = 12

GENERAL_KINDS = ("travel", "appointment")
"""Kinds of events that are often named by a general word."""

_PATTERNS = load_patterns("agenda/events.toml")
_DAY = timedelta(1)
_ITEM_END = re.compile(r"[,;](?!\d)\s*")
_PLAN_WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2}")


@dataclass(frozen=True, slots=True)
class Event:
    """A sentence that says when something takes place, or how long something holds."""

    text: str
    """The sentence; see `written_out`."""
    period: Period
    hour: float = -1
    """The local time at which it begins, if it is said; otherwise -1."""
    recurrence: Recurrence = "once"
    is_range: bool = False
    """Whether the sentence names both ends, or the end, of the period."""

    def first_day_in(self, asked: Period) -> date | None:
        """The first day of a period on which it takes place; None if there is none."""
        if self.recurrence == "yearly":
            return self._anniversary_in(asked)
        if self.recurrence == "weekly":
            first = max(asked.start, self.period.start)
            day = first + timedelta((self.period.start.weekday() - first.weekday()) % 7)
            is_short = asked.stop - asked.start < timedelta(MAX_RECURRING_DAYS)
            return day if is_short and day <= asked.stop else None
        is_vague = not self.is_range and self.period.stop - self.period.start >= timedelta(LAST_DAY_OF_WEEK)
        if is_vague and asked.stop - asked.start + _DAY < timedelta(MIN_VAGUE_DAYS):
            return None
        overlaps = self.period.start <= asked.stop and asked.start <= self.period.stop
        return max(self.period.start, asked.start) if overlaps else None

    def _anniversary_in(self, asked: Period) -> date | None:
        for year in range(asked.start.year, asked.stop.year + 1):
            with suppress(ValueError):  # the 29th of February
                day = self.period.start.replace(year=year)
                if asked.start <= day <= asked.stop:
                    return day
        return None


@cache_per_user(maxsize=4_096)
def events(text: str, stated: date) -> tuple[Event, ...]:
    """The events that a statement mentions, in the order of the text.

    Args:
        text: what the user said, or a memory of it, which may end with the note of its dates.
        stated: the local day when they said it.
    """
    words, _ = split_date_note(text[:MAX_CHARS])
    parts = [part for sentence in _sentences(words) for part in _listed(sentence, stated)]
    return tuple(_events(parts, stated))


def written_out(text: str, stated: date) -> str:
    """The text of an event with the days that its relative dates mean ("tomorrow at 3pm (30 November 2026)")."""
    return text if split_date_note(text)[1] else text + date_note(text, stated)


def last_day(text: str, stated: date) -> date | None:
    """The last day on which a statement of one sentence holds ("I'm in Paris until Friday"); None if it has no end.

    Args:
        text: as in `events`.
        stated: as in `events`.
    """
    if not _PATTERNS["end"].search(text):
        return None
    words, _ = split_date_note(text[:MAX_CHARS])
    found = events(text, stated) if len(list(_sentences(words.strip()))) == 1 else ()
    is_end = len(found) == 1 and found[0].is_range and found[0].period.start == stated
    return found[0].period.stop if is_end else None


def is_cancelled(sentence: str) -> bool:
    """Check whether a sentence says that something does not take place."""
    return _PATTERNS["cancelled"].search(sentence) is not None


def is_moved(sentence: str) -> bool:
    """Check whether a sentence says that something takes place at another time than planned."""
    return _PATTERNS["moved"].search(sentence) is not None


def is_done(sentence: str) -> bool:
    """Check whether a sentence says that something has been done."""
    return _PATTERNS["done"].search(sentence) is not None


def moved_by(sentence: str, stated: date) -> timedelta | None:
    """How much later something takes place ("postponed by a week"), negative if earlier; None if no time is said."""
    lengths = (one.periods for one in mentions(sentence, stated) if one.rule == "duration")
    length = next(((period.stop - period.start) for periods in lengths for period in periods), None)
    if length is None or not is_moved(sentence):
        return None
    return -length if _PATTERNS["earlier"].search(sentence) else length


def without_change(sentence: str) -> str:
    """A sentence without the words that say that something is cancelled or moved, and those that name nothing."""
    for name in ("cancelled", "moved", "auxiliary"):
        sentence = _PATTERNS[name].sub(" ", sentence)
    return sentence


def names_kind(sentence: str, kind: str) -> bool:
    """Check whether a sentence names a kind of events by a general word ("the trip"), as its subject."""
    return _PATTERNS[f"{kind}_named"].match(sentence) is not None


def is_of_kind(sentence: str, kind: str) -> bool:
    """Check whether an event is of a kind; see `GENERAL_KINDS`."""
    return _PATTERNS[kind].search(sentence) is not None


def names_place(event: Event) -> bool:
    """Check whether an event says where the user is: for some days, or in a named place."""
    is_named = event.hour < 0 and _PATTERNS["place"].search(event.text) is not None
    return is_named or (event.is_range and _PATTERNS["stay"].search(event.text) is not None)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text; the point after a day of the month ends none ("vom 12. bis 16. Dezember")."""
    open_part = ""
    for start, stop in sentences(text):
        is_continued = _PATTERNS["ordinal_end"].search(open_part) and text[start:stop].lstrip()[:1].islower()
        if open_part.strip() and not is_continued:
            yield open_part.strip()
            open_part = ""
        open_part += text[start:stop]
    if open_part.strip():
        yield open_part.strip()


def _listed(sentence: str, stated: date) -> list[str]:
    """The items of a sentence that is a list of plans, each with its day; otherwise the sentence."""
    items = [_PATTERNS["joining"].sub("", item).strip() for item in _ITEM_END.split(sentence) if item.strip()]
    if len(items) == 1 or any(_PATTERNS[name].search(sentence) for name in ("over", "returns", "until")):
        return [sentence]
    is_list = all(_names_plan(item) and event_days(item, stated) for item in items)
    return items if is_list else [sentence]


def _names_plan(item: str) -> bool:
    """Check whether an item of a list has a word besides its day."""
    return _PLAN_WORD.search(strip_dates(item, relative=True)) is not None


def _events(spans: Sequence[str], stated: date) -> Iterator[Event]:
    for number, sentence in enumerate(spans):
        days = event_days(sentence, stated)
        if not days or is_cancelled(sentence):
            continue
        earlier = spans[number - 1] if number and _PATTERNS["continued"].match(sentence) else ""
        text = f"{earlier} {sentence}".strip().rstrip(" .;")
        hour = _hour(sentence) if len(days) == 1 else -1
        for period, recurrence, is_range in days:
            yield Event(text, period, hour, recurrence, is_range)


def _hour(sentence: str) -> float:
    """The first time of day that a sentence names, in hours; that of a part of the day without one; -1 without both."""
    if found := _PATTERNS["time"].search(sentence):
        groups = {name: text for name, text in found.groupdict().items() if text}
        hour = next(int(text) for name, text in groups.items() if name.startswith("hour"))
        minutes = next((int(text) for name, text in groups.items() if name.startswith("minute")), 0)
        half = (groups.get("half") or "").lower()
        is_late = half == "p" or (not half and hour < LATE_HOURS) or _PATTERNS["late"].search(sentence) is not None
        return hour % 24 + minutes / 60 + (NOON if is_late and hour < NOON else 0)
    parts = {"morning": 8, "noon": NOON, "afternoon": 15, "evening": 19}
    return next((float(hour) for name, hour in parts.items() if _PATTERNS[name].search(sentence)), -1)
