"""Write out the relative dates of a sentence, so that it is still understood when its day is forgotten."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from itertools import pairwise

from agent.language.dates.resolution import Mention, Period, mentions, strip_dates
from agent.language.parsing.function_words import language_of
from agent.language.parsing.sentences import sentences
from agent.language.pattern_files import load_patterns

MAX_NOTES = 4
_PATTERNS = load_patterns("dates/notes.toml")
_DAY = timedelta(1)
_NOTE = re.compile(r" \((?P<dates>[^()\n]{4,400})\)$")
_ISO = "{year}-{number:02}"


@dataclass(frozen=True, slots=True)
class _Format:
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


def _load_formats() -> tuple[dict[str, _Format], dict[str, tuple[re.Pattern[str], re.Pattern[str]]]]:
    data = tomllib.loads(files("agent.language").joinpath("dates/formats.toml").read_text(encoding="utf-8"))
    formats = {
        language: _Format(entry["day"], entry["month"], entry["around"], entry["or"], entry["months"].split())
        for language, entry in data.items()
    }
    vocabularies = {
        language: (re.compile(entry["words"], re.IGNORECASE), re.compile(entry.get("unclear", r"(?!)"), re.IGNORECASE))
        for language, entry in data.items()
    }
    return formats, vocabularies


_FORMATS, _VOCABULARIES = _load_formats()
_NOTE_WORDS = frozenset(
    word for one in _FORMATS.values() for word in re.findall(r"[^\W_]+", f"{one.conjunction} {one.around}".casefold())
)


def date_note(text: str, today: date, *, spoken: str = "", meant: str = "") -> str:
    """The dates that the relative dates of a text mean (" (27 November 2026)"), or "" without a certain one.

    Args:
        text: what the user said.
        today: the day when they said it, where they were.
        spoken: a longer text by them, which tells the language.
        meant: a text by somebody who understood them, which may name one of the possible dates.
    """
    named = {period for one in mentions(meant, today) if one.is_absolute for period in one.periods}
    notes: dict[str, str] = {}
    for start, stop in sentences(text):
        sentence = text[start:stop]
        for mention in _relative_mentions(sentence, today):
            written = _format_of(sentence, mention, spoken or text)
            periods = _resolve(sentence, mention, today, named) if written else []
            if written and periods:
                is_about = mention.rule == "offset" and _unit(mention) == "week" and not set(periods) & named
                dates = written.write_all(periods)
                dates = written.around.format(dates) if is_about else dates
                notes.setdefault(dates, sentence[mention.start : mention.stop])
    if len(notes) > 1:
        return f" ({'; '.join(f'{words}: {dates}' for dates, words in list(notes.items())[:MAX_NOTES])})"
    return "".join(f" ({dates})" for dates in notes)


def split_date_note(text: str) -> tuple[str, str]:
    """Split a text into the user's words and the note of `date_note`, which may be empty."""
    found = _NOTE.search(text)
    if not found:
        return text, ""
    rest = re.findall(r"[^\W_]+", strip_dates(found["dates"], relative=True).casefold())
    return (text[: found.start()], found[0]) if _NOTE_WORDS.issuperset(rest) else (text, "")


def _relative_mentions(sentence: str, today: date) -> Iterator[Mention]:
    """Yield the relative dates of a sentence that stand alone and are not written out there."""
    found = list(mentions(sentence, today))
    joint = {
        id(one)
        for first, second in pairwise(found)
        if _PATTERNS["joint"].fullmatch(sentence, first.stop, second.start)
        for one in (first, second)
    }
    stated = {period for one in found if one.is_absolute for period in one.periods}
    for one in found:
        before = sentence[max(0, one.start - 16) : one.stop + 1]
        if not (one.is_absolute or id(one) in joint or one.periods & stated or _PATTERNS["not_a_date"].search(before)):
            yield one


def _resolve(sentence: str, mention: Mention, today: date, named: set[Period]) -> list[Period]:
    """The most likely readings, at most two; none if it remains unclear."""
    days = sorted(mention.periods)
    if len(chosen := mention.periods & named) == 1:
        return list(chosen)
    if mention.rule == "weekday":
        return _resolve_weekday(sentence, mention, today)
    if mention.rule == "weekday_of_week":
        return days if len(days) == 1 else []
    if mention.rule == "offset":
        exact = min(days, key=lambda one: one.stop - one.start)
        return [exact if _unit(mention) in ("day", "week") else max(days, key=lambda one: one.stop - one.start)]
    if mention.rule == "unit":
        is_directed = any(word.code in "XTLD" for word in mention.words)
        return days if is_directed and len(days) == 1 else []
    return []


def _resolve_weekday(sentence: str, mention: Mention, today: date) -> list[Period]:
    days = sorted(mention.periods)
    is_past = _PATTERNS["past"].search(sentence) is not None
    direction = next((word.code for word in mention.words if word.code in "XTL"), "")
    if direction == "X":
        return _next(sentence, mention, today)
    if direction == "L":
        is_earlier = today - days[1].start == _DAY or _is_other_week(sentence, mention, days[1], today)
        return days[:1] if is_earlier else days[1:]
    if direction == "T":
        return days[:1] if is_past and days[1].start > today else days[1:]
    is_named = _PATTERNS["preposition"].search(sentence, max(0, mention.start - 12), mention.start)
    is_today = any(period.start == today for period in days)
    is_unclear = is_past or is_today or not is_named or _PATTERNS["habit"].search(sentence)
    return [] if is_unclear else days[1:]


def _next(sentence: str, mention: Mention, today: date) -> list[Period]:
    first, second = sorted(mention.periods)
    if _PATTERNS["coming"].search(sentence, mention.start, mention.stop):
        return [first]
    if first.start - today == _DAY or _is_other_week(sentence, mention, first, today):
        return [second]
    return [first, second] if _is_this_week(first, today) else [first]


def _is_this_week(day: Period, today: date) -> bool:
    return day.start.isocalendar()[:2] == today.isocalendar()[:2]


def _is_other_week(sentence: str, mention: Mention, day: Period, today: date) -> bool:
    """Whether a language counts a weekday by weeks: \u4e0b\u5468\u4e94 is Friday of next week, never of this one."""
    return sentence[mention.start] >= "\u3400" and _is_this_week(day, today)


def _unit(mention: Mention) -> str:
    return next(word.value.split()[-1] for word in mention.words if word.code in "UV")


def _format_of(sentence: str, mention: Mention, spoken: str) -> _Format | None:
    """The format of the language of a relative date; None if the words are no date in it."""
    language = language_of(spoken)
    language = "zh" if language == "ja" else language
    start, stop = mention.start, mention.stop
    matching = [each for each, (pattern, _) in _VOCABULARIES.items() if pattern.search(sentence, start, stop)]
    if language in matching:
        return _FORMATS[language]
    if language in _FORMATS:
        return None
    clear = [each for each in matching if not _VOCABULARIES[each][1].match(sentence, start)]
    if language or not clear:
        return _Format() if clear else None
    return _FORMATS[clear[0]] if len(clear) == 1 else _Format()
