"""The limit on open streams, in all processes."""

import uuid
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import LiteralString, TypeVar
from weakref import ref

from agent.background import Spawn, run_every
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import StoreUnavailableError, TooManyStreamsError
from agent.types import UserId

T = TypeVar("T")


class SQL(Statements, file="streams.sql"):
    """Statements of `streams.sql`."""

    lock_account: LiteralString
    open: LiteralString
    close: LiteralString
    renew: LiteralString
    delete_expired: LiteralString


LEASE_SECONDS = 30.0
RENEW_SECONDS = 10.0
RETRY_SECONDS = 5.0


class StreamLimit:
    """Registers streams that rejoin a run. The first stream of a run needs none: runs are limited themselves."""

    def __init__(self, database: ScopedPool, limit: int, spawn: Spawn) -> None:
        self._database = database
        self._limit = limit
        self._spawn = spawn
        self._open: dict[str, tuple[UserId, ref[AsyncIterator[object]]]] = {}
        """The streams of this process by id; a stream that was never read is not closed, only collected."""

    async def run(self) -> None:
        """Extend the leases of this process until cancelled."""
        await run_every(RENEW_SECONDS, self._renew, name="renewing the leases of streams")

    async def limited(self, user: UserId, events: AsyncIterator[T]) -> AsyncIterator[T]:
        """Register a stream until its end, and return it.

        Raises:
            TooManyStreamsError: the user has too many open streams.
        """
        if not self._limit:
            return events
        stream = str(uuid.uuid4())
        parameters = {"user": user, "stream": stream, "limit": self._limit, "lease_seconds": LEASE_SECONDS}
        async with self._database.for_user(user) as connection:
            await connection.execute(SQL.lock_account, parameters)
            if await (await connection.execute(SQL.open, parameters)).fetchone() is None:
                raise TooManyStreamsError(f"the limit is {self._limit:,} at once", retry_after_seconds=RETRY_SECONDS)
        registered = self._registered(user, stream, events)
        self._open[stream] = user, ref(registered)
        return registered

    async def _registered(self, user: UserId, stream: str, events: AsyncIterator[T]) -> AsyncIterator[T]:
        try:
            async for event in events:
                yield event
        finally:
            del self._open[stream]
            self._spawn(self._close(user, stream))

    async def _close(self, user: UserId, stream: str) -> None:
        with suppress(StoreUnavailableError):  # its lease expires
            await self._database.execute(user, SQL.close, {"user": user, "stream": stream})

    async def _renew(self) -> None:
        self._open = {stream: (user, events) for stream, (user, events) in self._open.items() if events() is not None}
        if self._open:
            users = [user for user, _ in self._open.values()]
            parameters = {"users": users, "streams": list(self._open), "lease_seconds": LEASE_SECONDS}
            await self._database.execute_unscoped(SQL.renew, parameters)
        await self._database.execute_unscoped(SQL.delete_expired)
