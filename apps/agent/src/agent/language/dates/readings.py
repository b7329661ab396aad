"""The rules of dates, as patterns of the codes of their words, and the readings of each rule."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta

from agent.language.dates.periods import (
    MONTHS,
    Period,
    period_around,
    shift,
    single_day,
    weekday_in,
    whole_month,
    whole_year,
)
from agent.language.dates.words import DateWord

CENTURY, THIS_CENTURY = 100, 2_000  # years of two digits are of this century
MAX_UNITS = 1_200  # a larger number of days or years is not part of a date

# The codes are those of `DateWord`.
RULE = re.compile(
    "(?P<date_of_year>(?:[NO],?M|M,?[NO])f?,?(?:[XTL]U|U[XTL])|(?:[XTL]U|U[XTL]),?(?:[NO],?M|M,?[NO]))"
    "|(?P<date>W?,?(?:F|Y,?M,?[NO]?|[NO],?M,?Y?|M,?[NO],?Y?|M,?Y?|Y(?!,?M)))"
    "|(?P<weekday_of_month>[KLO]WI?(?:MY?(?!,?[NO])|Y))"
    "|(?P<weekday_of_unit>[KLO]W(?:[XTL]U|U[XTL]?))"
    "|(?P<weekday_of_week>[XTL]Uf?,?W|W[XTL]U|U[XTL],?W(?!,?[XTL])|WU[XTL])"
    "|(?P<from_day>[XTL]?[DW]w|[DW]I(?:[NOa]U|[NOa]?V)|I[NOa]?[UV]f?W|(?<!I)(?:[NOa][UV]|V)f[DW]|(?<!I)[NOa][UV]D)"
    "|(?P<weekday_and_day>W,?O(?!,?[MUVWY]))"
    "|(?P<weekday>[XTL]?W[XLT]?)"
    "|(?P<offset>I[NOa]?[UV]Z?|[NOa]?V[ZA]|[NOa]U[ZA]|B[NOa]?[UV])"
    "|(?P<unit>[XTL]U|U[XTL]|D|(?<![NOa])U)"
    "|(?P<duration>[NOa]U|a?V)"
    "|(?P<day_of_month>O)"
)
MONTHS_AROUND = 3  # "Friday the 4th" is hardly further away
MIN_JOIN_CHARS = 3  # of the words between a weekday and its month (" in "), but not of a comma and a space


def _values(tokens: Sequence[DateWord]) -> dict[str, str]:
    return {token.code: token.value for token in tokens}


def _date(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    values = _values(tokens)
    weekday = int(values["W"]) if "W" in values else None
    for period in _full_dates(values["F"], today) if "F" in values else _named_dates(values, today):
        if weekday is None or period.start.weekday() == weekday or period.start != period.stop:
            yield period


def _date_of_year(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "June 12th next year"; a date beside another unit keeps the years of one without a year."""
    values = _values(tokens)
    step = next(step for code, step in (("X", 1), ("L", -1), ("T", 0)) if code in values)
    year = {"Y": str(today.year + step)} if values["U"] == "year" else {}
    yield from _named_dates(values | year, today)


def _full_dates(text: str, today: date) -> Iterator[Period]:
    if "-" in text:
        yield single_day(date.fromisoformat(text))
        return
    first, second, *rest = (int(part) for part in re.split(r"[./]", text) if part)
    years = [year if year >= CENTURY else THIS_CENTURY + year for year in rest] or _years(today)
    orders = {(first, second), (second, first)} if "/" in text else {(first, second)}
    for day, month in orders:
        for year in years:
            with suppress(ValueError):
                yield single_day(date(year, month, day))


def _named_dates(values: Mapping[str, str], today: date) -> Iterator[Period]:
    years = [int(values["Y"])] if "Y" in values else _years(today)
    day = values.get("N") or values.get("O")
    for year in years:
        if "M" not in values:
            yield whole_year(year)
        elif day is None:
            yield whole_month(year, int(values["M"]))
        else:
            with suppress(ValueError):
                yield single_day(date(year, int(values["M"]), int(day)))


def _years(today: date) -> list[int]:
    return [today.year - 1, today.year, today.year + 1]


