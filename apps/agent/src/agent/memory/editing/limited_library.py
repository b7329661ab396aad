"""The library with the limits per user."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from langgraph.store.base import SearchItem

from agent.errors import TooManyMemoriesError
from agent.limits.usage import Usage
from agent.memory.editing.library import Library, validate_memory_text
from agent.memory.editing.report import report
from agent.memory.editing.search import search
from agent.memory.recall.ranking import search_memories
from agent.memory.recall.recall import Recaller
from agent.memory.records import lookup, namespaces
from agent.store.key_locks import KeyLocks
from agent.types import KINDS, Category, Hit, Kind, Memory, MemoryId, Page, UserId

T = TypeVar("T")

METERED_BYTES = 1 << 20
"""The size of the parts in which the body of an import is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedLibrary(Library):
    """Counts the texts that it embeds, and limits the number of memories that users add.

    Raises:
        DailyLimitError: from each method that embeds a text, if the user has embedded too much.
    """

    usage: Usage
    recaller: Recaller
    _locks: KeyLocks = field(default_factory=KeyLocks)

    async def list_memories(
        self, user: UserId, *, kind: Kind | None, query: str | None, limit: int, cursor: str | None
    ) -> Page[Memory]:
        """List or search memories, with the ranking of recall; see `Library.list_memories`."""
        found = partial(Library.list_memories, self, user, kind=kind, query=query, limit=limit, cursor=cursor)
        return await self._while_counted(user, query, found)

    async def add(self, user: UserId, *, kind: Kind, text: str, category: Category, pinned: bool = False) -> Memory:
        """Add a memory.

        Raises:
            TooManyMemoriesError: the user has as many memories as allowed.
        """
        await self._spend_while_embedding(user, validate_memory_text(text))
        async with self.adding(user):
            await self.check_count(user, added=1)
            return await Library.add(self, user, kind=kind, text=text, category=category, pinned=pinned)

    async def edit(
        self, user: UserId, memory: MemoryId, *, text: str | None = None, pinned: bool | None = None
    ) -> Memory:
        """Pin or unpin a memory, or change its text; see `Library.edit`."""
        if text is not None:
            await self._spend_while_embedding(user, validate_memory_text(text))
        return await Library.edit(self, user, memory, text=text, pinned=pinned)

    async def search(self, user: UserId, query: str, *, limit: int) -> list[Hit]:
        """Search memories and pending messages; see `search.search`."""
        return await self._while_counted(user, query, partial(search, self.store, user, query, limit=limit))

    async def report(self, user: UserId, text: str, application: str) -> Memory:
        """Add a fact that an application reports; see `report.report`.

        Raises:
            TooManyMemoriesError: the user has as many memories as allowed.
        """
        await self.spend(user, text)
        async with self.adding(user):
            await self.check_count(user, added=1)
            return await report(self.store, user, text, application)

    async def _list(self, user: UserId, kind: Kind | None, query: str | None, limit: int) -> list[SearchItem]:
        if not query:
            return await Library._list(self, user, kind, query, limit)
        kinds = KINDS if kind is None else (kind,)
        return await search_memories(self.recaller, self.store, user, query, kinds=kinds, limit=limit)

    async def _while_counted(self, user: UserId, query: str | None, find: Callable[[], Awaitable[T]]) -> T:
        """Search while the query is counted; what is found is returned only if the user may embed it."""
        if not query:
            return await find()
        self.usage.check(user, "embedded_bytes")
        _, found = await asyncio.gather(self.spend(user, query), find())
        return found

    async def metered(self, user: UserId, body: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        """Count a body that is embedded, while it is read."""
        size = 0
        async for chunk in body:
            size += len(chunk)
            if size >= METERED_BYTES:
                await self.usage.spend(user, {"embedded_bytes": size})
                size = 0
            yield chunk
        await self.usage.spend(user, {"embedded_bytes": size})

    def adding(self, user: UserId) -> AbstractAsyncContextManager[None]:
        """Let additions of a user happen one after another, in this process."""
        return self._locks.acquire([(user, "")])

    async def check_count(self, user: UserId, *, added: int) -> None:
        """Check that the user may have more memories.

        Raises:
            TooManyMemoriesError: there would be too many.
        """
        limit = self.usage.limits.memories
        if limit and added and await lookup.count_memories(self.store, user) + added > limit:
            raise TooManyMemoriesError(f"the limit is {limit:,} memories; delete some of them")

    async def _spend_while_embedding(self, user: UserId, text: str) -> None:
        """Count a text while it is embedded, unless too much was embedded already, as far as this process knows."""
        self.usage.check(user, "embedded_bytes")
        self.recaller.embeddings.prefetch(text, owner=namespaces.owner(user))
        await self.spend(user, text)

    async def spend(self, user: UserId, text: str | None) -> None:
        """Count a text that is to be embedded."""
        if text:
            await self.usage.spend(user, {"embedded_bytes": len(text.encode(errors="replace"))})
