"""The database, external or embedded, and its connection pools."""

import selectors
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio import to_thread
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from agent.database.embedded import embedded_postgres
from agent.settings import AgentSettings

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

CHECKOUT_SECONDS = 5.0

# No session state: behind a transaction pooler, each transaction may run in another server process.
CONNECTION: dict[str, Any] = {
    "autocommit": True,
    "prepare_threshold": None,  # a generic plan cannot use the index on a namespace's prefix
    "row_factory": dict_row,
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "tcp_user_timeout": 15_000,
}


@asynccontextmanager
async def open_database(settings: AgentSettings) -> AsyncIterator[str]:
    """Yield the connection URI: `DATABASE_URL`, or an embedded Postgres that stops at the end of the block."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    embedded = embedded_postgres(settings.data_dir / "postgres")
    uri = await to_thread.run_sync(embedded.__enter__)
    try:
        yield uri
    finally:
        await to_thread.run_sync(embedded.__exit__, None, None, None)


@asynccontextmanager
async def open_pool(uri: str, *, size: int, name: str) -> AsyncIterator[Pool]:
    """Open a pool of up to `size` connections, which replaces broken connections."""
    pool = Pool(
        uri,
        min_size=min(2, size),
        max_size=size,
        name=name,
        kwargs=CONNECTION,
        check=check_connection,
        timeout=CHECKOUT_SECONDS,
        open=False,
    )
    async with pool:
        yield pool


async def check_connection(connection: AsyncConnection[DictRow]) -> None:
    """Check that a pooled connection is usable, without a round trip in the normal case.

    A server sends nothing to an idle connection, except to close it, so a round trip is needed only if there is
    something to read. `tcp_user_timeout` detects peers that vanished without closing the connection.

    Raises:
        OperationalError: the connection is broken; the pool replaces it.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        if selector.select(timeout=0):
            await AsyncConnectionPool.check_connection(connection)
