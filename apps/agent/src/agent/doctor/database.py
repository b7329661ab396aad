"""Checks of the database server, migrations, indexes and size."""

import re
from collections.abc import AsyncIterator, Set

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.conversations.checkpoints import ScopedSaver
from agent.database.migration import STORE_PREFIX, own_migrations
from agent.doctor.finding import Finding, ok, problem, warning
from agent.doctor.queries import SQL, fetch_all
from agent.settings import AgentSettings
from agent.store import ExactPostgresStore, schema
from agent.store.indexing import Indexing
from agent.store.partitions import partition_counts

LARGEST_TABLES = 5
VECTOR_KINDS = ("hnsw", "ivfflat")
_CONCURRENT_LEFTOVER = re.compile(r"_cc(new|old)\d*$")
_START = "start `keepsake serve`, which applies it"


async def server(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """Check the version of Postgres."""
    [row] = await fetch_all(connection, SQL.server_version)
    if row["major"] < schema.MIN_POSTGRES:
        yield problem(f"version {row['version']} is too old: update to {schema.MIN_POSTGRES}")
    yield ok(f"version {row['version']}")


async def pgvector(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """Check the version of pgvector."""
    [row] = await fetch_all(connection, schema.SQL.versions)
    installed = row["pgvector"]
    if installed is None:
        yield problem("is not installed: run CREATE EXTENSION vector as an administrator")
        return
    if tuple(map(int, installed.split(".")[:2])) < schema.MIN_PGVECTOR:
        oldest = ".".join(map(str, schema.MIN_PGVECTOR))
        yield problem(f"version {installed} is too old: install {oldest}, then run ALTER EXTENSION vector UPDATE")
    yield ok(f"version {installed}")


async def own_tables(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """Check the migrations of Keepsake's tables and of the checkpointer."""
    applied = {name for name in await _applied(connection) if not name.startswith(STORE_PREFIX)}
    counts = {"checkpoint_migrations": len(ScopedSaver.MIGRATIONS)}
    yield _compare(own_migrations().keys(), applied) or await _migrations(connection, counts)


async def store_tables(connection: AsyncConnection[DictRow], settings: AgentSettings) -> AsyncIterator[Finding]:
    """Check the migrations of the store."""
    indexing = Indexing(settings.dims, ("text",), "cosine", "vector", settings.language, None)
    applied = {name for name in await _applied(connection) if name.startswith(STORE_PREFIX)}
    counts = schema.stock_migration_counts(ExactPostgresStore.MIGRATIONS)
    yield _compare(schema.search_migrations(indexing).keys(), applied) or await _migrations(connection, counts)


async def invalid_indexes(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """Check for invalid indexes, which slow down writes and are never read."""
    for row in await fetch_all(connection, SQL.invalid_indexes):
        is_useless = row["kind"] in VECTOR_KINDS or _CONCURRENT_LEFTOVER.search(row["name"])
        if row["is_partitioned"]:
            command = f"DROP INDEX {row['name']}" + ("" if is_useless else f"; {row['definition']}")
            yield problem(f"{row['name']} is invalid, because a partition lacks its index: run {command}")
        else:
            command = f"{'DROP INDEX' if is_useless else 'REINDEX INDEX'} CONCURRENTLY {row['name']}"
            yield problem(f"{row['name']} is invalid and slows down writes: run {command}")
    yield ok("all are valid")


async def partitions(connection: AsyncConnection[DictRow], settings: AgentSettings) -> AsyncIterator[Finding]:
    """Compare the number of partitions of the store's tables with the setting."""
    configured = settings.store_partitions
    counts = set((await partition_counts(connection)).values())
    if counts - {configured}:
        actual = max(counts - {configured})
        yield warning(
            f"the tables of memories have {actual or 'no'} partitions, and KEEPSAKE_STORE_PARTITIONS is {configured}: "
            f"stop Keepsake and run `keepsake repartition`, or set KEEPSAKE_STORE_PARTITIONS={actual}"
        )
    yield ok(f"the tables of memories have {configured or 'no'} partitions")


async def sizes(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """List the largest tables."""
    rows = await fetch_all(connection, SQL.table_sizes, {"limit": LARGEST_TABLES})
    tables = ", ".join(f"{row['name']} {row['size']}" for row in rows)
    yield ok(f"{rows[0]['database_size']} in total: {tables}")


async def is_new(connection: AsyncConnection[DictRow]) -> bool:
    """Check whether the database has no tables of Keepsake yet."""
    return not (await _exists(connection, "keepsake_migrations") or await _exists(connection, "store_migrations"))


async def _applied(connection: AsyncConnection[DictRow]) -> set[str]:
    if not await _exists(connection, "keepsake_migrations"):
        return set()
    return {row["name"] for row in await fetch_all(connection, SQL.applied_migrations)}


def _compare(known: Set[str], applied: Set[str]) -> Finding | None:
    if newer := applied - known:
        return problem(f"they were created by a newer Keepsake (migration {max(newer)}): update this one")
    if missing := known - applied:
        return problem(f"the migration {min(missing)} is missing: {_START}")
    return None


async def _migrations(connection: AsyncConnection[DictRow], expected: dict[str, int]) -> Finding:
    for table, count in expected.items():
        last = -1
        if await _exists(connection, table):
            statement = sql.SQL("SELECT coalesce(max(v), -1) AS number FROM {}").format(sql.Identifier(table))
            [row] = await (await connection.execute(statement)).fetchall()
            last = row["number"]
        if last >= count:
            return problem(f"{table} is from a newer version (it has {last}): update Keepsake")
        if last < count - 1:
            return problem(f"a migration is missing ({table} has {last} of {count - 1}): {_START}")
    return ok("all migrations are applied")


async def _exists(connection: AsyncConnection[DictRow], table: str) -> bool:
    [row] = await fetch_all(connection, SQL.table_exists, {"table": table})
    return bool(row["exists"])
