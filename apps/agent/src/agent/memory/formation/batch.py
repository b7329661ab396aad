"""Batches: the new messages of one thread, and the messages before them as context."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, starmap
from typing import Literal

from agent.language.facts.extraction import extract_from_user
from agent.memory.records.inbox import InboxItem
from agent.timestamps import format_local
from agent.types import UserId

MAX_CONTEXT_MESSAGES = 6
MAX_CONTEXT_CHARS = 600
"""Maximum length of an answer of the assistant or a message of the context; the user's new messages are complete."""

TIMED_OUT = "it took too long"
"""The end of the error of a batch that exceeded its deadline."""

MIN_MEMORY_CAP = 3
MAX_MEMORY_CAP = 12
SHORT_MESSAGE_WORDS = 50
WORDS_PER_MEMORY = 25
MAX_BATCH_MESSAGES = 50
MAX_BATCH_CHARS = 12_000  # about 3,000 tokens, which also fits small models
CAP_RULE = (
    f"At most {MIN_MEMORY_CAP} memories per user message, plus one per {WORDS_PER_MEMORY} words over "
    f"{SHORT_MESSAGE_WORDS}, up to {MAX_MEMORY_CAP}; none is a good answer."
)
"""The rule of `max_memories` for a prompt."""

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")  # Thai, Lao, kana and Han: no spaces between words
_UNSPACED_CHARS_PER_WORD = 2


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """A message before a batch. It helps to understand the batch, and is never a source."""

    role: Literal["user", "assistant"]
    text: str
    read_tools: bool = False
    """Whether it is known that the model had read tool results when it wrote the message."""


ContextReader = Callable[[UserId, InboxItem], Awaitable[Sequence[ContextMessage]]]
"""Reads the last `MAX_CONTEXT_MESSAGES` messages before an inbox item in its thread, oldest first."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The new messages of one thread."""

    items: Sequence[InboxItem]
    """Oldest first; at least one."""
    context: Sequence[ContextMessage] = ()
    """Oldest first."""

    @property
    def chars(self) -> int:
        """The length of its texts."""
        return sum(len(one.text) for one in self.items) + sum(len(one.text) for one in self.context)

    def __str__(self) -> str:
        """Format the batch for a prompt; the new messages are numbered from 1."""
        new = "\n\n".join(("New messages:", *starmap(_format_item, enumerate(self.items, 1))))
        return f"{format_context(self.context)}\n\n{new}" if self.context else new


async def read_no_context(user: UserId, item: InboxItem) -> Sequence[ContextMessage]:
    """Read no context: there is no transcript."""
    del user, item
    return ()


def max_memories(text: str) -> int:
    """How many memories a message may become: one more per `WORDS_PER_MEMORY` words of a long message.

    At least as many as the facts that the rules find, so that no fact of a short introduction is lost.
    """
    words = len(text.split()) + len(_UNSPACED.findall(text)) // _UNSPACED_CHARS_PER_WORD
    additional = max(0, words - SHORT_MESSAGE_WORDS) // WORDS_PER_MEMORY
    return min(max(MIN_MEMORY_CAP + additional, len(extract_from_user(text))), MAX_MEMORY_CAP)


def split_batches(items: Iterable[InboxItem]) -> list[list[InboxItem]]:
    """Group items by thread into batches that a model can read at once, the oldest batch first."""
    by_thread = groupby(sorted(items, key=lambda item: (item.thread, item.ts)), lambda item: item.thread)
    batches = [batch for _, thread in by_thread for batch in _split_thread(thread)]
    return sorted(batches, key=lambda batch: batch[0].ts)


def _split_thread(items: Iterable[InboxItem]) -> Iterator[list[InboxItem]]:
    """Split a thread; each time that an item's batch took too long, the limits are halved, finally to one message."""
    batch: list[InboxItem] = []
    chars = 0
    for item in items:
        size = len(item.text) + len(excerpt(item.answer))
        timeouts = max(map(_timeouts, (*batch, item)))
        is_full = len(batch) >= MAX_BATCH_MESSAGES >> timeouts or chars + size > MAX_BATCH_CHARS >> timeouts
        if batch and is_full:
            yield batch
            batch, chars = [], 0
        batch.append(item)
        chars += size
    yield batch


def _timeouts(item: InboxItem) -> int:
    return item.failed.times if item.failed and item.failed.error.endswith(TIMED_OUT) else 0


def format_context(context: Sequence[ContextMessage]) -> str:
    """Format the messages before a batch for a prompt, one per line."""
    lines = (f"{message.role}: {excerpt(message.text)}" for message in context)
    return "\n".join(("Earlier in this conversation, for understanding only:", *lines))


def format_time(item: InboxItem) -> str:
    """The local time of a message with its weekday."""
    return format_local(item.ts, item.time_zone)


def excerpt(text: str) -> str:
    """The text as one line; only the beginning and the end of a long one, which often ends with a question."""
    text, half = " ".join(text.split()), MAX_CONTEXT_CHARS // 2
    return text if len(text) <= MAX_CONTEXT_CHARS else f"{text[:half]} […] {text[-half:]}"


def _format_item(number: int, item: InboxItem) -> str:
    answer = f"\nassistant: {excerpt(item.answer)}" if item.answer else ""
    return f"[{number}] {format_time(item)}\nuser: {item.own_text}{answer}"
