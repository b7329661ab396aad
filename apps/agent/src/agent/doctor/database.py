"""Checks of a database itself: its server, the steps of its tables, its indexes, its size."""

import re
from importlib.resources import files
from typing import LiteralString

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

import agent.database
from agent.conversations.checkpoints import ScopedSaver
from agent.database.statements import Statements
from agent.doctor.finding import Finding, ok, problem
from agent.settings import AgentSettings
from agent.store import ExactPostgresStore, schema
from agent.store.indexing import Indexing


class SQL(Statements, file="checks.sql"):
    """Statements of `checks.sql`."""

    server: LiteralString
    exists: LiteralString
    own_steps: LiteralString
    last_step: LiteralString
    invalid_indexes: LiteralString
    sizes: LiteralString
    walls: LiteralString
    unwalled: LiteralString
    role: LiteralString
    installation: LiteralString
    searched_by_all: LiteralString
    without_vector: LiteralString
    without_words: LiteralString
    buffers: LiteralString
    formation: LiteralString


BIGGEST_TABLES = 5
VECTOR_KINDS = ("hnsw", "ivfflat")
_MADE_CONCURRENTLY = re.compile(r"_cc(new|old)\d*$")
_START = "start `keepsake serve`, which takes it"


async def server(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Look at Postgres's version."""
    [row] = await (await connection.execute(SQL.server)).fetchall()
    if row["major"] < schema.OLDEST_POSTGRES:
        return [problem("Postgres", f"version {row['version']} is too old: update it to {schema.OLDEST_POSTGRES}")]
    return [ok("Postgres", f"version {row['version']}")]


async def pgvector(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Look at pgvector's version."""
    [row] = await (await connection.execute(schema.SQL.postgres)).fetchall()
    installed = row["pgvector"]
    oldest = ".".join(map(str, schema.OLDEST_PGVECTOR))
    if installed is None:
        return [problem("pgvector", "is not there: run CREATE EXTENSION vector, as an administrator")]
    if tuple(map(int, installed.split(".")[:2])) < schema.OLDEST_PGVECTOR:
        return [
            problem(
                "pgvector", f"version {installed} is too old: install {oldest}, then run ALTER EXTENSION vector UPDATE"
            )
        ]
    return [ok("pgvector", f"version {installed}")]


async def own_tables(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Look at the steps of our own tables and the checkpointer's."""
    steps = {step.name for step in files(agent.database).joinpath("migrations").iterdir() if step.name.endswith(".sql")}
    done = {row["name"] for row in await (await connection.execute(SQL.own_steps)).fetchall()}
    if newer := done - steps:
        return [problem("tables", f"they were made by a newer Keepsake (it has {max(newer)}): update this one")]
    if missing := steps - done:
        return [problem("tables", f"the step {min(missing)} is missing: {_START}")]
    return await _steps(connection, "tables", {"checkpoint_migrations": len(ScopedSaver.MIGRATIONS)})


async def store_tables(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Look at the steps of the store's tables."""
    indexing = Indexing(settings.dims, ("text",), "cosine", "vector", settings.language, None)
    return await _steps(connection, "store", schema.step_counts(ExactPostgresStore.MIGRATIONS, indexing))


async def invalid_indexes(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Look for indexes that cost writes and serve no read."""
    rows = await (await connection.execute(SQL.invalid_indexes)).fetchall()
    found = []
    for row in rows:
        is_useless = row["kind"] in VECTOR_KINDS or _MADE_CONCURRENTLY.search(row["name"])
        mended = f"{'DROP INDEX' if is_useless else 'REINDEX INDEX'} CONCURRENTLY {row['name']}"
        found.append(problem("indexes", f"{row['name']} is broken: it costs writes and serves no search; run {mended}"))
    return found or [ok("indexes", "all are valid")]


async def sizes(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Tell what takes the most room."""
    rows = await (await connection.execute(SQL.sizes, {"most": BIGGEST_TABLES})).fetchall()
    tables = ", ".join(f"{row['name']} {row['size']}" for row in rows)
    return [ok("disk", f"{rows[0]['whole']} in all: {tables}")]


async def is_new(connection: AsyncConnection[DictRow]) -> bool:
    """Tell whether nobody has used this database yet."""
    return not (await _is_there(connection, "keepsake_migrations") or await _is_there(connection, "store_migrations"))


async def _steps(connection: AsyncConnection[DictRow], subject: str, wanted: dict[str, int]) -> list[Finding]:
    """Compare tables of numbered steps with how many steps there are."""
    for table, number in wanted.items():
        last = -1
        if await _is_there(connection, table):
            statement = sql.SQL(SQL.last_step).format(table=sql.Identifier(table))
            [row] = await (await connection.execute(statement)).fetchall()
            last = row["number"]
        if last >= number:
            return [problem(subject, f"{table} is of something newer (it has {last}): update Keepsake")]
        if last < number - 1:
            return [problem(subject, f"a step is missing ({table} has {last} of {number - 1}): {_START}")]
    return [ok(subject, "every step is taken")]


async def _is_there(connection: AsyncConnection[DictRow], table: str) -> bool:
    [row] = await (await connection.execute(SQL.exists, {"table": table})).fetchall()
    return bool(row["there"])
