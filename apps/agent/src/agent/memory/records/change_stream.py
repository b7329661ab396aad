"""The changes of a user's memory, as a list and as a stream."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from langgraph.store.base import BaseStore

from agent.errors import InvalidCursorError, StoreUnavailableError
from agent.limits.streams import StreamLimit
from agent.memory.records import namespaces
from agent.memory.records.change_log import to_change
from agent.memory.records.memory_change import MemoryChange
from agent.store import ExactPostgresStore
from agent.store.change_log import LoggedEntry
from agent.store.change_reader import ChangeFeed, latest_position, list_after, list_before, wait
from agent.types import Page, UserId

POLL_SECONDS = 5.0
"""Without notifications, for example behind a transaction pooler, changes of other processes arrive this late."""
BATCH_SIZE = 100
MAX_POSITION_DIGITS = 18


@dataclass(frozen=True, slots=True)
class MemoryChanges:
    """The latest changes of memory. Only the Postgres store logs them; with others, there are none.

    Raises:
        InvalidCursorError: from each method, if the position is not the id of a change.
        StoreUnavailableError: from each method, if the database does not answer.
    """

    store: BaseStore
    feed: ChangeFeed
    streams: StreamLimit

    async def list_changes(self, user: UserId, *, limit: int, before: str | None) -> Page[MemoryChange]:
        """List changes before a position, the latest first."""
        if not isinstance(self.store, ExactPostgresStore):
            return Page(())
        position = None if before is None else _parse(before)
        entries = await list_before(self.store, namespaces.owner(user), position, limit=limit + 1)
        page = [to_change(entry) for entry in entries[:limit]]
        return Page(tuple(page), page[-1].id if len(entries) > limit else None)

    async def subscribe(self, user: UserId, after: str | None) -> AsyncIterator[MemoryChange]:
        """Follow the changes after a position; without one, those from now on.

        Raises:
            TooManyStreamsError: the user has too many open streams.
        """
        position = None if after is None else _parse(after)
        if isinstance(self.store, ExactPostgresStore):
            latest = await latest_position(self.store, namespaces.owner(user))
            position = latest if position is None else min(position, latest)
        return await self.streams.limited(user, self._follow(user, position or 0))

    async def _follow(self, user: UserId, position: int) -> AsyncIterator[MemoryChange]:
        owner = namespaces.owner(user)
        async with self.feed.waiter(owner) as changed:
            while True:
                for entry in await self._read(owner, position):
                    position = entry.seq
                    yield to_change(entry)
                await wait(changed, POLL_SECONDS)

    async def _read(self, owner: str, position: int) -> list[LoggedEntry]:
        if not isinstance(self.store, ExactPostgresStore):
            return []
        try:
            return await list_after(self.store, owner, position, limit=BATCH_SIZE)
        except StoreUnavailableError:  # the stream survives an outage
            return []


def _parse(position: str) -> int:
    if not (position.isascii() and position.isdigit() and len(position) <= MAX_POSITION_DIGITS):
        raise InvalidCursorError("the position is not the id of a change")
    return int(position)
