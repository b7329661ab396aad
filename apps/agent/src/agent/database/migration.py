"""Migrations: the schema, brought up to date in named steps.

A step is recorded by its name in the table `keepsake_migrations` of the database that it changes:

- `0001_first.sql` and so on: the files in `migrations/`, for Keepsake's own tables;
- `store_0001_search_columns` and so on: the store's additions to LangGraph's tables (`agent.store.schema`), in the
  database that contains the memories.

LangGraph numbers its own steps in `store_migrations`, `vector_migrations` and `checkpoint_migrations`. Versions before
this scheme numbered the store's additions in `exact_migrations`; `agent.store.schema` converts those numbers to names.
`schema.sql` in this folder shows the result of all steps; `make schema` regenerates it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import LiteralString

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow

from agent.database.errors import connection_fault
from agent.database.pools import CONNECTION
from agent.database.statements import Statements
from agent.errors import SetupError


class SQL(Statements, file="migration.sql"):
    """Statements of `migration.sql`."""

    try_lock: LiteralString
    create_table: LiteralString
    applied: LiteralString
    record: LiteralString


MIGRATION_LOCK = 0x6B656570
RETRY_SECONDS = 0.05
STORE_PREFIX = "store_"


async def connect(uri: str, *, setting: str = "DATABASE_URL") -> AsyncConnection[DictRow]:
    """Connect for work at start, outside of the pools.

    Raises:
        SetupError: the server cannot be reached, or rejects the connection; the message has no password.
    """
    try:
        return await AsyncConnection[DictRow].connect(uri, **CONNECTION)
    except psycopg.Error as error:
        parameters = conninfo_to_dict(uri)
        host, port = parameters.get("host") or "localhost", parameters.get("port") or 5432
        raise SetupError(
            f"cannot connect to the database at {host}:{port} ({setting}): {connection_fault(error)}"
        ) from error


@asynccontextmanager
async def migration_lock(uri: str) -> AsyncIterator[AsyncConnection[DictRow]]:
    """Hold the lock under which a schema changes, so that processes that start together take turns.

    The lock belongs to a transaction, so it works behind a transaction pooler. It is polled: a statement that waits for
    a lock holds a snapshot, and the checkpointer's CREATE INDEX CONCURRENTLY waits for all snapshots.

    Yields:
        A connection in a transaction, which is committed at the end of the block.
    """
    async with await connect(uri) as connection:
        while True:
            async with connection.transaction():
                row = await (await connection.execute(SQL.try_lock, {"lock": MIGRATION_LOCK})).fetchone()
                if row is not None and row["locked"]:
                    yield connection
                    return
            await asyncio.sleep(RETRY_SECONDS)


def own_migrations() -> dict[str, LiteralString]:
    """The migrations of Keepsake's own tables, in order, by name."""
    paths = sorted(files(__package__).joinpath("migrations").iterdir(), key=lambda path: path.name)
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


async def migrate(uri: str) -> None:
    """Bring Keepsake's own tables to the newest version, in one transaction; the caller holds the migration lock.

    Raises:
        SetupError: the database was migrated by a newer version.
    """
    async with await connect(uri) as connection, connection.transaction():
        done = {name for name in await applied_migrations(connection) if not name.startswith(STORE_PREFIX)}
        await apply_migrations(connection, own_migrations(), done)


async def applied_migrations(connection: AsyncConnection[DictRow]) -> set[str]:
    """The names of the migrations that this database has applied; creates their table if it is missing."""
    await connection.execute(SQL.create_table)
    return {row["name"] for row in await (await connection.execute(SQL.applied)).fetchall()}


async def apply_migrations(
    connection: AsyncConnection[DictRow], steps: Mapping[str, LiteralString], done: set[str]
) -> None:
    """Execute and record the migrations that are not applied, in the connection's transaction."""
    if unknown := done - steps.keys():
        raise SetupError(f"this database was made by a newer Keepsake (it has {max(unknown)}); update")
    for name, statement in steps.items():
        if name not in done:
            await connection.execute(statement)
            await record_migration(connection, name)


async def record_migration(connection: AsyncConnection[DictRow], name: str) -> None:
    """Record a migration as applied."""
    await connection.execute(SQL.record, {"name": name})
