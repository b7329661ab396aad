"""The database, external or embedded, and its connection pools."""

import asyncio
import select
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import psycopg
from anyio import to_thread
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from agent.database.embedded import embedded_postgres
from agent.database.fair_queue import FairQueue
from agent.database.liveness import STALL_SECONDS, LiveConnection, ServerProbe
from agent.database.returning_pool import ReturningPool
from agent.database.traced_cursor import TracedCursor
from agent.settings import AgentSettings

CHECKOUT_SECONDS = 4.0
MIN_CHECKOUT_SECONDS = 0.1
USER_SHARE = 3
"""A user may hold up to a third of the connections of a pool."""

PREPARE_THRESHOLD = 2
"""Uses of a statement on a connection until it is prepared. Parsing and planning take longer than most statements."""

# No session state: behind a transaction pooler, each transaction may run in another server process.
CONNECTION: dict[str, Any] = {
    "autocommit": True,
    "prepare_threshold": None,  # until it is known that there is no pooler
    "row_factory": dict_row,
    "cursor_factory": TracedCursor,
    "connect_timeout": 4,
    "keepalives_idle": 30,
    "tcp_user_timeout": 15_000,
}


class Pool(ReturningPool):
    """A connection pool that users share fairly; while the server does not answer, it fails without waiting."""

    def __init__(
        self,
        uri: str,
        *,
        max_size: int,
        probe: ServerProbe | None = None,
        **options: Any,  # noqa: ANN401 - of the base class
    ) -> None:
        options |= {"connection_class": LiveConnection, "configure": self._configure, "check": self._check_usable}
        super().__init__(uri, max_size=max_size, timeout=CHECKOUT_SECONDS, **options)
        self.probe = probe or ServerProbe(uri)
        self._owns_probe = probe is None
        self._purge: asyncio.Task[None] | None = None
        share = max(max_size // USER_SHARE, 1)
        self._queue = FairQueue(max_size, slots_per_user=share, timeout_seconds=CHECKOUT_SECONDS)

    @asynccontextmanager
    async def connection_for(self, user: str) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Hold a connection for a user, or for `SYSTEM`; see `FairQueue`.

        Raises:
            PoolTimeout: no connection was free for the user in time.
        """
        deadline = time.monotonic() + CHECKOUT_SECONDS
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._queue.admit(user))
            except TimeoutError as error:
                raise PoolTimeout("no connection was free in time") from error
            remaining_seconds = max(deadline - time.monotonic(), MIN_CHECKOUT_SECONDS)
            yield await stack.enter_async_context(self.connection(remaining_seconds))

    def get_stats(self) -> dict[str, int]:
        """Count what waits for the turn of its user as what waits for a connection."""
        statistics = super().get_stats()
        for name, value in self._queue.statistics.items():
            statistics[name] = statistics.get(name, 0) + round(value)
        return statistics

    async def getconn(self, timeout: float | None = None) -> AsyncConnection[DictRow]:  # noqa: ASYNC109 - of the base class
        """Take a connection; `connection_for` and `connection` also return it."""
        self.probe.raise_if_failing()
        timeout = CHECKOUT_SECONDS if timeout is None else timeout
        deadline = time.monotonic() + timeout
        try:
            return await super().getconn(min(timeout, STALL_SECONDS))
        except PoolTimeout:
            if not await self.probe.answers():
                self.probe.raise_if_failing()
            return await super().getconn(max(deadline - time.monotonic(), MIN_CHECKOUT_SECONDS))

    async def close(self, timeout: float = CHECKOUT_SECONDS) -> None:  # noqa: ASYNC109 - of the base class
        """Close all connections; called at the end of the block of `open_pool`."""
        if self._purge is not None:
            await asyncio.wait([self._purge])
        await super().close(timeout)
        if self._owns_probe:
            await self.probe.aclose()

    async def _configure(self, connection: AsyncConnection[DictRow]) -> None:
        if isinstance(connection, LiveConnection):
            connection.probe = self.probe
        if await is_direct(connection):
            connection.prepare_threshold = PREPARE_THRESHOLD

    async def _check_usable(self, connection: AsyncConnection[DictRow]) -> None:
        """Check a connection that a request is to use; if it is broken, check all: the server may have restarted."""
        try:
            await check_connection(connection)
        except psycopg.Error:
            if self._purge is None or self._purge.done():
                self._purge = asyncio.create_task(self.check())
                self.probe.start()
            raise


@asynccontextmanager
async def open_database(settings: AgentSettings) -> AsyncIterator[str]:
    """Yield the connection URI: `DATABASE_URL`, or an embedded Postgres that stops at the end of the block."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    async with open_embedded_database(settings) as uri:
        yield uri


@asynccontextmanager
async def open_embedded_database(settings: AgentSettings, *, processes: int = 1) -> AsyncIterator[str]:
    """Run an embedded Postgres for several processes, and yield its URI; an empty one if `DATABASE_URL` is set."""
    if settings.database_url is not None:
        yield ""
        return
    embedded = embedded_postgres(settings.data_dir / "postgres", processes=processes)
    uri = await to_thread.run_sync(embedded.__enter__)
    try:
        yield uri
    finally:
        await to_thread.run_sync(embedded.__exit__, None, None, None)


@asynccontextmanager
async def open_pool(uri: str, *, size: int, name: str, probe: ServerProbe | None = None) -> AsyncIterator[Pool]:
    """Open a pool of up to `size` connections, which replaces broken connections; it may share a probe."""
    pool = Pool(
        uri,
        min_size=min(2, size),
        max_size=size,
        name=name,
        probe=probe,
        kwargs=CONNECTION,
        open=False,
    )
    async with pool:
        yield pool


async def is_direct(connection: AsyncConnection[DictRow]) -> bool:
    """Check that there is no pooler before the server: a pooler tells its clients a process id of its own."""
    row = await (await connection.execute("SELECT pg_backend_pid() AS pid")).fetchone()
    return row is not None and row["pid"] == connection.info.backend_pid


async def check_connection(connection: AsyncConnection[DictRow]) -> None:
    """Check that a pooled connection is usable, without a round trip in the normal case.

    A server sends nothing to an idle connection, except to close it, so a round trip is needed only if there is
    something to read. `tcp_user_timeout` detects peers that vanished without closing the connection.

    Raises:
        OperationalError: the connection is broken; the pool replaces it.
    """
    if is_readable(connection.fileno()):
        await AsyncConnectionPool.check_connection(connection)


def is_readable(descriptor: int) -> bool:
    """Check whether a read from a socket would not block."""
    if sys.platform == "win32":
        return bool(select.select([descriptor], [], [], 0)[0])
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
