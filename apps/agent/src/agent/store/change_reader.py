"""Reading the log of changes, and waiting for new entries of any process."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import LiteralString

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.background import sleep
from agent.database.listening import ListeningConnection
from agent.database.pools import CONNECTION
from agent.store.change_log import SQL, LoggedEntry, LogUpdate, write
from agent.store.postgres import ExactPostgresStore
from agent.store.writes import lock_unchanged

logger = logging.getLogger(__name__)

RECONNECT_SECONDS = 5.0


async def append(store: ExactPostgresStore, owner: str, update: LogUpdate) -> None:
    """Update the log in a transaction of its own."""
    async with store.transaction(owner) as cursor:
        await lock_unchanged(cursor, owner, {})
        await write(cursor, owner, update, None)


async def latest_position(store: ExactPostgresStore, owner: str) -> int:
    """The position of the owner's latest entry; 0 if there is none."""
    async with store.transaction(owner) as cursor:
        await cursor.execute(SQL.latest, {"owner": owner})
        row = await cursor.fetchone()
    return int(row["seq"]) if row else 0


async def list_after(store: ExactPostgresStore, owner: str, seq: int, *, limit: int) -> list[LoggedEntry]:
    """The entries after a position, the oldest first."""
    return await _read(store, SQL.list_after, owner, seq, limit)


async def list_before(store: ExactPostgresStore, owner: str, seq: int | None, *, limit: int) -> list[LoggedEntry]:
    """The entries before a position, the latest first; None: from the latest."""
    return await _read(store, SQL.list_before, owner, seq, limit)


async def _read(
    store: ExactPostgresStore, statement: LiteralString, owner: str, seq: int | None, limit: int
) -> list[LoggedEntry]:
    async with store.transaction(owner) as cursor:
        await cursor.execute(statement, {"owner": owner, "seq": seq, "limit": limit})
        return [LoggedEntry(row["seq"], row["data"], row["at"]) for row in await cursor.fetchall()]


class ChangeFeed:
    """Wakes the waiters for new entries of an owner, by the notifications of all processes.

    It holds a connection only while there are waiters. Behind a pooler in transaction mode, no notifications arrive, so
    waiting must have a timeout.
    """

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._is_used = asyncio.Event()

    async def run(self) -> None:
        """Listen while there are waiters, until cancelled."""
        while True:
            await self._is_used.wait()
            try:
                async with await ListeningConnection.connect(self._uri, **CONNECTION) as connection:
                    await connection.execute(SQL.listen)
                    await self._dispatch(connection)
            except psycopg.Error as error:
                logger.debug("could not listen for changes", exc_info=error)
                await sleep(RECONNECT_SECONDS)

    @asynccontextmanager
    async def waiter(self, owner: str) -> AsyncIterator[asyncio.Event]:
        """Yield an event that is set whenever the owner may have new entries."""
        event = asyncio.Event()
        self._waiting[owner].add(event)
        self._is_used.set()
        try:
            yield event
        finally:
            self._waiting[owner].discard(event)
            if not self._waiting[owner]:
                del self._waiting[owner]

    async def _dispatch(self, connection: AsyncConnection[DictRow]) -> None:
        for event in [event for events in self._waiting.values() for event in events]:
            event.set()  # entries that were added before the connection listened
        while self._waiting:
            async for notification in connection.notifies(timeout=RECONNECT_SECONDS):
                for event in self._waiting.get(notification.payload, ()):
                    event.set()
        self._is_used.clear()


async def wait(event: asyncio.Event, seconds: float) -> None:
    """Wait until an event is set, at most some seconds, and clear it."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    event.clear()
