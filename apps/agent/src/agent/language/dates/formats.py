"""How dates are written in several languages, and the language of a date."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from typing import NamedTuple

from agent.language.dates.periods import Period
from agent.language.dates.resolution import Mention
from agent.language.parsing.function_words import language_of

_DAY = timedelta(1)
_ISO = "{year}-{number:02}"


@dataclass(frozen=True, slots=True)
class DateFormat:
    """How dates are written in a language."""

    day: str = f"{_ISO}-{{day:02}}"
    month: str = _ISO
    around: str = "~ {}"
    conjunction: str = "/"
    months: Sequence[str] = ()

    def write(self, period: Period) -> str:
        """Write a day, month, year, or any other period as a range."""
        start, stop = period
        if start == stop:
            return self._fill(self.day, start)
        if start.day == 1 and (stop + _DAY).day == 1 and start.month == stop.month:
            return self._fill(self.month, start)
        if (start.month, start.day, stop.month, stop.day) == (1, 1, 12, 31):
            return str(start.year)
        return f"{self._fill(self.day, start)} \u2013 {self._fill(self.day, stop)}"

    def write_all(self, periods: Sequence[Period]) -> str:
        """Write one or several readings."""
        return f" {self.conjunction} ".join(map(self.write, periods))

    def _fill(self, template: str, day: date) -> str:
        month = self.months[day.month - 1] if self.months else ""
        number = "1er" if template.startswith("{day} ") and "janvier" in self.months and day.day == 1 else day.day
        return template.format(day=number, month=month, number=day.month, year=day.year)


class _Vocabulary(NamedTuple):
    """The relative dates of a language."""

    words: re.Pattern[str]
    """Those that only this language has."""
    unclear: re.Pattern[str]
    """Those that need a sentence whose language is known."""
    certain: re.Pattern[str]
    """Those that tell the language, whatever the other words of the sentence seem to be."""


def _load_formats() -> tuple[dict[str, DateFormat], dict[str, _Vocabulary]]:
    data = tomllib.loads(files("agent.language").joinpath("dates/formats.toml").read_text(encoding="utf-8"))
    formats = {
        language: DateFormat(entry["day"], entry["month"], entry["around"], entry["or"], entry["months"].split())
        for language, entry in data.items()
    }
    vocabularies = {
        language: _Vocabulary(
            *(re.compile(entry.get(name, r"(?!)"), re.IGNORECASE) for name in ("words", "unclear", "certain"))
        )
        for language, entry in data.items()
    }
    return formats, vocabularies


_FORMATS, _VOCABULARIES = _load_formats()
NOTE_WORDS = frozenset(
    word for one in _FORMATS.values() for word in re.findall(r"[^\W_]+", f"{one.conjunction} {one.around}".casefold())
)


def format_in(language: str) -> DateFormat:
    """The format of a language, by its code; that of ISO 8601 for an unknown one."""
    return _FORMATS.get(language, DateFormat())


def format_of(sentence: str, mention: Mention, spoken: str) -> DateFormat | None:
    """The format of the language of a relative date; None if the words are no date in it."""
    language = language_of(spoken)
    language = "zh" if language == "ja" else language
    start, stop = mention.start, mention.stop
    certain = [each for each, one in _VOCABULARIES.items() if one.certain.search(sentence, start, stop)]
    if certain:
        return _FORMATS[certain[0]]
    matching = [each for each, one in _VOCABULARIES.items() if one.words.search(sentence, start, stop)]
    if language in matching:
        return _FORMATS[language]
    if language in _FORMATS:
        return None
    clear = [each for each in matching if not _VOCABULARIES[each].unclear.match(sentence, start)]
    if language or not clear:
        return DateFormat() if clear else None
    return _FORMATS[clear[0]] if len(clear) == 1 else DateFormat()
