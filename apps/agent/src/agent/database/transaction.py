"""Transactions in pipeline mode."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.opentelemetry import traced


@asynccontextmanager
async def pipelined_transaction(connection: AsyncConnection[DictRow]) -> AsyncIterator[None]:
    """Open a transaction whose statements are sent without waiting for the results of earlier ones.

    psycopg's `transaction()` waits for the results of BEGIN and, before COMMIT, of the last statement: two of the four
    round trips of a transaction with one statement. As there, `psycopg.Rollback` ends the block silently. A statement
    whose rows are not fetched may raise its error as late as at the end of the block.
    """
    if not connection.autocommit:
        async with connection.pipeline(), connection.transaction():
            yield
        return
    with traced("transaction", {"db.system.name": "postgresql"}):
        try:
            async with connection.pipeline():
                await connection.execute("BEGIN")
                yield
                await connection.execute("COMMIT")
        except psycopg.Rollback:
            await connection.rollback()
        except BaseException:
            with suppress(psycopg.Error):  # if the connection is closed; the pool replaces it
                await connection.rollback()
            raise


@asynccontextmanager
async def implicit_transaction(connection: AsyncConnection[DictRow]) -> AsyncIterator[None]:
    """Open a transaction without BEGIN and COMMIT: Postgres ends it where the pipeline ends.

    If rows are fetched after the block, it takes one round trip. If the block raises an error, what was executed before
    may take effect; therefore, it must contain only reads, or one statement that writes.

    A Sync inside the block ends the transaction and the scope of the user, so the block must contain neither
    `executemany` nor another pipeline.

    References:
        PostgreSQL, Message Flow, section Pipelining: https://www.postgresql.org/docs/current/protocol-flow.html
    """
    if not connection.autocommit:
        async with connection.pipeline(), connection.transaction():
            yield
        return
    with traced("transaction", {"db.system.name": "postgresql"}):
        async with connection.pipeline():
            yield
