"""The user's own words in an inbox item, against which the gate checks what a model extracted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from agent.language.authorship.framing import Framing
from agent.language.authorship.own_words import mask_quoted
from agent.language.dates.notes import date_note
from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import (
    framed_text,
    mask_unusable,
    own_sentence,
    sentence_at,
    statement_spans,
    without_masked,
)
from agent.language.grounding.checks import find_quote, is_long_enough, normalise, significant_stems
from agent.language.grounding.clarification import clarify
from agent.language.grounding.support import Evidence, is_translation, overlap
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import Span, sentences
from agent.memory.formation.batch import Batch
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.inbox import InboxItem
from agent.timestamps import to_local

MAX_SENTENCE_CHARS = 500
MAX_REQUEST_CHARS = 200  # a longer one is a task, not a wish for all answers


@dataclass(frozen=True)
class ItemWords:
    """An inbox item, and what its message refers to."""

    item: InboxItem
    answered: str
    """The assistant's message before it; may be empty."""
    question: str
    """The same, but empty if the assistant had read tool results, which may have misled it."""
    earlier: Sequence[str]
    """The user's earlier words in the thread."""
    known: Sequence[str]
    """The texts of known memories."""

    @cached_property
    def masked(self) -> str:
        """The message with everything but the user's own words that may be stored replaced by NULs.

        The statement before it is replaced, too, because it comes from another message.
        """
        start = len(self._before)
        return "\0" * start + mask_unusable(blank_openers(self.item.text))[start:]

    @cached_property
    def text(self) -> str:
        """The user's own words."""
        return self.masked.replace("\0", " ")

    @property
    def _before(self) -> str:
        """The statement that the message follows."""
        return self.item.text.removesuffix(self.item.own_text)

    @cached_property
    def rule_facts(self) -> frozenset[str]:
        """The normalised facts that the rules form from the message; their words need no other support."""
        return frozenset(normalise(fact.text) for fact in extract_from_user(self.item.own_text))

    @cached_property
    def framing(self) -> Framing:
        """What suggests that a part of the message is invented; this may be what it follows."""
        return Framing.of(self._before + self.masked[len(self._before) :])

    @cached_property
    def today(self) -> date:
        """The day of the message, where the user was."""
        return local_day(self.item)

    @cached_property
    def referred(self) -> Sequence[str]:
        """Texts whose names the message may refer to: the user's earlier words, and memories with common words."""
        own = significant_stems(self.text)
        return (*self.earlier, *(memory for memory in self.known if significant_stems(memory) & own))

    def find(self, quote: str) -> Span | None:
        """Find a quote that is long enough to say something."""
        return find_quote(quote, self.masked) if is_long_enough(quote, self.masked) else None

    def evidence(self, span: Span | None = None) -> Evidence:
        """What supports a text: the sentence around a quote, or the whole message."""
        sentence = self.masked[slice(*sentence_at(self.masked, span))] if span else self.masked
        stated, whole = sentence.replace("\0", " ").strip(), self.text
        if self.item.follows:
            stated, whole = f"{self._before} {stated}", f"{self._before} {whole}"
        return Evidence(stated, whole, self.answered, self.referred, self.today)

    def own_sentence(self, span: Span) -> str:
        """The user's statement around a quote with what frames it or precedes it; empty if there is none."""
        if self.item.is_remark:
            return ""
        if self.item.follows:
            return self.item.text
        sentence = own_sentence(self.item.text, self.masked, span, MAX_SENTENCE_CHARS)
        frame = self.framing.find(span)
        if not sentence or not frame:
            return sentence
        return framed_text(self.item.text, self.masked, sentence_at(self.masked, span), frame, MAX_SENTENCE_CHARS)

    def own_request(self, span: Span, text: str) -> str:
        """The user's request around a quote, if a text about how they want to be helped refers to it; else empty."""
        sentence = without_masked(self.item.text, self.masked, sentence_at(self.masked, span))
        is_related = overlap(text, sentence) > 0 or is_translation(text, sentence)
        return sentence if is_related and len(sentence) <= MAX_REQUEST_CHARS else ""

    def clarify(self, sentence: str, meant: str) -> str:
        """The user's sentence with the question it answers and its dates; see `clarify_for`."""
        return clarify_for(self.item, sentence, self.question, meant)

    def dated(self, text: str) -> str:
        """A text about the message with the dates that its relative dates mean."""
        return f"{text}{date_note(text, self.today, spoken=self.text)}"

    def closest_sentence(self, text: str, *, statements_only: bool) -> str:
        """The sentence that shares most words with a text, of equal ones the first; empty without sentences."""
        spans = list(statement_spans(self.masked) if statements_only else sentences(self.masked))
        candidates = filter(None, map(self._text_at, spans))
        return max(candidates, key=lambda sentence: overlap(text, sentence), default="")[:MAX_SENTENCE_CHARS]

    def _text_at(self, span: Span) -> str:
        frame = self.framing.find(span)
        if frame:
            return framed_text(self.item.text, self.masked, span, frame, MAX_SENTENCE_CHARS)
        return without_masked(self.item.text, self.masked, span)


def read_words(batch: Batch, known: KnownMemories) -> list[ItemWords]:
    """The own words of each message of a batch, in order."""
    return list(_read_words(batch, known))


def local_day(item: InboxItem) -> date:
    """The day of a message, where the user was."""
    return to_local(item.ts, item.time_zone).date()


def clarify_for(item: InboxItem, sentence: str, question: str, meant: str = "") -> str:
    """A sentence of the user from an item with the question it answers and its dates; see `language.clarification`."""
    before = item.text.removesuffix(item.own_text)
    before = before if sentence.startswith(before) else ""
    own = sentence.removeprefix(before)
    answered = "" if before else question
    return before + clarify(own, message=item.own_text, answered=answered, today=local_day(item), meant=meant)


def _read_words(batch: Batch, known: KnownMemories) -> Iterator[ItemWords]:
    earlier = [mask_quoted(message.text) for message in batch.context if message.role == "user"]
    last = batch.context[-1] if batch.context else None
    answered = last.text if last and last.role == "assistant" else ""
    question = answered if last and not last.read_tools else ""
    memories = [memory.text for memory in known.memories if not memory.reported_by]
    for item in batch.items:
        words = ItemWords(item, answered, question, tuple(earlier), memories)
        yield words
        earlier.append(words.text)
        answered = item.answer
        question = "" if item.read_tools else answered
