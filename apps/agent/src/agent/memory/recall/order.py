"""The order of hits: newer statements before older ones that they may replace."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self, TypeVar

from agent.language.revision.contradictions import MAX_COMPARED_CHARS
from agent.types import Hit

NEWER_SIMILARITY = 0.4
"""Share of an older memory's similarity to the message from which on a newer one precedes it in the prompt."""
SHORT_WORDS = 8
"""Words of a short statement, of which few need to be shared."""
SAME_SUBJECT_SHORT, SAME_SUBJECT_LONG = 0.33, 0.67
"""Share of the words of the shorter of two statements about the same subject that they have in common."""

_WORD = re.compile(r"[^\W_]{3,}")
_STEM_CHARS = 4
_COMMON_WORDS = {
    "about", "also", "always", "and", "are", "but", "can", "every", "for", "from", "had", "has", "have", "just",
    "like", "likes", "more", "much", "never", "not", "now", "our", "really", "she", "some", "than", "that", "the",
    "their", "them", "then", "there", "they", "this", "use", "used", "user", "uses", "very", "was", "were", "what",
    "when", "where", "which", "will", "with", "would", "you", "your",
}  # fmt: skip

T = TypeVar("T")


def newest_first(hits: Iterable[Hit]) -> list[Hit]:
    """Order the hits for the prompt, where each one precedes older ones that it may replace; see `precedes`."""
    return _ordered(hits, precedes)


def newer_first(hits: Iterable[Hit], *, ordered: Iterable[Hit] = ()) -> list[Hit]:
    """Move a hit before an older one about the same subject, because the newer statement is the current one.

    Args:
        hits: in order of importance.
        ordered: hits that are more important, and in this order already.
    """
    statements = _ordered(map(Statement.of, hits), Statement.updates, ordered=map(Statement.of, ordered))
    return [statement.hit for statement in statements]


def newer_versions(hits: Iterable[Hit], standing: Iterable[Hit]) -> list[Hit]:
    """Select the hits that are newer than a standing memory about the same subject."""
    older = [Statement.of(hit) for hit in standing]
    return [hit for hit in hits if any(map(Statement.of(hit).updates, older))]


def precedes(hit: Hit, other: Hit) -> bool:
    """Check whether a hit is newer than another one, and not much less similar to the message."""
    if stated_at(hit) <= stated_at(other) or hit.score is None:
        return False
    return other.score is None or hit.score >= NEWER_SIMILARITY * other.score


@dataclass(frozen=True, slots=True)
class Statement:
    """A hit and its words, which are compared with those of others."""

    hit: Hit
    words: frozenset[str]

    @classmethod
    def of(cls, hit: Hit) -> Self:
        """Read the words of a hit."""
        return cls(hit, words(hit.text[:MAX_COMPARED_CHARS]))

    def updates(self, other: "Statement") -> bool:
        """Check whether it is newer than another statement and, judged by the words, about the same subject."""
        if not _may_replace(self.hit, other.hit):
            return False
        is_short = max(len(self.words), len(other.words)) <= SHORT_WORDS
        share = SAME_SUBJECT_SHORT if is_short else SAME_SUBJECT_LONG
        shared = len(self.words & other.words)
        return shared > 0 and shared >= share * min(len(self.words), len(other.words))


def words(text: str) -> frozenset[str]:
    """The stems of a text's words, for comparing subjects."""
    found = _WORD.findall(text.casefold())
    return frozenset(word[:_STEM_CHARS] for word in found if word not in _COMMON_WORDS)


def concerns(text: str, message: str) -> bool:
    """Check whether a text and a message share a significant word."""
    return bool(words(text) & words(message))


def _ordered(items: Iterable[T], is_before: Callable[[T, T], bool], *, ordered: Iterable[T] = ()) -> list[T]:
    """Insert each item before the first one that it precedes, or at the end."""
    result = list(ordered)
    for item in items:
        passed = (n for n, other in enumerate(result) if is_before(item, other))
        result.insert(next(passed, len(result)), item)
    return result


def _may_replace(hit: Hit, other: Hit) -> bool:
    """Check whether a hit is newer; what an application reports replaces nothing that the user said."""
    return stated_at(hit) > stated_at(other) and not (hit.reported_by and not other.reported_by)


def stated_at(hit: Hit) -> str:
    """When the user last said it."""
    return hit.last_seen or hit.ts
