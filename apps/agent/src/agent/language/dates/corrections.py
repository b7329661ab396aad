"""Apply what the user corrects within a message ("on Saturday. No, sorry, Sunday") to its dates."""

from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from agent.language.dates.resolution import Mention, mentions
from agent.language.parsing.sentences import sentences
from agent.language.pattern_files import load_patterns

MAX_CORRECTIONS = 4
MAX_BETWEEN_CHARS = 100
MAX_DENIAL_CHARS = 12
MAX_CONTEXT_CHARS = 160  # around a part of a message
_PATTERNS = load_patterns("dates/corrections.toml")


@dataclass(frozen=True, slots=True)
class _Correction:
    """A date, and the later one in a text that takes its place."""

    start: int
    retracted_stop: int
    cue_start: int
    stop: int
    replacement: str


def apply_corrections(text: str, message: str, today: date) -> str:
    """Put the dates that the user meant in the place of those that they took back.

    Args:
        text: a part of the message, or any other text.
        message: what may correct a date of the text, or may contain a date that the text corrects.
        today: the day of the message.

    Returns:
        The text with its dates as corrected. A date that is corrected after the end of the text is removed; the words
        before a date that is corrected at its start are included.
    """
    parts = _around(text, message)
    for _ in range(MAX_CORRECTIONS):
        correction = _first_correction("".join(parts), today)
        if not correction or correction.start >= len(parts[0] + parts[1]):
            break
        parts = _apply(correction, *parts)
    return parts[1]


def _apply(correction: _Correction, before: str, text: str, after: str) -> tuple[str, str, str]:
    whole = before + text + after
    start, stop = len(before), len(before) + len(text)
    kept = whole[: correction.start]
    replaced = correction.replacement + whole[correction.retracted_stop : correction.cue_start]
    if correction.stop <= start:
        return kept + replaced + whole[correction.stop : start], text, after
    if correction.stop > stop:
        return before, kept[start:] + whole[correction.retracted_stop : stop], ""
    if correction.start >= start:
        return before, kept[start:] + replaced + whole[correction.stop : stop], after
    *_, (sentence_start, _) = sentences(kept)
    return "", kept[sentence_start:] + replaced + whole[correction.stop : stop], after


def _around(text: str, message: str) -> tuple[str, str, str]:
    """A text and the parts of a message before and after it, which are empty if the message does not contain it."""
    start = message.find(text)
    if start < 0:
        return "", text, ""
    stop = start + len(text)
    return message[max(0, start - MAX_CONTEXT_CHARS) : start], text, message[stop : stop + MAX_CONTEXT_CHARS]


def _first_correction(text: str, today: date) -> _Correction | None:
    for first, second in pairwise(one for one in mentions(text, today) if _is_date(text, one)):
        if second.start - first.stop > MAX_BETWEEN_CHARS:
            continue
        cue = _PATTERNS["correction"].fullmatch(text, first.stop, second.start)
        if cue:
            replacement = _replacement(text, first, second, cue["preposition"])
            return _Correction(first.start, first.stop, cue.start("lead"), second.stop, replacement)
    return None


def _is_date(text: str, mention: Mention) -> bool:
    if _PATTERNS["denied"].search(text, max(0, mention.start - MAX_DENIAL_CHARS), mention.start):
        return False
    is_directed = any(word.code in "XTLD" for word in mention.words)
    return mention.rule != "day_of_month" and (mention.rule != "unit" or is_directed)


def _replacement(text: str, first: Mention, second: Mention, preposition: str) -> str:
    """The corrected date in the form of the first: "next Friday, no, Thursday" is next Thursday."""
    words = text[second.start : second.stop]
    if second.rule == "duration":
        return ""
    weekday = next((word for word in first.words if word.code == "W"), None)
    if weekday is None:
        return f"{preposition}{words}"
    if len(second.words) > 1 or second.words[0].code != "W":
        return words
    return f"{text[first.start : weekday.start]}{words}{text[weekday.stop : first.stop]}"