def _weekday(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    values = _values(tokens)
    ahead = (int(values["W"]) - today.weekday()) % 7
    upcoming = {"X": (ahead or 7, (ahead or 7) + 7), "T": (ahead, ahead - 7), "L": (ahead - 7, ahead - 14)}
    direction = next((code for code in "XTL" if code in values), None)
    days = upcoming[direction] if direction else (ahead, ahead or 7, ahead - 7)
    return (single_day(today + timedelta(offset)) for offset in days)


def _weekday_of_month(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "the first Monday in January" and "the last Friday of 2027"."""
    month = next(token for token in tokens if token.code in "MY")
    if month.start - tokens[1].stop >= MIN_JOIN_CHARS:
        for period in _named_dates(_values(tokens[2:]), today):
            yield from _ranked_weekday(tokens, period)


def _weekday_of_unit(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "the last Friday of next month"."""
    values = _values(tokens[2:])
    is_joined = tokens[2].start - tokens[1].stop >= MIN_JOIN_CHARS or "X" in values or tokens[0].code != "L"
    if is_joined and values["U"] in MONTHS and len(values) > 1:
        for period in _unit(tokens[2:], today):
            yield from _ranked_weekday(tokens, period)


def _ranked_weekday(tokens: Sequence[DateWord], period: Period) -> Iterator[Period]:
    rank = -1 if tokens[0].code == "L" else int(tokens[0].value)
    if rank and (day := weekday_in(period, int(tokens[1].value), rank)):
        yield single_day(day)


def _weekday_of_week(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    values = _values(tokens)
    if values["U"] == "week":
        for week in _unit(tokens, today):
            yield single_day(week.start + timedelta(int(values["W"])))


def _from_day(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "a week from tomorrow", "Friday week" and "Freitag in zwei Wochen"; nothing if the day may be today."""
    values = _values(tokens)
    number, unit = _length(values)
    if "D" in values:
        yield single_day(shift(today + timedelta(int(values["D"])), unit, number))
        return
    ahead = (int(values["W"]) - today.weekday()) % 7
    if not ahead or values.keys() & {"X", "L"} or (unit != "week" and "I" in values):
        return
    yield single_day(shift(today + timedelta(ahead), unit, number))
    if "I" in values:
        week = period_around(shift(today, unit, number), unit)
        yield single_day(week.start + timedelta(int(values["W"])))


def _unit(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "next week", "this weekend", "tomorrow"."""
    values = _values(tokens)
    if "D" in values:
        yield single_day(today + timedelta(int(values["D"])))
        return
    unit = values["U"]
    direction = next((step for code, step in (("X", 1), ("L", -1)) if code in values), 0)
    if unit == "weekend":
        saturday = today + timedelta(5 - today.weekday())
        steps = {1: (0, 7), 0: (0,), -1: (-7,)}[direction]
        yield from (Period(saturday + timedelta(step), saturday + timedelta(step + 1)) for step in steps)
    elif set(values) & set("XTL") and unit != "day":
        yield period_around(shift(today, unit, direction), unit)


def _offset(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "in three weeks" and "two years ago": the day, and the week, month or year around it."""
    values = _values(tokens)
    number, unit = _length(values)
    there = shift(today, unit, -number if values.keys() & {"A", "B"} else number)
    yield single_day(there)
    yield period_around(there, unit)


def _duration(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    number, unit = _length(_values(tokens))
    yield Period(today, shift(today, unit, number))


def _length(values: Mapping[str, str]) -> tuple[int, str]:
    if span := values.get("V") or values.get("w"):
        number, unit = span.split()
        return int(number), unit
    return min(int(values.get("N") or values.get("O") or 1), MAX_UNITS), values["U"]


def _day_of_month(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    for months in (-1, 0, 1):
        first = shift(today.replace(day=1), "month", months)
        with suppress(ValueError):
            yield single_day(first.replace(day=int(tokens[0].value)))


def _weekday_and_day(tokens: Sequence[DateWord], today: date) -> Iterator[Period]:
    """Resolve "Friday the 4th" in the months around today; most have another weekday on that day."""
    values = _values(tokens)
    for months in range(-MONTHS_AROUND, MONTHS_AROUND + 1):
        first = shift(today.replace(day=1), "month", months)
        with suppress(ValueError):
            day = first.replace(day=int(values["O"]))
            if day.weekday() == int(values["W"]):
                yield single_day(day)


READINGS: Mapping[str, Callable[[Sequence[DateWord], date], Iterator[Period]]] = {
    "date_of_year": _date_of_year,
    "date": _date,
    "weekday_of_month": _weekday_of_month,
    "weekday_of_unit": _weekday_of_unit,
    "weekday_of_week": _weekday_of_week,
    "from_day": _from_day,
    "weekday_and_day": _weekday_and_day,
    "weekday": _weekday,
    "offset": _offset,
    "unit": _unit,
    "duration": _duration,
    "day_of_month": _day_of_month,
}
