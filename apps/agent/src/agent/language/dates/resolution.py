"""Resolve the dates that a text mentions, also relative ones ("next Friday"), in several languages.

A general parser such as dateparser takes milliseconds per text, guesses one reading of an ambiguous expression, and
does not tell a date from a period; the gate needs every reading, and fast.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from agent.language.dates.words import DateWord, date_words
from agent.language.parsing.sentences import compile_any

MAX_CHARS = 4_000  # of a text that is examined
CENTURY, THIS_CENTURY = 100, 2_000  # years of two digits are of this century
MAX_UNITS = 1_200  # a larger number of days or years is not part of a date

# Before "in ten years": the years that have passed ("my first steak in ten years").
_BACKWARD = compile_any(
    r"\b(?:have not|has not|had not|haven't|hasn't|hadn't|(?:had|ate|did|took|saw|was|were|went|ran|won|slept|bought"
    r"|made|this is|it's|that's)\b[^.;!?]{0,30}\b(?:first|only|best|worst|biggest|longest)|primera vez|première fois"
    r"|primeira vez|prima volta|ersten? mal)\b[^.;!?]{0,40}$"
)

DAYS = {"day": 1, "week": 7}
MONTHS = {"month": 1, "year": 12}


class Period(NamedTuple):
    """The days from `start` to `stop`, inclusive."""

    start: date
    stop: date


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text, with all its readings."""

    periods: frozenset[Period]
    start: int
    stop: int
    rule: str
    words: Sequence[DateWord]

    @property
    def is_absolute(self) -> bool:
        """Whether the readings do not depend on the day of the text."""
        return self.rule == "date"


def unsupported_dates(text: str, messages: Sequence[str], today: date) -> bool:
    """Check whether a text contains a date that the messages do not mention, given the day of the messages."""
    stated = [period for message in messages for mention in mentions(message, today) for period in mention.periods]
    return not all(
        any(_agrees(period, other) for period in mention.periods for other in stated)
        for mention in mentions(text, today)
        if mention.is_absolute
    )


def end_of_validity(until: str | None, messages: Sequence[str], today: date) -> str | None:
    """The last day on which a fact holds, if the messages mention it or a period that ends then; else None."""
    try:
        day = date.fromisoformat(until or "")
    except ValueError:
        return None
    stated = (period for message in messages for mention in mentions(message, today) for period in mention.periods)
    ends = {end for period in stated for end in (period.start, period.stop, period.start - timedelta(1))}
    return day.isoformat() if day in ends and day >= today else None


def strip_dates(text: str, *, relative: bool = False) -> str:
    """Remove the absolute dates from a text, or all of them."""
    for mention in reversed(list(mentions(text, date.min.replace(year=2000)))):
        if mention.is_absolute or relative:
            text = f"{text[: mention.start]} {text[mention.stop :]}"
    return text


def _agrees(period: Period, stated: Period) -> bool:
    is_end = period.start == period.stop and period.start in stated
    return is_end or (period.start <= stated.start and stated.stop <= period.stop)


def mentions(text: str, today: date) -> Iterator[Mention]:
    """Yield the dates in a text, in order."""
    tokens = list(date_words(text[:MAX_CHARS]))
    codes = "".join(token.code for token in tokens)
    for match in _RULE.finditer(codes):
        rule = match.lastgroup or ""
        found = [token for token in tokens[match.start() : match.end()] if token.code != "|"]
        if found[0].code == "I" and _BACKWARD.search(text[: found[0].start]):
            continue
        periods: frozenset[Period] = frozenset()
        with suppress(ValueError, OverflowError):  # the 31st of February
            periods = frozenset(_READINGS[rule](found, today))
        if periods or rule == "date":
            yield Mention(periods, found[0].start, found[-1].stop, rule, found)


_RULE = re.compile(
    "(?P<date>W?(?:F|YM[NO]?|[NO]MY?|M[NO]Y?|MY?|Y(?!M)))"
    "|(?P<weekday_of_week>[XTL]UW|WXU|W[TL]U)"
    "|(?P<weekday>[XTL]?W[XLT]?)"
    "|(?P<offset>I[NOa]?[UV]|[NOa][UV][ZA]|B[NOa]?[UV]|V[ZA])"
    "|(?P<unit>[XTL]U|U[XTL]|D|(?<![NOa])U)"
    "|(?P<duration>[NOa]U|a?V)"
    "|(?P<day_of_month>O)"
)


def _values(tokens: Sequence[DateWord]) -> dict[str, str]:
    return {token.code: token.value for token in tokens}


