"""Recognise replies to a numbered list ("the second one", "1 and 3", "all of them"), in several languages."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_CHARS = 80
OTHER_OF = 2
"""The length of a list of which "the other one" is a certain entry."""

_PATTERNS = load_patterns("requests/list_choices.toml")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_EDGES = " \t\r\n.,;:!?\u2026\u3002\uff01\uff1f\u061f\uff0c\u3001\u060c\"'"


def chosen_numbers(reply: str, count: int) -> list[int] | None:
    """The numbers, from 1, that a reply chooses from a list of `count` entries; None if it is no such reply.

    "No, the other one" chooses the second of two. "Yes" chooses all entries.
    """
    if len(reply) > MAX_CHARS:
        return None
    text = _PATTERNS["tail"].sub("", plain_punctuation(reply).strip(_EDGES).casefold()).strip(_EDGES)
    lead = _PATTERNS["lead"].match(text)
    content = text[lead.end() :] if lead else text
    for candidate in (text, content):
        if _PATTERNS["none"].fullmatch(candidate):
            return []
        if _names_all(candidate) or _confirms(candidate, text, count):
            return list(range(1, count + 1))
    if count == 1 and _PATTERNS["negated"].match(text):
        return None  # "no, the other one": not the only one
    numbers = [_number(part, count) for part in _PATTERNS["join"].split(content)]
    return None if 0 in numbers else sorted(set(numbers))


def _names_all(reply: str) -> bool:
    agreement = _PATTERNS["agreement"].match(reply)
    return _PATTERNS["all"].fullmatch(reply, agreement.end() if agreement else 0) is not None


def _confirms(candidate: str, text: str, count: int) -> bool:
    """Check for agreement: "yes" and the like mean the whole list, "that one" only a list of one entry."""
    is_agreed = _PATTERNS["agreed"].fullmatch(candidate) or (count == 1 and _PATTERNS["that"].fullmatch(candidate))
    return bool(is_agreed) and not _PATTERNS["negated"].match(text)


def _number(part: str, count: int) -> int:
    """The number that a part names; 0 if it names no entry."""
    part = _PATTERNS["frame"].sub("", part.strip(_EDGES))
    if match := _PATTERNS["number"].fullmatch(part):
        number = int(match["n"])  # also converts Arabic digits
        return number if number <= count else 0
    if _PATTERNS["last"].fullmatch(part) or (count == OTHER_OF and _PATTERNS["other"].fullmatch(part)):
        return count
    return next((n for n, name in enumerate(_NUMBERS[:count], 1) if _PATTERNS[name].fullmatch(part)), 0)
