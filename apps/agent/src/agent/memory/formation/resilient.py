"""Extraction that halves a batch whose output is unusable, so that one message does not block the others."""

import asyncio
import logging
from dataclasses import dataclass

from agent.errors import FormationFailedError, UnusableOutputError
from agent.memory.formation.batch import MAX_CONTEXT_MESSAGES, TIMED_OUT, Batch, ContextMessage
from agent.memory.formation.extract import ExtractedMemories, ExtractedProfile, ExtractedSentence, Extractor
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.inbox import InboxItem

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ResilientExtractor:
    """Extracts from a batch, or else from its halves, and from a single message with the fallback.

    One message without usable output takes at most `max_calls` calls.
    """

    extractor: Extractor
    fallback: Extractor
    deadline_seconds: float
    """Time limit of each call of the extractor."""

    async def extract(self, batch: Batch, known: KnownMemories) -> ExtractedMemories:
        """Extract candidates; see `Extractor`. Unavailability of the model is raised, so that the queue retries."""
        try:
            async with asyncio.timeout(self.deadline_seconds):
                return await self.extractor.extract(batch, known)
        except TimeoutError as error:
            raise FormationFailedError(TIMED_OUT) from error
        except UnusableOutputError as error:
            size = len(batch.items)
            logger.warning("no usable extraction from a batch of %d messages: %s", size, error)
            if size == 1:
                return await self.fallback.extract(batch, known)
        first, second = halve(batch)
        return merge(await self.extract(first, known), await self.extract(second, known), offset=len(first.items))


def max_calls(size: int) -> int:
    """How many extractions a batch with one message without usable output takes at most."""
    return 1 + 2 * (size - 1).bit_length()


def halve(batch: Batch) -> tuple[Batch, Batch]:
    """Split a batch of at least two messages; the end of the first half is context of the second."""
    middle = len(batch.items) // 2
    first, second = batch.items[:middle], batch.items[middle:]
    context = [*batch.context, *(message for item in first for message in _as_context(item))]
    return Batch(first, batch.context), Batch(second, context[-MAX_CONTEXT_MESSAGES:])


def merge(first: ExtractedMemories, second: ExtractedMemories, *, offset: int) -> ExtractedMemories:
    """Join the extractions of two halves. Of two sentences for a profile field, the later one is kept.

    Args:
        first: the extraction of the first half.
        second: the extraction of the second half.
        offset: number of messages in the first half, which precede those of the second.
    """
    profile = {
        name: _shift(getattr(second.profile, name), offset) or getattr(first.profile, name)
        for name in ExtractedProfile.model_fields
    }
    return ExtractedMemories(
        memories=[*first.memories, *second.memories],
        profile=ExtractedProfile(**profile),
        episode=" ".join(filter(None, (first.episode, second.episode))),
    )


def _shift(sentence: ExtractedSentence | None, offset: int) -> ExtractedSentence | None:
    if sentence is None or sentence.message < 1:  # the message is unknown
        return sentence
    return sentence.model_copy(update={"message": sentence.message + offset})


def _as_context(item: InboxItem) -> list[ContextMessage]:
    messages = [ContextMessage("user", item.own_text)]
    return [*messages, ContextMessage("assistant", item.answer, item.read_tools)] if item.answer else messages
