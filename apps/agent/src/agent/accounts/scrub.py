"""Scrubbing: what is deleted off the disk, too.

Postgres leaves what is deleted where it was: in pages that are not yet written over, in the samples of its planner, and
in the log. What leaves the server (backups, replicas, an archive of the log) is out of reach from here.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.database.pools import CONNECTION
from agent.database.row_security import TABLES
from agent.database.statements import Statements
from agent.errors import SetupError
from agent.store.schema import STORE_TABLES


class SQL(Statements, file="scrub.sql"):
    """Statements of `scrub.sql`."""

    mark: LiteralString
    nobody_older: LiteralString
    tables: LiteralString
    rewrite: LiteralString
    forget_statistics: LiteralString
    rewrite_statistics: LiteralString
    analyze: LiteralString
    keep_no_log: LiteralString
    keep_log: LiteralString
    reload: LiteralString
    keeps_no_log: LiteralString
    segments: LiteralString
    next_segment: LiteralString
    checkpoint: LiteralString


WAIT_SECONDS = 60.0
ASK_AGAIN_SECONDS = 0.1


async def scrub(uri: str) -> None:
    """Rewrite tables and log, so that no file of the server holds what was deleted; whoever uses them waits meanwhile.

    Args:
        uri: of a database that has some of our tables, or of the store's; its user should be a superuser.

    Raises:
        SetupError: something is in the way; the message says what is done, and what to do about the rest.
    """
    async with await AsyncConnection.connect(uri, **CONNECTION) as connection:
        await _wait_for_others(connection)
        for row in await _run(connection, SQL.tables, {"tables": [*TABLES, *STORE_TABLES]}):
            await connection.execute(sql.SQL(SQL.rewrite).format(table=sql.Identifier(row["name"])))
        try:
            for statement in (SQL.forget_statistics, SQL.rewrite_statistics, SQL.analyze, SQL.keep_no_log, SQL.reload):
                await _run(connection, statement)
            try:
                await _renew_log(connection)
            finally:
                await _run(connection, SQL.keep_log)
                await _run(connection, SQL.reload)
        except psycopg.errors.InsufficientPrivilege as error:
            raise SetupError(
                "the rows are deleted and their tables rewritten, but the planner's statistics and the write-ahead log "
                "may still hold their words: to renew these too, run this again as a superuser of the database"
            ) from error


async def _wait_for_others(connection: AsyncConnection[DictRow]) -> None:
    """Wait until nobody can see any more what was deleted."""
    [mark] = await _run(connection, SQL.mark)
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            await _until(connection, SQL.nobody_older, mark)
    except TimeoutError as error:
        raise SetupError(
            "the rows are deleted, but somebody's long transaction keeps them on the disk: end it, and run this again"
        ) from error


async def _renew_log(connection: AsyncConnection[DictRow]) -> None:
    """Go on to a new segment of the log as often as there are any; then none of them is needed."""
    await _until(connection, SQL.keeps_no_log)
    before = await _run(connection, SQL.segments)
    for _ in before:
        await _run(connection, SQL.next_segment)
    await _run(connection, SQL.checkpoint)
    after = await _run(connection, SQL.segments)
    if kept := [segment for segment in before if segment in after]:
        raise SetupError(
            f"the rows are deleted and their tables rewritten, but {len(kept)} segments of the write-ahead log may "
            "still hold their words: they are kept for a replica, an archive or wal_keep_size"
        )


async def _until(
    connection: AsyncConnection[DictRow], statement: LiteralString, parameters: Mapping[str, Any] | None = None
) -> None:
    """Ask again and again until there is a row."""
    while True:
        if await _run(connection, statement, parameters):
            return
        await asyncio.sleep(ASK_AGAIN_SECONDS)


async def _run(
    connection: AsyncConnection[DictRow], statement: LiteralString, parameters: Mapping[str, Any] | None = None
) -> list[DictRow]:
    cursor = await connection.execute(statement, parameters)
    return await cursor.fetchall() if cursor.description else []
