"""Recognise sentences and parts of sentences without a verb of their own."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.words.stems import word_count

MAX_FRAGMENT_WORDS = 3

_PATTERNS = load_patterns("words/verbless.toml")


def is_fragment(sentence: str) -> bool:
    """Check whether a few words without a verb belong to the sentence before them ("Need an audiobook. 11 hours.")."""
    return word_count(sentence) <= MAX_FRAGMENT_WORDS and not _PATTERNS["predicate"].search(sentence)


def counts_things(part: str) -> bool:
    """Check whether a part of a sentence only gives a number of things ("two cats", "many boxes")."""
    return _PATTERNS["counted"].fullmatch(plain_punctuation(part).strip()) is not None
