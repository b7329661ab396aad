"""Key sentences: the few sentences of a user's history that matter most, chosen without a model."""

import math
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from agent.language.pattern_files import load_patterns
from agent.language.words.stems import Stems
from agent.memory.records.profile import MAX_SENTENCES, Sentence, select_sentences

SAME_SUBJECT = 0.6
"""Share of the words of a sentence that others must contain for it to be about the same subject."""
MAX_REPEATS = 1
"""Other sentences about the subject of a rare statement."""

_PATTERNS = load_patterns("life_events.toml")


@dataclass(frozen=True, slots=True)
class _Ranked:
    words: frozenset[str]
    level: int
    """3 and 4: standing, 2: a life event, 1: a rare statement with a name or number, 0: any other, -1: passing."""
    weight: float
    """How many words it shares with other sentences, normalised by the root of its length."""


def extract_key_sentences(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Choose up to `MAX_SENTENCES` sentences, in their original order.

    What concerns the user's safety comes first, then other standing content, life events and rare statements; of the
    rest, what is most common. Each choice prefers a subject that the chosen sentences do not cover.
    """
    ranked = _rank(sentences)
    chosen: list[int] = []
    while len(chosen) < min(MAX_SENTENCES, len(sentences)):
        covered = frozenset[str]().union(*(ranked[n].words for n in chosen))
        remaining = [n for n in range(len(sentences)) if n not in chosen]
        chosen.append(max(remaining, key=lambda n: (*_priority(ranked[n], covered), n)))
    return tuple(sentences[n] for n in sorted(chosen))


def with_standing(digest: Sequence[Sentence], sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Add the standing sentences that a digest leaves out; they take precedence over its other sentences."""
    covered = Stems.of(*(sentence.text for sentence in digest)).words
    missing = [one for one in sentences if one.importance and not _is_covered(Stems.of(one.text).words, covered)]
    return select_sentences([*missing, *digest])


def _rank(sentences: Sequence[Sentence]) -> list[_Ranked]:
    stems = [Stems.of(sentence.text) for sentence in sentences]
    frequencies = Counter(word for one in stems for word in one.words)
    ranked = []
    for sentence, one in zip(sentences, stems, strict=True):
        repeats = sum(_is_covered(one.words, other.words) for other in stems) - 1
        shared = sum(frequencies[word] - 1 for word in one.words)
        level = _level(sentence, is_rare=bool(one.names) and repeats <= MAX_REPEATS)
        ranked.append(_Ranked(one.words, level, shared / math.sqrt(len(one.words) + 1)))
    return ranked


def _level(sentence: Sentence, *, is_rare: bool) -> int:
    if sentence.importance:
        return 2 + sentence.importance
    if _PATTERNS["passing"].search(sentence.text):
        return -1
    return 2 if _PATTERNS["life_event"].search(sentence.text) else int(is_rare)


def _priority(sentence: _Ranked, covered: Set[str]) -> tuple[bool, bool, int, float]:
    return sentence.level >= 0, not _is_covered(sentence.words, covered), sentence.level, sentence.weight


def _is_covered(words: Set[str], others: Set[str]) -> bool:
    return len(words & others) >= SAME_SUBJECT * len(words)
