"""Admission: the gate between extraction and memory, which accepts only what the user's own messages support."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from agent.errors import InvalidTextError
from agent.language.facts import own_statements
from agent.language.grounding import (
    has_foreign_names,
    is_grounded,
    is_quoted,
    normalise,
    rejection_reason,
    significant_stems,
)
from agent.memory.formation.batch import Batch
from agent.memory.formation.extract import MAX_PER_MESSAGE, ExtractedMemories, ExtractedMemory, ExtractedSentence
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.documents import derived_id
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import CURRENT_FIELDS, ProfileField
from agent.text import validate_text
from agent.types import CATEGORIES, FACT_KINDS, Category, Kind, Memory, MemoryId, MessageId, Source, UserId

MAX_SENTENCE_CHARS = 500
OUTDATED_SHARE = 0.5
COVERED_SHARE = 0.6
"""Share of a statement's significant words that facts and episode must contain, so that nothing of it is lost."""
MAX_QUOTE_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that passed the gate, and its relation to known facts."""

    memory: Memory
    """The memory as it would be added; it has exactly one source."""
    same_as: MemoryId | None = None
    replaces: MemoryId | None = None

    @property
    def source(self) -> Source:
        """The message that states the fact."""
        return self.memory.sources[0]


@dataclass(frozen=True, slots=True)
class AdmittedSentence:
    """A sentence of an episode or of the profile, and the message that it comes from."""

    text: str
    item: InboxItem


@dataclass(frozen=True, slots=True)
class AdmissionResult:
    """The parts of an extraction that passed the gate."""

    candidates: tuple[Candidate, ...]
    """In the order of their messages."""
    episodes: tuple[AdmittedSentence, ...]
    profile: Mapping[ProfileField, AdmittedSentence]
    rejected: Counter[str]
    """Number of rejected parts by reason."""


def admit(
    extracted: ExtractedMemories,
    *,
    user: UserId,
    batch: Batch,
    known: KnownMemories,
    min_confidence: float,
) -> AdmissionResult:
    """Decide which parts of an extraction from a batch may become memories."""
    items = batch.items
    rejected: Counter[str] = Counter()
    candidates: dict[MemoryId, Candidate] = {}
    limit = MAX_PER_MESSAGE * len(items)
    rejected["too_many"] += len(extracted.memories[limit:])
    user_texts, answers = [item.text for item in items], [item.answer for item in items]
    for memory in extracted.memories[:limit]:
        reason = _rejection_reason(memory, min_confidence)
        candidate = _make_candidate(user, memory, items, known, candidates)
        if candidate is None or reason:
            rejected[reason or "quote"] += 1
        elif has_foreign_names(memory.text, user_texts=user_texts, other_texts=answers):
            rejected["echo"] += 1
        elif _count_others_from_message(candidate, candidates.values()) >= MAX_PER_MESSAGE:
            rejected["too_many"] += 1
        else:
            candidates[candidate.memory.id] = candidate
    order = [item.message for item in items]
    ordered = sorted(candidates.values(), key=lambda candidate: order.index(MessageId(candidate.source.message)))
    # Sentences without a quote: their names and numbers must come from messages that may be remembered.
    admissible = [item.text for item in items if not rejection_reason(item.text)]
    admissible += [text for candidate in ordered for text in (candidate.memory.text, candidate.source.quote)]
    known_texts = [*(memory.text for memory in known.memories), *map(known.profile.text, CURRENT_FIELDS)]
    # An episode may mention the assistant's answer; a sentence of the profile must not.
    episode = _admit_sentence(extracted.episode, admissible, known_texts, rejected)
    episodes = (AdmittedSentence(episode, items[-1]),) if episode else ()
    profile: dict[ProfileField, AdmittedSentence] = {}
    for name in CURRENT_FIELDS:
        sentence: ExtractedSentence | None = getattr(extracted.profile, name)
        text = _admit_sentence(sentence.text if sentence else None, admissible, known_texts + answers, rejected)
        if sentence and text:
            source = items[sentence.message - 1] if 1 <= sentence.message <= len(items) else items[-1]
            profile[name] = AdmittedSentence(text, source)
    return AdmissionResult(tuple(ordered), episodes, profile, +rejected)


def uncovered_statements(text: str, covering: Sequence[str], *, outdated: Sequence[str] = ()) -> str:
    """The statements in a message that must be kept verbatim; may be empty.

    Args:
        text: the message.
        covering: texts that are kept; a statement whose words mostly occur in them is covered.
        outdated: facts that are no longer true; a statement that contains half of the words of one is not kept.
    """
    known, replaced = significant_stems(" ".join(covering)), [significant_stems(fact) for fact in outdated]
    kept = []
    for statement in own_statements(text):
        stems = significant_stems(statement)
        is_covered = len(stems & known) >= COVERED_SHARE * len(stems)
        is_outdated = any(fact and len(stems & fact) >= OUTDATED_SHARE * len(fact) for fact in replaced)
        if not (is_covered or is_outdated or rejection_reason(statement)):
            kept.append(" ".join(statement.split()))
    return " ".join(kept)[:MAX_SENTENCE_CHARS].strip()


def _rejection_reason(memory: ExtractedMemory, min_confidence: float) -> str | None:
    if memory.kind not in FACT_KINDS:
        return "kind"
    if memory.category not in CATEGORIES:
        return "category"
    if not memory.confidence >= min_confidence:  # also rejects NaN
        return "confidence"
    return rejection_reason(memory.quote) or _text_rejection_reason(memory.text)


def _text_rejection_reason(text: str) -> str | None:
    try:
        validate_text(text, max_chars=MAX_SENTENCE_CHARS)
    except InvalidTextError:
        return "text"
    return rejection_reason(text)


def _count_others_from_message(candidate: Candidate, others: Iterable[Candidate]) -> int:
    message = candidate.source.message
    return sum(other.source.message == message and other.memory.id != candidate.memory.id for other in others)


def _make_candidate(
    user: UserId,
    extracted: ExtractedMemory,
    items: Sequence[InboxItem],
    known: KnownMemories,
    existing: Container[MemoryId],
) -> Candidate | None:
    """Attribute a fact to the latest message that contains its quote; None if no message does.

    Messages that already support a candidate with the same text are used only if there is no other.
    """
    text = normalise(extracted.text)
    quoted = [item for item in reversed(items) if is_quoted(extracted.quote, [item.text])]
    if not quoted:
        return None
    sources = [(item, derived_id(user, item.message, text)) for item in quoted]
    item, memory_id = next((source for source in sources if source[1] not in existing), sources[0])
    category = cast("Category", extracted.category)
    return Candidate(
        Memory(
            id=memory_id,
            kind=cast("Kind", extracted.kind),
            text=" ".join(extracted.text.split()),
            ts=item.ts,
            source_thread=item.thread,
            category=category,
            confidence=min(extracted.confidence, 1.0),
            sources=(Source(item.thread, item.message, extracted.quote.strip()[:MAX_QUOTE_CHARS], item.ts),),
            last_seen=item.ts,
            standing=extracted.standing,
            until=_iso_date(extracted.until),
        ),
        same_as=known.resolve(extracted.same_as, category),
        replaces=known.resolve(extracted.replaces, category),
    )


def _iso_date(text: str | None) -> str | None:
    try:
        return date.fromisoformat(text).isoformat() if text else None
    except ValueError:
        return None


def _admit_sentence(
    text: str | None, user_texts: Sequence[str], other_texts: Sequence[str], rejected: Counter[str]
) -> str:
    text = " ".join((text or "").split())
    if not text:
        return ""
    reason = _text_rejection_reason(text)
    if reason is None and not is_grounded(text, user_texts=user_texts, other_texts=other_texts):
        reason = "echo"
    if reason:
        rejected[reason] += 1
        return ""
    return text
