"""Opening the database: the operator's own or the embedded one, its schema, and its pools."""

import asyncio
import selectors
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from anyio import to_thread
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from agent.database.embedded import embedded_postgres
from agent.errors import SetupError
from agent.settings import AgentSettings

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

# One number for all that Keepsake migrates; any other program's locks have other numbers.
MIGRATION_LOCK = 0x6B656570
LOCK_ASKED_AGAIN_SECONDS = 0.05
WAIT_SECONDS = 5.0

# Nothing here is state of the server's: behind a transaction pooler each transaction may have another server process.
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
    """Yield the connection URI of `DATABASE_URL`, or of the embedded Postgres, which stops with the block."""
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
    """Open a pool of up to `size` connections; a broken connection is replaced, not handed out."""
    pool = Pool(
        uri,
        min_size=min(2, size),
        max_size=size,
        name=name,
        kwargs=CONNECTION,
        check=check_connection,
        timeout=WAIT_SECONDS,
        open=False,
    )
    async with pool:
        yield pool


async def check_connection(connection: AsyncConnection[DictRow]) -> None:
    """Make sure that a connection from the pool still works, at no cost while it does.

    A server never speaks first to a connection at rest but to end it. So a round trip is only due when there is
    something to read. A peer that vanished without a word is for `tcp_user_timeout` to find.

    Raises:
        OperationalError: the connection is broken; the pool makes another.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        if selector.select(timeout=0):
            await AsyncConnectionPool.check_connection(connection)


@asynccontextmanager
async def migration_lock(uri: str) -> AsyncIterator[AsyncConnection[DictRow]]:
    """Hold the one lock under which a schema changes, so that processes that start together take turns.

    The lock is the transaction's, so it works behind a transaction pooler. Whoever must wait asks again and again: a
    statement that waits holds a snapshot, and the checkpointer's CREATE INDEX CONCURRENTLY would wait for that in turn.

    Yields:
        A connection in a transaction, which is committed at the end of the block.
    """
    async with await AsyncConnection.connect(uri, **CONNECTION) as connection:
        while True:
            async with connection.transaction():
                if await _locked(connection):
                    yield connection
                    return
            await asyncio.sleep(LOCK_ASKED_AGAIN_SECONDS)


async def _locked(connection: AsyncConnection[DictRow]) -> bool:
    cursor = await connection.execute("SELECT pg_try_advisory_xact_lock(%s) AS locked", (MIGRATION_LOCK,))
    row = await cursor.fetchone()
    return row is not None and bool(row["locked"])


async def migrate(connection: AsyncConnection[DictRow]) -> None:
    """Bring our own tables to the newest version, each step once and whole.

    Raises:
        SetupError: the database was made by a newer Keepsake.
    """
    steps = sorted(files(__package__).joinpath("migrations").iterdir(), key=lambda step: step.name)
    await connection.execute("CREATE TABLE IF NOT EXISTS keepsake_migrations (name text PRIMARY KEY)")
    cursor = await connection.execute("SELECT name FROM keepsake_migrations")
    done = {row["name"] for row in await cursor.fetchall()}
    names = {step.name for step in steps}
    if not done <= names:
        raise SetupError(f"this database was made by a newer Keepsake (it has {max(done - names)}); update")
    for step in steps:
        if step.name not in done:
            async with connection.transaction():
                await connection.execute(step.read_text(encoding="utf-8"))
                await connection.execute("INSERT INTO keepsake_migrations VALUES (%s)", (step.name,))
