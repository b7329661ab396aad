"""Candidates: what of an extraction passes the gate, each with the user's words that vouch for it."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, cast

from agent.errors import InvalidTextError
from agent.language.grounding import has_foreign_names, is_grounded, is_quoted, normalise, rejection_reason
from agent.memory.formation.extract import MAX_PER_MESSAGE, ExtractedMemories, ExtractedMemory
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.documents import derived_id
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import NOW, Field
from agent.text import validate_text
from agent.types import CATEGORIES, FACTS, Category, Kind, Memory, MemoryId, MessageId, Source, UserId

MAX_SENTENCE_CHARS = 500
MAX_QUOTE_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact as it would be added, with its one source, and what it says of those that are known."""

    memory: Memory
    same_as: MemoryId | None = None
    replaces: MemoryId | None = None

    @property
    def source(self) -> Source:
        """The words that vouch for it."""
        return self.memory.sources[0]


@dataclass(frozen=True, slots=True)
class Admitted:
    """What of an extraction may be kept."""

    candidates: tuple[Candidate, ...]
    """In the order in which they were said."""
    episode: str
    profile: Mapping[Field, str]
    rejected: Counter[str]
    """How many parts were refused, by reason."""


def admit(
    extracted: ExtractedMemories,
    *,
    user: UserId,
    items: Sequence[InboxItem],
    known: KnownMemories,
    min_confidence: float,
) -> Admitted:
    """Sort out what of an extraction may be kept.

    Args:
        extracted: what was extracted.
        user: whose it is.
        items: the messages that it was extracted from, oldest first.
        known: what else the extractor was told.
        min_confidence: under it a candidate is a guess.
    """
    rejected: Counter[str] = Counter()
    facts: dict[MemoryId, Candidate] = {}
    most = MAX_PER_MESSAGE * len(items)
    rejected["too_many"] += len(extracted.memories[most:])
    words, answers = [item.text for item in items], [item.answer for item in items]
    for proposed in extracted.memories[:most]:
        reason = _reason_against(proposed, min_confidence)
        candidate = _candidate(user, proposed, items, known, facts)
        if candidate is None or reason:
            rejected[reason or "quote"] += 1
        elif has_foreign_names(proposed.text, said=words, borrowed=answers):
            rejected["echo"] += 1
        elif _taught(candidate, facts.values()) >= MAX_PER_MESSAGE:
            rejected["too_many"] += 1
        else:
            facts[candidate.memory.id] = candidate
    order = [item.message for item in items]
    candidates = sorted(facts.values(), key=lambda candidate: order.index(MessageId(candidate.source.message)))
    sentences = _Sentences.of(items, candidates, known)
    episode = sentences.of_episode(extracted.episode, rejected)
    profile = sentences.of_profile(extracted.profile.model_dump(), rejected)
    return Admitted(tuple(candidates), episode, profile, +rejected)


def _reason_against(proposed: ExtractedMemory, min_confidence: float) -> str | None:
    if proposed.kind not in FACTS:
        return "kind"
    if proposed.category not in CATEGORIES:
        return "category"
    if not proposed.confidence >= min_confidence:  # so that what is no number is none
        return "confidence"
    return rejection_reason(proposed.quote) or _reason_against_text(proposed.text)


def _reason_against_text(text: str) -> str | None:
    try:
        validate_text(text, max_chars=MAX_SENTENCE_CHARS)
    except InvalidTextError:
        return "text"
    return rejection_reason(text)


def _taught(candidate: Candidate, others: Iterable[Candidate]) -> int:
    """Return how many other facts the candidate's message has taught already."""
    message = candidate.source.message
    return sum(one.source.message == message and one.memory.id != candidate.memory.id for one in others)


def _candidate(
    user: UserId,
    proposed: ExtractedMemory,
    items: Sequence[InboxItem],
    known: KnownMemories,
    facts: Container[MemoryId],
) -> Candidate | None:
    """Return a candidate with the latest message that vouches for it and not for another one like it, None without."""
    words = normalise(proposed.text)
    said = [item for item in reversed(items) if is_quoted(proposed.quote, [item.text])]
    ids = [derived_id(user, item.message, words) for item in said]
    if not said:
        return None
    item, memory = next((one for one in zip(said, ids, strict=True) if one[1] not in facts), (said[0], ids[0]))
    category = cast("Category", proposed.category)
    return Candidate(
        Memory(
            id=memory,
            kind=cast("Kind", proposed.kind),
            text=" ".join(proposed.text.split()),
            ts=item.ts,
            source_thread=item.thread,
            category=category,
            confidence=min(proposed.confidence, 1.0),
            sources=(Source(item.thread, item.message, proposed.quote.strip()[:MAX_QUOTE_CHARS], item.ts),),
            last_seen=item.ts,
        ),
        same_as=known.named(proposed.same_as, category),
        replaces=known.named(proposed.replaces, category),
    )


@dataclass(frozen=True, slots=True)
class _Sentences:
    """The gate for what quotes nothing: it may say only what the user said, in messages that may be remembered."""

    said: Sequence[str]
    known: Sequence[str]
    answers: Sequence[str]

    @classmethod
    def of(cls, items: Sequence[InboxItem], candidates: Sequence[Candidate], known: KnownMemories) -> Self:
        vouched = [text for one in candidates for text in (one.memory.text, one.source.quote)]
        return cls(
            said=[*vouched, *(item.text for item in items if not rejection_reason(item.text))],
            known=[*(memory.text for memory in known.memories), *map(known.profile.text, NOW)],
            answers=[item.answer for item in items],
        )

    def of_episode(self, text: str, rejected: Counter[str]) -> str:
        """Return the episode, empty when there is none that may be kept; the answer's deeds may be part of it."""
        return self._kept(text, self.known, rejected)

    def of_profile(self, sentences: Mapping[str, str | None], rejected: Counter[str]) -> dict[Field, str]:
        """Return the sentences of the profile that may be kept."""
        borrowed = [*self.known, *self.answers]
        kept = {name: self._kept(sentences.get(name) or "", borrowed, rejected) for name in NOW}
        return {name: text for name, text in kept.items() if text}

    def _kept(self, text: str, borrowed: Sequence[str], rejected: Counter[str]) -> str:
        text = " ".join(text.split())
        if not text:
            return ""
        reason = _reason_against_text(text)
        if reason is None and not is_grounded(text, said=self.said, borrowed=borrowed):
            reason = "echo"
        if reason:
            rejected[reason] += 1
            return ""
        return text
