"""Recognise messages that must not be saved, because their author says so in them ("Don't remember this. I …")."""

from agent.language.authorship.own_words import mask_quoted
from agent.language.parsing.sentences import is_small_talk, plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_CHARS = 4_000  # the rest of a message is not examined

_PATTERNS = load_patterns("authorship/private_messages.toml")


def is_private_message(message: str) -> bool:
    """Check whether a message says that what it states must not be saved.

    If no statement follows the request, it refers to the previous message or to what precedes it, so this message
    is not private.
    """
    plain = plain_punctuation(message[:MAX_CHARS])
    if first := _PATTERNS["first"].match(plain):
        rest = plain[first.end() :]
        return not (is_small_talk(rest) or private_remark_end(rest))
    found = _PATTERNS["introduced"].search(plain) or _PATTERNS["last"].search(plain)
    return found is not None and "\0" not in mask_quoted(message[:MAX_CHARS])[slice(*found.span())]


def announces_private_message(message: str) -> bool:
    """Check whether a message asks that the next one is not saved ("Don't store what I say next.")."""
    return _PATTERNS["next"].search(plain_punctuation(message[:MAX_CHARS])) is not None


def private_remark_end(plain: str) -> int:
    """Where "That was private", which means the previous message, ends at the beginning of a message; else 0."""
    remark = _PATTERNS["remark"].match(plain)
    return remark.end() if remark else 0
