"""Recognise a sentence whose subject the sentence before it names ("We got a puppy. His name is Biscuit")."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_LEADS = 2

_PATTERNS = load_patterns("grounding/pronouns.toml")


def refers_back(sentence: str) -> bool:
    """Check whether a sentence begins with a pronoun of the third person, which it cannot be understood without."""
    plain = plain_punctuation(sentence).strip()
    for _ in range(MAX_LEADS):
        if _PATTERNS["refers_back"].match(plain):
            return True
        lead = _PATTERNS["lead"].match(plain)
        plain = plain[lead.end() :] if lead else plain
    return _PATTERNS["refers_back"].match(plain) is not None
