"""Find sentences about code, commands, logs and spreadsheets, whose texts are no facts about the user."""

from collections.abc import Iterator
from itertools import islice

from agent.language.parsing.sentences import Span, sentences
from agent.language.pattern_files import load_patterns

MIN_EVIDENCE = 2  # code, words for it and literals

_PATTERNS = load_patterns("authorship/technical.toml")


def technical_parts(text: str) -> Iterator[Span]:
    """Yield the sentences about code, each up to a clause whose subject is the author ("and I run k3s at home")."""
    if not any(_PATTERNS[name].search(text) for name in ("code", "programs")):
        return
    for sentence in sentences(text):
        start, own = sentence[0], _own_start(text, sentence)
        if own > start and _is_technical(text, (start, own)):
            yield start, own


def _own_start(text: str, sentence: Span) -> int:
    """Where the first clause begins whose subject is the author; the end of the sentence if there is none."""
    start, stop = sentence
    if _PATTERNS["author"].match(text, stop - len(text[start:stop].lstrip()), stop):
        return start
    for match in _PATTERNS["clause"].finditer(text, start, stop):
        if _PATTERNS["author"].match(text, match.end(), stop):
            return match.end()
    return stop


def _is_technical(text: str, span: Span) -> bool:
    """Check whether a text contains code, and a literal or a word for it; a word of `programs` needs only a literal."""
    codes = len(list(islice(_PATTERNS["code"].finditer(text, *span), MIN_EVIDENCE)))
    has_literal = any(mark in text[slice(*span)] for mark in "\"'`")
    if _PATTERNS["programs"].search(text, *span):
        return codes > 0 or has_literal
    has_words = _PATTERNS["words"].search(text, *span) is not None
    return codes > 0 and codes + has_words + has_literal >= MIN_EVIDENCE
