"""Batches: the new messages of one thread, and the messages before them as context."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.memory.records.inbox import InboxItem
from agent.types import ThreadId, UserId

MAX_CONTEXT_MESSAGES = 6

MIN_MEMORY_CAP = 3
MAX_MEMORY_CAP = 12
SHORT_MESSAGE_WORDS = 50
WORDS_PER_MEMORY = 25

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")  # Thai, Lao, kana and Han: no spaces between words
_UNSPACED_CHARS_PER_WORD = 2


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """A message before a batch. It helps to understand the batch, and is never a source."""

    role: Literal["user", "assistant"]
    text: str


ContextReader = Callable[[UserId, ThreadId, InboxItem], Awaitable[Sequence[ContextMessage]]]
"""Reads the last `MAX_CONTEXT_MESSAGES` messages of a thread before an inbox item, oldest first."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The new messages of one thread."""

    items: Sequence[InboxItem]
    """Oldest first; at least one."""
    context: Sequence[ContextMessage] = ()
    """Oldest first."""


async def read_no_context(user: UserId, thread: ThreadId, item: InboxItem) -> Sequence[ContextMessage]:
    """Read no context: there is no transcript."""
    del user, thread, item
    return ()


def max_memories(text: str) -> int:
    """How many memories a message may become: one more per `WORDS_PER_MEMORY` words of a long message."""
    words = len(text.split()) + len(_UNSPACED.findall(text)) // _UNSPACED_CHARS_PER_WORD
    additional = max(0, words - SHORT_MESSAGE_WORDS) // WORDS_PER_MEMORY
    return min(MIN_MEMORY_CAP + additional, MAX_MEMORY_CAP)
