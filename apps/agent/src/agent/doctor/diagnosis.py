"""`keepsake doctor`: check databases, formation, models and the agent server without changing anything."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace

import httpx2
import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database import open_database
from agent.database.errors import connection_fault
from agent.database.pools import CONNECTION
from agent.database.row_security import ROW_CONDITIONS
from agent.doctor import database, models, row_security, vectors
from agent.doctor.agent_server import agent_server
from agent.doctor.finding import Check, Finding, ok, problem, warning
from agent.doctor.formation import formation
from agent.errors import SetupError
from agent.settings import AgentSettings
from agent.store.factory import settings_of_vectors
from agent.store.schema import STORE_ROW_CONDITIONS

CHECK_SECONDS = 30

COMMON_CHECKS: Mapping[str, Check] = {
    "Postgres": database.server,
    "indexes": database.invalid_indexes,
    "role": row_security.role,
    "disk": database.sizes,
}
MAIN_CHECKS: Mapping[str, Check] = {"tables": database.own_tables, "embedder": vectors.embedder, "formation": formation}
STORE_CHECKS: Mapping[str, Check] = {
    "pgvector": database.pgvector,
    "store": database.store_tables,
    "partitions": database.partitions,
    "vectors": vectors.vectors,
    "recall": vectors.completeness,
    "memory": vectors.buffers,
    "packing": vectors.packing,
}


async def diagnose(settings: AgentSettings) -> AsyncIterator[Finding]:
    """Check databases, row-level security, formation, models and the agent server; Keepsake may be running."""
    async for finding in _check_databases(settings):
        yield finding
    if settings.store_type != "postgres":
        yield ok(f"memories are in a store of type {settings.store_type}, which is not checked", "store")
    if settings.agent_url:
        for finding in await agent_server(settings):
            yield replace(finding, subject="agent server")
    # httpx instead of aiohttp: over aiohttp, OpenAI's client reports a refused connection as a timeout.
    async with httpx2.AsyncClient(follow_redirects=True) as http:
        for subject, check in (("chat model", models.chat), ("embedding model", models.embeddings)):
            for finding in await check(settings, http):
                yield replace(finding, subject=subject)


async def _check_databases(settings: AgentSettings) -> AsyncIterator[Finding]:
    directory = settings.data_dir / "postgres"
    if settings.database_url is None and not (directory / "PG_VERSION").exists():
        yield warning(f"there is none yet in {directory}: start `keepsake serve`, which creates it", "database")
        return
    name = "DATABASE_URL" if settings.database_url else f"the embedded database in {directory}"
    store_dsn = settings.store_postgres_dsn if settings.store_type == "postgres" else None
    async with AsyncExitStack() as stack:
        try:
            uri = await stack.enter_async_context(open_database(settings))
        except SetupError as error:
            yield problem(str(error), "database")
            return
        stored = await _stored_settings(settings, uri)
        if stored is not settings:
            yield warning(
                f"the vectors are from MiniLM, which remains in use although {settings.embedder} is configured: run "
                "`keepsake reembed`, then restart Keepsake",
                "embedder",
            )
        checks, conditions = MAIN_CHECKS, ROW_CONDITIONS
        if settings.store_type == "postgres" and store_dsn is None:
            checks, conditions = {**MAIN_CHECKS, **STORE_CHECKS}, ROW_CONDITIONS | STORE_ROW_CONDITIONS
        async for finding in _check_database(name, uri, stored, checks, conditions):
            yield finding
    if store_dsn is not None:
        name, dsn = "LANGGRAPH_STORE_POSTGRES_DSN", store_dsn.get_secret_value()
        async for finding in _check_database(name, dsn, stored, STORE_CHECKS, STORE_ROW_CONDITIONS):
            yield finding


async def _stored_settings(settings: AgentSettings, uri: str) -> AgentSettings:
    try:
        return await settings_of_vectors(settings, uri)
    except SetupError:  # the check of the connection reports it
        return settings


async def _check_database(
    name: str, uri: str, settings: AgentSettings, checks: Mapping[str, Check], conditions: Mapping[str, str]
) -> AsyncIterator[Finding]:
    try:
        connection = await AsyncConnection[DictRow].connect(uri, **CONNECTION)
    except psycopg.Error as error:
        yield problem(f"cannot connect to {name}: {connection_fault(error)}", "database")
        return
    async with connection:
        await connection.set_read_only(True)
        yield ok(f"connected to {name}", "database")
        if await database.is_new(connection):
            yield warning("there are none yet: start `keepsake serve`, which creates them", "tables")
            return
        all_checks = {**COMMON_CHECKS, **checks, "row security": row_security.policies(conditions)}
        for subject, check in all_checks.items():
            for finding in await _run_check(check, connection, settings):
                yield replace(finding, subject=subject)


async def _run_check(check: Check, connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    try:
        async with connection.transaction():
            await connection.execute("SELECT set_config('statement_timeout', %s, true)", (f"{CHECK_SECONDS}s",))
            *findings, otherwise = [finding async for finding in check(connection, settings)]
            return findings or [otherwise]
    except psycopg.errors.QueryCanceled:
        return [warning(f"the check timed out after {CHECK_SECONDS} seconds")]
    except psycopg.Error as error:
        return [problem(f"the check failed: {_first_line(error)}")]


def _first_line(error: psycopg.Error) -> str:
    return str(error).partition("\n")[0]
