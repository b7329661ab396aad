"""Recognise messages that concern the user, by their form in several languages."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_CHARS = 200  # longer messages ask for something specific

_PATTERNS = load_patterns("requests/questions.toml")


def is_personal(message: str) -> bool:
    """Check whether a message concerns the user ("What should I cook?") rather than general knowledge."""
    return _PATTERNS["personal"].search(_PATTERNS["recipient"].sub(" ", plain_punctuation(message))) is not None


def asks_about_user(message: str) -> bool:
    """Check whether a message asks for everything that is known about the user ("What do you know about me?")."""
    if len(message) > MAX_CHARS:
        return False
    return _PATTERNS["asks_about_user"].search(plain_punctuation(message)) is not None
