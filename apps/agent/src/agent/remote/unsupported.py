"""What only Keepsake's own store provides."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from agent.errors import UnsupportedError
from agent.memory.recall.projection import MemoryMap, MemoryMaps
from agent.memory.records.change_stream import MemoryChanges
from agent.memory.records.memory_change import MemoryChange
from agent.types import Page, UserId


@dataclass(frozen=True, slots=True)
class UnsupportedMaps(MemoryMaps):
    """The server does not return vectors."""

    async def read(self, user: UserId) -> MemoryMap:
        """Raise `UnsupportedError`."""
        del user
        raise UnsupportedError("the store of a LangGraph server does not return the vectors of memories")


@dataclass(frozen=True, slots=True)
class UnsupportedChanges(MemoryChanges):
    """The server does not log changes."""

    async def list_changes(self, user: UserId, *, limit: int, before: str | None) -> Page[MemoryChange]:
        """Raise `UnsupportedError`."""
        del user, limit, before
        raise UnsupportedError("the store of a LangGraph server does not log changes")

    async def subscribe(self, user: UserId, after: str | None) -> AsyncIterator[MemoryChange]:
        """Raise `UnsupportedError`."""
        del user, after
        raise UnsupportedError("the store of a LangGraph server does not log changes")
