"""`keepsake doctor`: the fourth composition root, which looks at everything and changes nothing."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack

import openai
import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database import open_database
from agent.database.pools import CONNECTION
from agent.database.row_security import TABLES
from agent.doctor import database, models, row_security, vectors
from agent.doctor.finding import Check, Finding, ok, problem, warning
from agent.doctor.formation import formation
from agent.errors import SetupError
from agent.settings import AgentSettings
from agent.store.schema import STORE_TABLES

CHECK_SECONDS = 30

ANY: Mapping[str, Check] = {
    "Postgres": database.server,
    "indexes": database.invalid_indexes,
    "role": row_security.role,
    "disk": database.sizes,
}
OWN: Mapping[str, Check] = {
    "tables": database.own_tables,
    "embedder": vectors.embedder,
    "formation": formation,
}
STORE: Mapping[str, Check] = {
    "pgvector": database.pgvector,
    "store": database.store_tables,
    "vectors": vectors.vectors,
    "recall": vectors.completeness,
    "memory": vectors.buffers,
    "packing": vectors.packing,
}


async def examine(settings: AgentSettings) -> AsyncIterator[Finding]:
    """Look at database, store, walls, formation and models, also while Keepsake runs.

    Yields:
        What is found, as it is found.
    """
    async for finding in _examine_databases(settings):
        yield finding
    if settings.store_type != "postgres":
        yield ok("store", f"the memories are in a store of type {settings.store_type}, which is not looked at")
    # Not over aiohttp, as everything else does: OpenAI's client would take a refused connection for one too slow.
    async with openai.DefaultAsyncHttpxClient() as http:
        for check in (models.chat, models.embeddings):
            for finding in await check(settings, http):
                yield finding


async def _examine_databases(settings: AgentSettings) -> AsyncIterator[Finding]:
    folder = settings.data_dir / "postgres"
    if settings.database_url is None and not (folder / "PG_VERSION").exists():
        yield warning("database", f"there is none yet in {folder}: start `keepsake serve`, which makes it")
        return
    name = "DATABASE_URL" if settings.database_url else f"the embedded one in {folder}"
    elsewhere = settings.store_postgres_dsn if settings.store_type == "postgres" else None
    async with AsyncExitStack() as stack:
        try:
            uri = await stack.enter_async_context(open_database(settings))
        except SetupError as error:
            yield problem("database", str(error))
            return
        if settings.store_type != "postgres" or elsewhere is not None:
            checks = {**ANY, **OWN, "wall": row_security.walls(TABLES)}
        else:
            checks = {**ANY, **OWN, **STORE, "wall": row_security.walls({**TABLES, **STORE_TABLES})}
        async for finding in _examine(name, uri, settings, checks):
            yield finding
    if elsewhere is not None:
        checks = {**ANY, **STORE, "wall": row_security.walls(STORE_TABLES)}
        dsn = elsewhere.get_secret_value()
        async for finding in _examine("LANGGRAPH_STORE_POSTGRES_DSN", dsn, settings, checks):
            yield finding


async def _examine(name: str, uri: str, settings: AgentSettings, checks: Mapping[str, Check]) -> AsyncIterator[Finding]:
    try:
        connection = await AsyncConnection[DictRow].connect(uri, **CONNECTION)
    except psycopg.Error as error:
        yield problem("database", f"{name} does not answer: {_first_line(error)}")
        return
    async with connection:
        await connection.set_read_only(True)
        yield ok("database", f"{name} answers")
        if await database.is_new(connection):
            yield warning("tables", "there are none yet: start `keepsake serve`, which makes them")
            return
        for subject, check in checks.items():
            for finding in await _checked(subject, check, connection, settings):
                yield finding


async def _checked(
    subject: str, check: Check, connection: AsyncConnection[DictRow], settings: AgentSettings
) -> list[Finding]:
    try:
        async with connection.transaction():
            await connection.execute("SELECT set_config('statement_timeout', %s, true)", (f"{CHECK_SECONDS}s",))
            return await check(connection, settings)
    except psycopg.errors.QueryCanceled:
        return [warning(subject, f"could not be looked at within {CHECK_SECONDS} seconds")]
    except psycopg.Error as error:
        return [problem(subject, f"could not be looked at: {_first_line(error)}")]


def _first_line(error: psycopg.Error) -> str:
    return str(error).partition("\n")[0]
