"""Checks of the database server, migrations, indexes and size."""

import re
from importlib.resources import files

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

import agent.database
from agent.conversations.checkpoints import ScopedSaver
from agent.doctor.finding import Finding, ok, problem
from agent.doctor.queries import SQL, fetch_all
from agent.settings import AgentSettings
from agent.store import ExactPostgresStore, schema
from agent.store.indexing import Indexing

LARGEST_TABLES = 5
VECTOR_KINDS = ("hnsw", "ivfflat")
_CONCURRENT_LEFTOVER = re.compile(r"_cc(new|old)\d*$")
_START = "start `keepsake serve`, which applies it"


async def server(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Check the version of Postgres."""
    [row] = await fetch_all(connection, SQL.server_version)
    if row["major"] < schema.OLDEST_POSTGRES:
        return [problem("Postgres", f"version {row['version']} is too old: update to {schema.OLDEST_POSTGRES}")]
    return [ok("Postgres", f"version {row['version']}")]


async def pgvector(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Check the version of pgvector."""
    [row] = await fetch_all(connection, schema.SQL.postgres)
    installed = row["pgvector"]
    oldest = ".".join(map(str, schema.OLDEST_PGVECTOR))
    if installed is None:
        return [problem("pgvector", "is not installed: run CREATE EXTENSION vector as an administrator")]
    if tuple(map(int, installed.split(".")[:2])) < schema.OLDEST_PGVECTOR:
        update = f"install {oldest}, then run ALTER EXTENSION vector UPDATE"
        return [problem("pgvector", f"version {installed} is too old: {update}")]
    return [ok("pgvector", f"version {installed}")]


async def own_tables(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Check the migrations of Keepsake's tables and of the checkpointer."""
    known = {file.name for file in files(agent.database).joinpath("migrations").iterdir() if file.name.endswith(".sql")}
    applied = {row["name"] for row in await fetch_all(connection, SQL.applied_migrations)}
    if newer := applied - known:
        return [problem("tables", f"they were created by a newer Keepsake (migration {max(newer)}): update this one")]
    if missing := known - applied:
        return [problem("tables", f"the migration {min(missing)} is missing: {_START}")]
    return await _migrations(connection, "tables", {"checkpoint_migrations": len(ScopedSaver.MIGRATIONS)})


async def store_tables(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Check the migrations of the store."""
    indexing = Indexing(settings.dims, ("text",), "cosine", "vector", settings.language, None)
    return await _migrations(connection, "store", schema.step_counts(ExactPostgresStore.MIGRATIONS, indexing))


async def invalid_indexes(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Check for invalid indexes, which slow down writes and are never read."""
    findings = []
    for row in await fetch_all(connection, SQL.invalid_indexes):
        is_useless = row["kind"] in VECTOR_KINDS or _CONCURRENT_LEFTOVER.search(row["name"])
        command = f"{'DROP INDEX' if is_useless else 'REINDEX INDEX'} CONCURRENTLY {row['name']}"
        findings.append(problem("indexes", f"{row['name']} is invalid and slows down writes: run {command}"))
    return findings or [ok("indexes", "all are valid")]


async def sizes(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """List the largest tables."""
    rows = await fetch_all(connection, SQL.table_sizes, {"limit": LARGEST_TABLES})
    tables = ", ".join(f"{row['name']} {row['size']}" for row in rows)
    return [ok("disk", f"{rows[0]['database_size']} in total: {tables}")]


async def is_new(connection: AsyncConnection[DictRow]) -> bool:
    """Check whether the database has no tables of Keepsake yet."""
    return not (await _exists(connection, "keepsake_migrations") or await _exists(connection, "store_migrations"))


async def _migrations(connection: AsyncConnection[DictRow], subject: str, expected: dict[str, int]) -> list[Finding]:
    """Compare tables of numbered migrations with the expected number of migrations."""
    for table, count in expected.items():
        last = -1
        if await _exists(connection, table):
            statement = sql.SQL(SQL.last_migration).format(table=sql.Identifier(table))
            [row] = await (await connection.execute(statement)).fetchall()
            last = row["number"]
        if last >= count:
            return [problem(subject, f"{table} is from a newer version (it has {last}): update Keepsake")]
        if last < count - 1:
            return [problem(subject, f"a migration is missing ({table} has {last} of {count - 1}): {_START}")]
    return [ok(subject, "all migrations are applied")]


async def _exists(connection: AsyncConnection[DictRow], table: str) -> bool:
    [row] = await fetch_all(connection, SQL.table_exists, {"table": table})
    return bool(row["exists"])
