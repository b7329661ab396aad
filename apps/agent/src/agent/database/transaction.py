"""A transaction in one go: its statements are sent without waiting for one another's answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow


@asynccontextmanager
async def pipelined_transaction(connection: AsyncConnection[DictRow]) -> AsyncIterator[None]:
    """Open a transaction; it is committed at the end of the block, and rolled back by what is raised in it.

    As in psycopg's own, `psycopg.Rollback` goes no further.

    A statement whose rows are not fetched may fail as late as at the end.

    psycopg's own `transaction()` waits for the answer to BEGIN, and again before COMMIT: two of the four waits of a
    transaction of one statement.
    """
    if not connection.autocommit:
        async with connection.pipeline(), connection.transaction():
            yield
        return
    try:
        async with connection.pipeline():
            await connection.execute("BEGIN")
            yield
            await connection.execute("COMMIT")
    except psycopg.Rollback:
        await connection.rollback()
    except BaseException:
        with suppress(psycopg.Error):  # of a connection that is gone; the pool finds that out
            await connection.rollback()
        raise
