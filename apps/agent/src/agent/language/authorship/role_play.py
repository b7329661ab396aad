"""Recognise the beginning and the end of a role play, in which the user speaks as another person."""

import re

from agent.language.parsing.sentences import Span, plain_punctuation
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("authorship/role_play.toml")
_ENTRY = load_patterns("authorship/role_entries.toml")["entry"]
_CLAUSE = re.compile(r"[,;:]\s{1,3}")


def enters_role(text: str) -> bool:
    """Check whether a message begins a role play in which its author takes a role."""
    plain = plain_punctuation(text)
    is_text = _PATTERNS["composes"].match(plain) or _PATTERNS["quoted"].search(plain)
    return _PATTERNS["enters_role"].search(plain) is not None and not is_text


def leaves_role(text: str) -> bool:
    """Check whether the author of a message speaks as themselves again."""
    return _PATTERNS["leaves_role"].search(plain_punctuation(text)) is not None


def role_start(text: str, sentence: Span) -> int | None:
    """Where a sentence gives the assistant, or both, a role; None if it does not ("I have a dog, now play my vet")."""
    start, stop = sentence
    starts = (start, *(clause.end() for clause in _CLAUSE.finditer(text, start, stop)))
    return next((one for one in starts if _ENTRY.match(text, one)), None)
