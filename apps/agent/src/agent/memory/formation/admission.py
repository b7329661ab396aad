"""Admission: the gate between extraction and memory, which accepts only what the user's own messages support."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, cast

from agent.errors import InvalidTextError
from agent.language.authorship.nonliteral import is_literal
from agent.language.dates.resolution import end_of_validity
from agent.language.facts.addressed import is_answer_preference, is_instruction
from agent.language.facts.standing import standing_topic
from agent.language.grounding.checks import normalise, rejection_reason, significant_stems
from agent.language.grounding.support import is_about_assistant, supports
from agent.language.parsing.openers import with_opener
from agent.language.parsing.sentences import Span
from agent.language.references.corrected_values import with_changed_value
from agent.language.revision.fragments import is_corrected
from agent.memory.formation.attribution import AdmittedSentence, attribute_episode, attribute_profile
from agent.memory.formation.batch import Batch, max_memories
from agent.memory.formation.extract import ExtractedMemories, ExtractedMemory, ExtractedSentence
from agent.memory.formation.item_words import MAX_SENTENCE_CHARS, ItemWords, read_words
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.documents import derived_id
from agent.memory.records.profile import CURRENT_FIELDS, ProfileField
from agent.text import validate_text
from agent.text_process import analyse
from agent.types import CATEGORIES, FACT_KINDS, Category, Kind, Memory, MemoryId, MessageId, Source, UserId

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
class AdmissionResult:
    """The parts of an extraction that passed the gate."""

    candidates: tuple[Candidate, ...]
    """Facts, in the order of their messages."""
    episodes: tuple[AdmittedSentence, ...]
    profile: Mapping[ProfileField, AdmittedSentence]
    rejected: Counter[str]
    """Number of rejected parts by reason."""
    questions: Mapping[MessageId, str]
    """What the assistant said before each message, unless it had read tool results."""


def admit(
    extracted: ExtractedMemories,
    *,
    user: UserId,
    batch: Batch,
    known: KnownMemories,
    min_confidence: float,
) -> AdmissionResult:
    """Decide which parts of an extraction from a batch may become memories."""
    gate = _Gate(user, read_words(batch, known), known, min_confidence)
    limit = sum(max_memories(item.text) for item in batch.items)
    gate.rejected["too_many"] += len(extracted.memories[limit:])
    for memory in extracted.memories[:limit]:
        gate.add(memory)
    order = [item.message for item in batch.items]
    candidates = sorted(gate.candidates.values(), key=lambda one: order.index(MessageId(one.source.message)))
    episode = gate.admit_sentence(extracted.episode)
    profile: dict[ProfileField, AdmittedSentence] = {}
    for name in CURRENT_FIELDS:
        proposed: ExtractedSentence | None = getattr(extracted.profile, name)
        sentence = gate.admit_sentence(proposed.text, proposed.message) if proposed else None
        if sentence:
            profile[name] = sentence
    questions = {words.item.message: words.question for words in gate.messages}
    return AdmissionResult(tuple(candidates), (episode,) if episode else (), profile, +gate.rejected, questions)


async def admit_off_loop(
    extracted: ExtractedMemories, user: UserId, batch: Batch, known: KnownMemories, min_confidence: float
) -> AdmissionResult:
    """Call `admit` without blocking the event loop."""
    decide = partial(admit, extracted, user=user, batch=batch, known=known, min_confidence=min_confidence)
    return await analyse(decide, chars=batch.chars)


class _Quotation(NamedTuple):
    """A message, and where it contains a quote."""

    words: ItemWords
    span: Span


@dataclass
class _Gate:
    """The admission of one extraction."""

    user: UserId
    messages: Sequence[ItemWords]
    known: KnownMemories
    min_confidence: float
    candidates: dict[MemoryId, Candidate] = field(default_factory=dict)
    rejected: Counter[str] = field(default_factory=Counter)

    def add(self, extracted: ExtractedMemory) -> None:
        """Add a candidate for an extracted memory, or count why it is rejected."""
        reason = self._rejection_reason(extracted)
        quoted = [_Quotation(words, span) for words in reversed(self.messages) if (span := words.find(extracted.quote))]
        if extracted.kind == "procedural":
            quoted = [one for one in quoted if is_answer_preference(one.words.evidence(one.span).sentence)]
        if reason or not quoted:
            self.rejected[reason or "quote"] += 1
            return
        candidate = self._candidate(extracted, quoted)
        if candidate is None:
            self.rejected["unsupported"] += 1
        elif self._is_full(candidate):
            self.rejected["too_many"] += 1
        else:
            self.candidates.setdefault(candidate.memory.id, candidate)

    def admit_sentence(self, text: str, number: int | None = None) -> AdmittedSentence | None:
        """Admit a sentence of the profile with its message number, or an episode without."""
        text = " ".join(text.split())
        if not text:
            return None
        reason = _text_rejection_reason(text)
        sentence = None
        if reason is None and number is None:
            sentence = attribute_episode(text, self.messages)
        elif reason is None and number is not None:
            sentence = attribute_profile(text, number, self.messages)
        if sentence is None:
            self.rejected[reason or "unsupported"] += 1
        return sentence

    def _rejection_reason(self, extracted: ExtractedMemory) -> str | None:
        if extracted.kind not in FACT_KINDS:
            return "kind"
        if extracted.category not in CATEGORIES:
            return "category"
        if not extracted.confidence >= self.min_confidence:  # also rejects NaN
            return "confidence"
        if extracted.kind == "procedural" and self._is_instruction(extracted.text):
            return "instructions"
        return rejection_reason(extracted.quote) or _text_rejection_reason(extracted.text)

    def _is_instruction(self, text: str) -> bool:
        """Check whether a text is addressed to the assistant; the facts that the rules form are known not to be."""
        is_fact_of_rules = any(normalise(text) in words.rule_facts for words in self.messages)
        return not is_fact_of_rules and is_instruction(text.removeprefix("User "))

    def _candidate(self, extracted: ExtractedMemory, quoted: Sequence[_Quotation]) -> Candidate | None:
        """Attribute a fact to the latest message that contains its quote and supports it.

        The user's own sentence replaces a text that says more, and every text of a turn that read tool results.
        Messages that already support a candidate with the same text are used only if there is no other.
        """
        is_instruction = extracted.kind == "procedural"
        supporting = [one for one in quoted if self._is_supported(one, extracted)]
        if supporting:
            return self._make(extracted, " ".join(extracted.text.split()), supporting)
        for one in quoted:
            sentence = one.words.own_sentence(one.span)
            if is_instruction and not sentence and not one.words.item.read_tools:
                sentence = one.words.own_request(one.span, extracted.text)
            if sentence and not rejection_reason(sentence) and (is_instruction or not is_about_assistant(sentence)):
                return self._make(extracted, one.words.clarify(sentence, extracted.text), [one], own=sentence)
        return None

    def _is_supported(self, quotation: _Quotation, extracted: ExtractedMemory) -> bool:
        words, span = quotation
        if words.item.read_tools or words.framing.find(span):
            return False
        if normalise(extracted.text) in words.rule_facts or self._is_corrected(extracted):
            return True
        evidence = words.evidence(span)
        if not is_literal(evidence.sentence, (0, len(evidence.sentence))):
            return False  # the user's own sentence shows the irony
        return supports(evidence, extracted.text, is_instruction=extracted.kind == "procedural")

    def _is_corrected(self, extracted: ExtractedMemory) -> bool:
        """Check for a fact that the user stated, known or of the batch, in which the quote replaces a value."""
        known = (memory for memory in self.known.memories if memory.kind == extracted.kind)
        facts = (memory.text for memory in known if not memory.reported_by)
        texts = (*facts, *(fact for words in self.messages for fact in words.rule_facts))
        quote, new = extracted.quote, extracted.text
        return any(is_corrected(quote, text, new) or with_changed_value(text, quote) == new for text in texts)

    def _make(self, extracted: ExtractedMemory, text: str, quoted: Sequence[_Quotation], *, own: str = "") -> Candidate:
        """Make a candidate from a text; `own` is the user's sentence in it, if it is not the model's text."""
        said = own or text
        ids = [derived_id(self.user, one.words.item.message, normalise(text)) for one in quoted]
        index = next((index for index, key in enumerate(ids) if key not in self.candidates), 0)
        words, item = quoted[index].words, quoted[index].words.item
        category = cast("Category", extracted.category)
        quote = with_opener(item.text, extracted.quote.strip())
        memory = Memory(
            id=ids[index],
            kind=cast("Kind", extracted.kind),
            text=text if own else words.dated(text),
            ts=item.ts,
            source_thread=item.thread,
            category=category,
            confidence=min(extracted.confidence, 1.0),
            sources=(Source(item.thread, item.message, quote[:MAX_QUOTE_CHARS], item.ts),),
            last_seen=item.ts,
            standing=extracted.standing or self._is_standing(text, words, is_own=bool(own)),
            until=end_of_validity(extracted.until, [words.text], words.today),
        )
        same_as = self.known.resolve(extracted.same_as, category)
        replaces = self.known.resolve(extracted.replaces, category)
        return Candidate(
            memory,
            same_as=same_as if self._is_about(said, same_as) else None,
            replaces=replaces if not own or self._is_about(own, replaces, or_topic=True) else None,
        )

    def _is_standing(self, text: str, words: ItemWords, *, is_own: bool) -> bool:
        """Check whether a fact that is not the model's text matters for every message, by its topic or its message."""
        is_of_rules = normalise(text) in words.rule_facts
        is_standing = standing_topic(text) is not None or words.item.is_standing_by_vector
        return (is_own or is_of_rules) and is_standing

    def _is_about(self, text: str, known: MemoryId | None, *, or_topic: bool = False) -> bool:
        """Check that a text has a word in common with a known memory, or its topic."""
        memory = next((memory for memory in self.known.memories if memory.id == known), None)
        if memory is None:
            return False
        topic = standing_topic(text) if or_topic else None
        is_same_topic = topic is not None and topic == standing_topic(memory.text)
        return is_same_topic or bool(significant_stems(text) & significant_stems(memory.text))

    def _is_full(self, candidate: Candidate) -> bool:
        """Whether the candidate's message already yields as many others as it may."""
        message = candidate.source.message
        others = [one for one in self.candidates.values() if one.memory.id != candidate.memory.id]
        item = next(words.item for words in self.messages if words.item.message == message)
        return sum(one.source.message == message for one in others) >= max_memories(item.text)


def _text_rejection_reason(text: str) -> str | None:
    try:
        validate_text(text, max_chars=MAX_SENTENCE_CHARS)
    except InvalidTextError:
        return "text"
    return rejection_reason(text)