def _date(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    values = _values(tokens)
    weekday = int(values["W"]) if "W" in values else None
    for period in _full_dates(values["F"], today) if "F" in values else _named_dates(values, today):
        if weekday is None or period.start.weekday() == weekday or period.start != period.stop:
            yield period


def _full_dates(text: str, today: date) -> Iterator[Period]:
    if "-" in text:
        yield _day(date.fromisoformat(text))
        return
    first, second, *rest = (int(part) for part in re.split(r"[./]", text) if part)
    years = [year if year >= CENTURY else THIS_CENTURY + year for year in rest] or _years(today)
    orders = {(first, second), (second, first)} if "/" in text else {(first, second)}
    for day, month in orders:
        for year in years:
            with suppress(ValueError):
                yield _day(date(year, month, day))


def _named_dates(values: Mapping[str, str], today: date) -> Iterator[Period]:
    years = [int(values["Y"])] if "Y" in values else _years(today)
    day = values.get("N") or values.get("O")
    for year in years:
        if "M" not in values:
            yield Period(date(year, 1, 1), date(year, 12, 31))
        elif day is None:
            yield _month(year, int(values["M"]))
        else:
            with suppress(ValueError):
                yield _day(date(year, int(values["M"]), int(day)))


def _years(today: date) -> list[int]:
    return [today.year - 1, today.year, today.year + 1]


def _weekday(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    values = _values(tokens)
    ahead = (int(values["W"]) - today.weekday()) % 7
    upcoming = {"X": (ahead or 7, (ahead or 7) + 7), "T": (ahead, ahead - 7), "L": (ahead - 7, ahead - 14)}
    direction = next((code for code in "XTL" if code in values), None)
    days = upcoming[direction] if direction else (ahead, ahead or 7, ahead - 7)
    return (_day(today + timedelta(offset)) for offset in days)


def _weekday_of_week(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    values = _values(tokens)
    for week in _unit(tokens, today):
        yield _day(week.start + timedelta(int(values["W"])))


def _unit(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "next week", "this weekend", "tomorrow"."""
    values = _values(tokens)
    if "D" in values:
        yield _day(today + timedelta(int(values["D"])))
        return
    unit = values["U"]
    direction = next((step for code, step in (("X", 1), ("L", -1)) if code in values), 0)
    if unit == "weekend":
        saturday = today + timedelta(5 - today.weekday())
        steps = {1: (0, 7), 0: (0,), -1: (-7,)}[direction]
        yield from (Period(saturday + timedelta(step), saturday + timedelta(step + 1)) for step in steps)
    elif set(values) & set("XTL"):
        yield _around(_shift(today, unit, direction), unit)


def _offset(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "in three weeks" and "two years ago": the day, and the week, month or year around it."""
    values = _values(tokens)
    number, unit = _length(values)
    there = _shift(today, unit, -number if values.keys() & {"A", "B"} else number)
    yield _day(there)
    yield _around(there, unit)


def _duration(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    number, unit = _length(_values(tokens))
    yield Period(today, _shift(today, unit, number))


def _length(values: Mapping[str, str]) -> tuple[int, str]:
    if "V" in values:
        number, unit = values["V"].split()
        return int(number), unit
    return min(int(values.get("N") or values.get("O") or 1), MAX_UNITS), values["U"]


def _day_of_month(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    for months in (-1, 0, 1):
        first = _shift(today.replace(day=1), "month", months)
        with suppress(ValueError):
            yield _day(first.replace(day=int(tokens[0].value)))


def _shift(day: date, unit: str, number: int) -> date:
    if unit in DAYS or unit == "weekend":
        return day + timedelta(DAYS.get(unit, 7) * number)
    months = day.year * 12 + day.month - 1 + MONTHS[unit] * number
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _around(day: date, unit: str) -> Period:
    if unit == "week":
        monday = day - timedelta(day.weekday())
        return Period(monday, monday + timedelta(6))
    if unit == "month":
        return _month(day.year, day.month)
    return Period(date(day.year, 1, 1), date(day.year, 12, 31)) if unit == "year" else _day(day)


def _month(year: int, month: int) -> Period:
    return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _day(day: date) -> Period:
    return Period(day, day)


_READINGS: Mapping[str, Callable[[Sequence[DateWord], date], Iterator[Period]]] = {
    "date": _date,
    "weekday_of_week": _weekday_of_week,
    "weekday": _weekday,
    "offset": _offset,
    "unit": _unit,
    "duration": _duration,
    "day_of_month": _day_of_month,
}
