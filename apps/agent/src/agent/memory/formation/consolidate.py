"""Consolidation: what a batch's candidates make of what is known. Each is added, confirms a fact, or replaces one.

Nothing is deleted, and nothing merged because it looks alike. What is said later wins, whenever it is distilled.
"""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from agent.language.contradictions import supersedes
from agent.language.grounding import normalise
from agent.memory.formation.admission import Candidate
from agent.memory.records.confidence import effective
from agent.memory.records.documents import last_stated
from agent.timestamps import parse_timestamp
from agent.types import Memory, MemoryId


@dataclass(frozen=True, slots=True)
class RetiredFacts:
    """What is no longer known, and does not come back by what was said before it went."""

    settled: Mapping[str, datetime] = field(default_factory=dict)
    """By a memory's normalised words: until when what was said of it is out of date."""
    forgotten: Set[str] = frozenset()
    """Ids and normalised words of what went while the batch was being distilled."""


class Replacement(NamedTuple):
    """A fact that has become untrue, as it was; the memory that stands in its place; and the message that says so."""

    old: Memory
    by: MemoryId
    message: str


class Consolidation:
    """The facts of a user as a batch leaves them; the only place where they change."""

    def __init__(self, facts: Mapping[MemoryId, Memory], past: RetiredFacts) -> None:
        self.facts = dict(facts)
        self.written: set[MemoryId] = set()
        """What the batch has added or confirmed."""
        self.replacements: list[Replacement] = []
        self.crowded_out: list[Memory] = []
        self.rejected: Counter[str] = Counter()
        self.added = self.confirmed = self.replaced = 0
        self._past = past
        self._new: set[MemoryId] = set()

    def add(self, candidate: Candidate) -> None:
        """Let a candidate change what is known, or refuse it."""
        same, replaced = self._same(candidate), self._replaced(candidate)
        if reason := self._reason_against(candidate, same, replaced):
            self.rejected[reason] += 1
            return
        kept = candidate.memory if same is None else _confirmed(same, candidate)
        others = [old for old in replaced if old.id != kept.id]
        if others:
            self.replaced += 1
        elif same is None:
            self.added += 1
        elif kept is not same:
            self.confirmed += 1
        if kept is not same:
            self.facts[kept.id] = kept
            self.written.add(kept.id)
        if same is None:
            self._new.add(kept.id)
        for old in others:
            del self.facts[old.id]
            self.replacements.append(Replacement(old, kept.id, candidate.source.message))

    def evict(self, most: int, now: datetime) -> None:
        """Let go what is more than so many facts: of the least effective confidence first, then the oldest.

        What the batch itself has said goes last: it must be known in the next thread.
        """

        def worth(memory: Memory) -> tuple[bool, float, datetime]:
            sure = effective(memory.confidence, memory.last_seen, now)
            return memory.id in self.written, sure, parse_timestamp(memory.ts)

        for memory in sorted(self.facts.values(), key=worth)[: max(0, len(self.facts) - most)]:
            del self.facts[memory.id]
            self.crowded_out.append(memory)

    def _same(self, candidate: Candidate) -> Memory | None:
        """Return the fact that a candidate says again: in the same words, or by its number."""
        words = normalise(candidate.memory.text)
        in_the_same_words = (memory for memory in self.facts.values() if normalise(memory.text) == words)
        named = self._known(candidate.same_as) if candidate.same_as != candidate.replaces else None
        return next(in_the_same_words, named)

    def _replaced(self, candidate: Candidate) -> list[Memory]:
        """Return the facts that a candidate makes untrue: by its number, and of this batch's beyond doubt."""
        named = self._known(candidate.replaces)
        new = (self.facts[memory] for memory in self._new if memory in self.facts)
        return [*([named] if named else []), *(old for old in new if old != named and _corrects(candidate, old))]

    def _known(self, memory: MemoryId | None) -> Memory | None:
        return None if memory is None else self.facts.get(memory)

    def _reason_against(self, candidate: Candidate, same: Memory | None, replaced: list[Memory]) -> str | None:
        words, said = normalise(candidate.memory.text), parse_timestamp(candidate.source.ts)
        if words in self._past.forgotten or candidate.same_as in self._past.forgotten:
            return "forgotten"
        if any(said < last_stated(old) for old in replaced):
            return "outdated"
        if same is None and words in self._past.settled and said <= self._past.settled[words]:
            return "outdated"
        return None


def _confirmed(known: Memory, candidate: Candidate) -> Memory:
    """Return a fact with one more source; the same fact if the message has told it already."""
    if any(source.message == candidate.source.message for source in known.sources):
        return known
    return replace(
        known,
        sources=(*known.sources, candidate.source),
        confirmed=known.confirmed + 1,
        last_seen=max(known.last_seen, candidate.source.ts, key=parse_timestamp),
    )


def _corrects(candidate: Candidate, old: Memory) -> bool:
    """Tell whether a later message of the batch takes back what an earlier one said."""
    return candidate.source.message != old.sources[-1].message and supersedes(
        candidate.memory.text, old.text, said=candidate.source.ts
    )
