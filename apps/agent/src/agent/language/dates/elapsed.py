"""Distinguish a duration that ends on a day ("he's a week today") from a later date ("my exam is a week today")."""

from collections.abc import Sequence

from agent.language.dates.words import DateWord
from agent.language.pattern_files import load_patterns

MAX_CONTEXT_CHARS = 60

_PATTERNS = load_patterns("dates/elapsed.toml")


def is_elapsed(text: str, words: Sequence[DateWord]) -> bool:
    """Check whether a number of units directly before a day has passed by then, as in an age.

    Args:
        text: the text that contains the words.
        words: those of the date, at least two, such as the number, "months" and "today".
    """
    number, last, day = words[0], words[-2], words[-1]
    if number.code not in "NOaV" or day.code != "D" or text[last.stop : day.start].strip():
        return False
    unit = next(word.value.split()[-1] for word in words if word.code in "UV")
    if (unit == "year" and number.code in "NO") or int(day.value) < 0:
        return True
    if not _PATTERNS["counted"].search(text[: day.stop], number.start):
        return True
    before = text[max(0, number.start - MAX_CONTEXT_CHARS) : number.start]
    if _PATTERNS["since"].match(text, day.stop):
        return True
    if _PATTERNS["state"].search(before):
        return not _PATTERNS["ahead_after"].match(text, day.stop)
    return unit in ("month", "year") and _PATTERNS["ahead_before"].search(before) is None
