"""Dates of the sets: the time of a message, and dates in a text that are counted from it."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from .formation_sets import Row

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
WEEK = 7

_TEMPLATE = re.compile(r"\{(?P<days>[+-]?\d+):(?P<language>\w\w)\}")
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}
_FORMATS: dict[str, Callable[[date, str], str]] = {
    "de": lambda day, month: f"{day.day}. {month} {day.year}",
    "es": lambda day, month: f"{day.day} de {month} de {day.year}",
    "zh": lambda day, _: f"{day.year}年{day.month}月{day.day}日",
}


def said_at(row: Row) -> datetime:
    """The latest time with the row's weekday and clock time in its time zone, with days before it for `until`.

    A row whose fact would no longer hold today is dated into the coming week.
    """
    today = datetime.now(ZoneInfo(row["zone"])).date()
    day = today - timedelta(days=1 + (today.weekday() - 1 - DAYS.index(row["day"])) % WEEK)
    if row["until_days"] is not None and day + timedelta(days=row["until_days"]) <= today:
        day += timedelta(days=WEEK)
    hour, minute = map(int, row["clock"].split(":"))
    return datetime.combine(day, time(hour, minute), ZoneInfo(row["zone"])).astimezone(UTC)


def local_day(row: Row, at: datetime) -> date:
    """The day of a time where the user is."""
    return at.astimezone(ZoneInfo(row["zone"])).date()


def fill_in(text: str, day: date) -> str:
    """Replace `{+9:en}` with the date nine days after the day of the message."""
    return _TEMPLATE.sub(lambda found: _format(day + timedelta(days=int(found["days"])), found["language"]), text)


def _format(day: date, language: str) -> str:
    month = _MONTHS[language].split()[day.month - 1] if language in _MONTHS else ""
    write = _FORMATS.get(language)
    return write(day, month) if write else f"{day.day} {month} {day.year}"
