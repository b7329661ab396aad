"""A connection pool that loses no connection when the task that returns it is cancelled, as psycopg's pool does."""

import asyncio
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

CLOSE_SECONDS = 4.0


class ReturningPool(AsyncConnectionPool[AsyncConnection[DictRow]]):
    """Return connections in tasks of their own; closing the pool waits for these."""

    def __init__(self, uri: str, **options: Any) -> None:  # noqa: ANN401 - of the base class
        super().__init__(uri, **options)
        self._returns: set[asyncio.Task[None]] = set()

    async def putconn(self, conn: AsyncConnection[DictRow]) -> None:
        """Return a connection, also if the caller is cancelled meanwhile."""
        task = asyncio.create_task(super().putconn(conn))
        self._returns.add(task)
        task.add_done_callback(self._returns.discard)
        await asyncio.shield(task)

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:  # noqa: ASYNC109 - of the base class
        """Close all connections."""
        if self._returns:
            await asyncio.wait(self._returns)
        await super().close(timeout)
