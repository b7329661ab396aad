"""Find statements that their author corrects at once ("on May 3rd… no wait, May 13th"): they contain no fact."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.language.parsing.openers import Evidence, read_opener
from agent.language.parsing.sentences import Span, plain_punctuation
from agent.language.pattern_files import load_patterns

ALIKE_WORDS = 2
"""Number of first words that a statement and its replacement share ("Call me Beth. Actually no, call me Liz.")."""

_PATTERNS = load_patterns("facts/self_corrections.toml")


def corrected_sentences(text: str, sentences: Sequence[Span]) -> set[Span]:
    """The sentences of a message that are corrected in themselves, or by the beginning of the next one."""
    plain = plain_punctuation(text)
    return {*_corrected_inside(plain, sentences), *_corrected_after(plain, sentences)}


def _corrected_inside(plain: str, sentences: Sequence[Span]) -> Iterator[Span]:
    for span in sentences:
        sentence = plain[slice(*span)]
        if any(_is_value(sentence[match.end() :]) for match in _PATTERNS["marker"].finditer(sentence)):
            yield span


def _corrected_after(plain: str, sentences: Sequence[Span]) -> Iterator[Span]:
    stated = [(start, stop) for start, stop in sentences if plain[start:stop].strip()]
    for span, (start, stop) in pairwise(stated):
        end, evidence = read_opener(plain, start, stop)
        opener = _PATTERNS["opener"].match(plain, start, stop)
        rest = plain[max(end, opener.end() if opener else start) : stop]
        if rest.rstrip().endswith("?") or not (evidence or opener):
            continue
        if evidence is Evidence.CORRECTION or _is_value(rest) or _begins_alike(plain[slice(*span)], rest):
            yield span


def _is_value(words: str) -> bool:
    stripped = words.strip()
    return _PATTERNS["value"].match(stripped) is not None and _PATTERNS["general"].match(stripped) is None


def _begins_alike(sentence: str, other: str) -> bool:
    first, second = (one.casefold().split()[:ALIKE_WORDS] for one in (sentence, other))
    return len(first) == ALIKE_WORDS and first == second
