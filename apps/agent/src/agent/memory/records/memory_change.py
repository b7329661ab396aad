"""A change of a user's memory."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agent.types import Category, Kind

ChangeType = Literal[
    "memory.added", "memory.replaced", "memory.confirmed", "memory.retired", "memory.restored", "memory.forgotten"
]


@dataclass(frozen=True, slots=True)
class ChangedMemory:
    """A memory at the time of a change."""

    id: str
    kind: Kind
    text: str | None
    """None if it was deleted permanently."""
    category: Category


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """A change of a user's memory."""

    id: str
    """Its position in the log of changes."""
    type: ChangeType
    memory: ChangedMemory | None
    """The memory after the change; None if all memories were deleted."""
    replaced: ChangedMemory | None
    """What it takes the place of; the same memory if its text changed."""
    why: str
    thread: str
    """The thread of its newest source; empty for a memory that the user entered."""
    message: str
    """The message of its newest source."""
    ts: datetime
