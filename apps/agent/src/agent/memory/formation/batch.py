"""Batches: the new messages of one thread, and the messages before them as context."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.memory.records.inbox import InboxItem
from agent.types import ThreadId, UserId

MAX_CONTEXT_MESSAGES = 6


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
