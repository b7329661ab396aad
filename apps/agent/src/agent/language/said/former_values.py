"""Recognise questions for what was true of the user earlier ("Where did I live before?"), in several languages."""

from agent.language.parsing.sentences import contains_request
from agent.language.pattern_files import load_patterns

MAX_CHARS = 300
"""Longer messages are not examined."""

_PATTERNS = load_patterns("said/former_values.toml")


def asks_for_former_value(message: str) -> bool:
    """Check whether a message asks for an earlier value of something about the user, which another one replaced."""
    if len(message) > MAX_CHARS or not _PATTERNS["former"].search(message) or _PATTERNS["advice"].search(message):
        return False
    return contains_request(message)


def states_past(statement: str) -> bool:
    """Check whether a statement says what was true earlier ("I used to live in Bath")."""
    return _PATTERNS["past"].search(statement) is not None
