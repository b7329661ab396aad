"""Scrubbing: removes deleted data from the files of the Postgres server.

Postgres keeps deleted data in pages that are not overwritten yet, in the planner's statistics, and in the write-ahead
log. Copies outside the server (backups, replicas, an archive of the log) are not affected.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.database.pools import CONNECTION
from agent.database.row_security import ROW_CONDITIONS
from agent.database.statements import Statements
from agent.errors import SetupError
from agent.store.schema import STORE_ROW_CONDITIONS


class SQL(Statements, file="scrub.sql"):
    """Statements of `scrub.sql`."""

    current_transaction: LiteralString
    no_older_snapshot: LiteralString
    tables: LiteralString
    delete_statistics: LiteralString
    rewrite_statistics: LiteralString
    analyze: LiteralString
    disable_recycling: LiteralString
    reset_recycling: LiteralString
    reload_configuration: LiteralString
    recycling_is_disabled: LiteralString
    log_segments: LiteralString
    switch_segment: LiteralString
    checkpoint: LiteralString


MAX_WAIT_SECONDS = 60.0
POLL_SECONDS = 0.1


async def scrub(uri: str) -> None:
    """Rewrite the tables and the write-ahead log, so that no file contains deleted data. Locks one table at a time.

    Args:
        uri: a database with Keepsake's tables or the store's; its user should be a superuser.

    Raises:
        SetupError: part of the data could not be removed; the message says what to do.
    """
    async with await AsyncConnection.connect(uri, **CONNECTION) as connection:
        await _wait_for_older_transactions(connection)
        for row in await _execute(connection, SQL.tables, {"tables": [*ROW_CONDITIONS, *STORE_ROW_CONDITIONS]}):
            # Rewrites indexes and the TOAST table, too.
            await connection.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier(row["name"])))
        try:
            for statement in (SQL.delete_statistics, SQL.rewrite_statistics, SQL.analyze):
                await _execute(connection, statement)
            await _replace_log(connection)
        except psycopg.errors.InsufficientPrivilege as error:
            raise SetupError(
                "the rows are deleted and their tables rewritten, but the planner's statistics and the write-ahead log "
                "may still contain deleted text: run this again as a superuser of the database"
            ) from error


async def _wait_for_older_transactions(connection: AsyncConnection[DictRow]) -> None:
    [transaction] = await _execute(connection, SQL.current_transaction)
    try:
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            await _poll(connection, SQL.no_older_snapshot, transaction)
    except TimeoutError as error:
        raise SetupError(
            "the rows are deleted, but a long transaction keeps them on the disk: end it, and run this again"
        ) from error


async def _replace_log(connection: AsyncConnection[DictRow]) -> None:
    """Switch to a new log segment as often as there are segments, so that the server deletes all of them."""
    await _execute(connection, SQL.disable_recycling)
    await _execute(connection, SQL.reload_configuration)
    try:
        await _poll(connection, SQL.recycling_is_disabled)
        before = await _execute(connection, SQL.log_segments)
        for _ in before:
            await _execute(connection, SQL.switch_segment)
        await _execute(connection, SQL.checkpoint)
        after = await _execute(connection, SQL.log_segments)
    finally:
        await _execute(connection, SQL.reset_recycling)
        await _execute(connection, SQL.reload_configuration)
    if remaining := [segment for segment in before if segment in after]:
        raise SetupError(
            f"the rows are deleted and their tables rewritten, but {len(remaining)} segments of the write-ahead log "
            "may still contain deleted text: they are kept for a replica, an archive or wal_keep_size"
        )


async def _poll(
    connection: AsyncConnection[DictRow], statement: LiteralString, parameters: Mapping[str, Any] | None = None
) -> None:
    """Repeat a statement until it returns a row."""
    while True:
        if await _execute(connection, statement, parameters):
            return
        await asyncio.sleep(POLL_SECONDS)


async def _execute(
    connection: AsyncConnection[DictRow], statement: LiteralString, parameters: Mapping[str, Any] | None = None
) -> list[DictRow]:
    cursor = await connection.execute(statement, parameters)
    return await cursor.fetchall() if cursor.description else []
