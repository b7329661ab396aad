"""Recognise a sentence whose subject the sentence before it names ("We got a puppy. His name is Biscuit")."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("grounding/pronouns.toml")


def refers_back(sentence: str) -> bool:
    """Check whether a sentence begins with a pronoun of the third person, so that it needs the one before it."""
    return _PATTERNS["refers_back"].match(plain_punctuation(sentence).strip()) is not None
