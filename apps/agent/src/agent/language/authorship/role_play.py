"""Recognise the beginning and the end of a role play, in which the user speaks as someone else."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("authorship/role_play.toml")


def enters_role(text: str) -> bool:
    """Check whether a message begins a role play in which its author takes a role."""
    return _PATTERNS["enters_role"].search(plain_punctuation(text)) is not None


def leaves_role(text: str) -> bool:
    """Check whether the author of a message speaks as themselves again."""
    return _PATTERNS["leaves_role"].search(plain_punctuation(text)) is not None
