"""Recognise a sentence whose subject the sentence before it names ("We got a puppy. His name is Biscuit")."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("grounding/pronouns.toml")


def refers_back(sentence: str) -> bool:
    """Check whether a sentence begins with a pronoun of the third person, so that it needs the one before it."""
    return _PATTERNS["refers_back"].match(plain_punctuation(sentence).strip()) is not None


def omits_subject(sentence: str) -> bool:
    """Check whether a sentence begins with a verb of the third person in a language that omits the pronoun."""
    return _PATTERNS["omits_subject"].match(plain_punctuation(sentence).strip()) is not None


def names_own(text: str) -> bool:
    """Check whether a text names a person or thing as the user's own ("my nephew")."""
    return _PATTERNS["own"].search(plain_punctuation(text)) is not None
