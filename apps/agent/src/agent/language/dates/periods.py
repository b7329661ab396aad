"""Days, weeks, months and years of the calendar."""

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

DAYS = {"day": 1, "week": 7}
MONTHS = {"month": 1, "year": 12}


class Period(NamedTuple):
    """The days from `start` to `stop`, inclusive."""

    start: date
    stop: date


def single_day(day: date) -> Period:
    """The period of one day."""
    return Period(day, day)


def whole_month(year: int, month: int) -> Period:
    """The days of a month."""
    return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def whole_year(year: int) -> Period:
    """The days of a year."""
    return Period(date(year, 1, 1), date(year, 12, 31))


def period_around(day: date, unit: str) -> Period:
    """The week from Monday, the month or the year that contains a day; otherwise the day."""
    if unit == "week":
        monday = day - timedelta(day.weekday())
        return Period(monday, monday + timedelta(6))
    if unit == "month":
        return whole_month(day.year, day.month)
    return whole_year(day.year) if unit == "year" else single_day(day)


def shift(day: date, unit: str, number: int) -> date:
    """The day a number of units later, or the last day of the month if the month has no such day."""
    if unit in DAYS or unit == "weekend":
        return day + timedelta(DAYS.get(unit, 7) * number)
    months = day.year * 12 + day.month - 1 + MONTHS[unit] * number
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def weekday_in(period: Period, weekday: int, rank: int) -> date | None:
    """The first (1), second (2), last (-1) or other weekday in a period; None if there are fewer.

    Args:
        period: a month or year.
        weekday: from 0 for Monday to 6 for Sunday.
        rank: counts from the start if positive, from the end if negative; not 0.
    """
    first = period.start + timedelta((weekday - period.start.weekday()) % 7)
    last = period.stop - timedelta((period.stop.weekday() - weekday) % 7)
    day = first + timedelta(7 * (rank - 1)) if rank > 0 else last + timedelta(7 * (rank + 1))
    return day if period.start <= day <= period.stop else None
