"""Consolidation: a new fact is added, confirms a known fact, or replaces one.

Facts are never deleted, and never merged because they are similar. The fact that was stated last wins, regardless of
the order in which the messages are processed.
"""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from agent.language.grounding.checks import normalise
from agent.language.removal.completeness import lists_other_things
from agent.language.removal.extent import contradicted_statements
from agent.language.revision.contradictions import contradicts
from agent.language.revision.departures import loses_company
from agent.language.revision.fragments import is_corrected
from agent.language.revision.slots import claims
from agent.language.revision.value_statements import has_marker
from agent.memory.formation.admission import Candidate
from agent.memory.records.documents import confirm, effective_confidence, last_stated
from agent.timestamps import parse_timestamp
from agent.types import Memory, MemoryId


@dataclass(frozen=True, slots=True)
class RetiredFacts:
    """Facts that earlier messages must not bring back."""

    outdated_until: Mapping[str, datetime] = field(default_factory=dict)
    """The time up to which statements do not restore a fact, by its normalised text."""
    forgotten: Set[str] = frozenset()
    """Ids and normalised texts of facts that disappeared while the batch was processed."""


class Replacement(NamedTuple):
    """A retired fact, its successor, and the message that states the successor."""

    old: Memory
    successor: Memory
    message: str
    is_repeated: bool = False
    """True if the successor repeats the fact in the user's words."""


class Consolidation:
    """A user's facts during the processing of one batch; the only place where they change."""

    def __init__(self, facts: Mapping[MemoryId, Memory], retired: RetiredFacts) -> None:
        self.facts = dict(facts)
        self.written: set[MemoryId] = set()
        """Facts that this batch added or confirmed."""
        self.replacements: list[Replacement] = []
        self.evicted: list[Memory] = []
        self.rejected: Counter[str] = Counter()
        self.rejected_candidates: list[tuple[Candidate, str]] = []
        """Each with the reason."""
        self.added = self.confirmed = self.replaced = 0
        self._retired = retired

    @property
    def changed(self) -> list[Memory]:
        """The facts that this batch added or confirmed, without those that it replaced or evicted again."""
        return [self.facts[key] for key in sorted(self.written & self.facts.keys())]

    def add(self, candidate: Candidate) -> None:
        """Add, confirm or replace facts as the candidate states, or reject the candidate."""
        known, contradicted = self._find_same(candidate), self._find_contradicted(candidate)
        if reason := self._rejection_reason(candidate, known, contradicted):
            self.rejected[reason] += 1
            self.rejected_candidates.append((candidate, reason))
            return
        fact = candidate.memory if known is None else _confirm(known, candidate)
        replaced = [old for old in contradicted if old.id != fact.id]
        if any(old.pinned for old in replaced):
            fact = replace(fact, pinned=True)
        if replaced:
            self.replaced += 1
        elif known is None:
            self.added += 1
        elif fact is not known:
            self.confirmed += 1
        if fact is not known:
            self.facts[fact.id] = fact
            self.written.add(fact.id)
        for old in replaced:
            self._replace(old, fact, candidate.source.message)

    def replace(self, old: Memory, successor: Memory, message: str, *, is_repeated: bool = False) -> None:
        """Replace a fact by an episode, which a message states, and which may repeat the fact."""
        self.replaced += 1
        self._replace(old, successor, message, is_repeated=is_repeated)

    def _replace(self, old: Memory, successor: Memory, message: str, *, is_repeated: bool = False) -> None:
        del self.facts[old.id]
        self.replacements.append(Replacement(old, successor, message, is_repeated))

    def evict(self, max_facts: int, now: datetime) -> None:
        """Evict facts above the limit, lowest effective confidence first, then oldest.

        Facts that matter for every message always stay, and those that this batch added or confirmed stay until the
        next: they must be known in the next thread. The limit may therefore be exceeded.
        """

        def rank(memory: Memory) -> tuple[float, datetime]:
            confidence = effective_confidence(memory.confidence, memory.last_seen, now)
            return confidence, parse_timestamp(memory.ts)

        evictable = [fact for fact in self.facts.values() if not (fact.always_included or fact.id in self.written)]
        for memory in sorted(evictable, key=rank)[: max(0, len(self.facts) - max_facts)]:
            del self.facts[memory.id]
            self.evicted.append(memory)

    def _find_same(self, candidate: Candidate) -> Memory | None:
        text = normalise(candidate.memory.text)
        equal = (memory for memory in self.facts.values() if normalise(memory.text) == text)
        same_as = self._get(candidate.same_as) if candidate.same_as != candidate.replaces else None
        return next(equal, None if same_as and same_as.reported_by else same_as)

    def _find_contradicted(self, candidate: Candidate) -> list[Memory]:
        replaces = self._get(candidate.replaces)
        if replaces is None and (same := self._get(candidate.same_as)) and same.reported_by:
            replaces = same  # the user's own words replace those of the application
        corrected = [old for old in self.facts.values() if old != replaces and _is_correction(candidate, old)]
        if has_marker(candidate.source.quote) and len(names := set(map(_name_in, corrected)) - {""}) > 1:
            corrected = [old for old in corrected if _name_in(old) not in names]  # "my dog" may be each of several
        return [replaces, *corrected] if replaces else corrected

    def _get(self, memory: MemoryId | None) -> Memory | None:
        return None if memory is None else self.facts.get(memory)

    def _rejection_reason(self, candidate: Candidate, known: Memory | None, contradicted: list[Memory]) -> str | None:
        text, stated_at = normalise(candidate.memory.text), parse_timestamp(candidate.source.ts)
        if text in self._retired.forgotten or candidate.same_as in self._retired.forgotten:
            return "forgotten"
        if any(stated_at < last_stated(old) for old in contradicted if not old.reported_by):
            return "outdated"
        outdated_until = self._retired.outdated_until.get(text)
        if known is None and outdated_until is not None and stated_at <= outdated_until:
            return "outdated"
        return None


def _name_in(fact: Memory) -> str:
    """The name of a person or animal that a fact states, casefolded; empty if it states none."""
    return next((one.value.casefold() for one in claims(fact.text) if one.slot.startswith("named:")), "")


def _confirm(known: Memory, candidate: Candidate) -> Memory:
    if any(source.message == candidate.source.message for source in known.sources):
        return known
    return confirm(known, candidate.source, confidence=candidate.memory.confidence)


def _is_correction(candidate: Candidate, old: Memory) -> bool:
    """Check whether a fact contradicts another one by its form; statements in one message do not correct each other."""
    source = candidate.source
    if old.kind != candidate.memory.kind or any(other.message == source.message for other in old.sources):
        return False
    if is_corrected(source.quote, old.text, candidate.memory.text):
        return True
    # The quote has the words by which it is a correction ("now").
    wordings = dict.fromkeys((candidate.memory.text, source.quote))
    contradicting = (one for one in wordings if contradicts(one, old.text, stated_at=source.ts))
    return any(not _loses_more(one, old, source.ts) for one in contradicting)


def _loses_more(wording: str, old: Memory, stated_at: str) -> bool:
    """Check whether a fact also names companions or counts things, which would be lost; an episode then states both."""
    is_separable = bool(contradicted_statements(wording, old.text, stated_at=stated_at))
    return not is_separable and (loses_company(old.text, wording) or lists_other_things(old.text, wording))
