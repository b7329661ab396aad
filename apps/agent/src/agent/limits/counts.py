"""Limits on the number of running runs and of threads.

The caller's transaction adds the run or the thread, and rolls back if there are too many then. It must hold the lock of
the user's meters (see `Usage.add`), so that concurrent transactions count each other's rows.
"""

from typing import LiteralString

from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow

from agent.database.statements import Statements
from agent.errors import TooManyRunsError, TooManyThreadsError
from agent.limits.quotas import Limits
from agent.types import UserId


class SQL(Statements, file="counts.sql"):
    """Statements of `counts.sql`."""

    count: LiteralString


RETRY_RUN_SECONDS = 2.0


async def count_rows(
    connection: AsyncConnection[DictRow], user: UserId, *, count_threads: bool
) -> AsyncCursor[DictRow]:
    """Count the user's running runs and, if asked for, the threads; see `check_counts`."""
    return await connection.execute(SQL.count, {"user": user, "count_threads": count_threads})


def check_counts(limits: Limits, counts: DictRow | None) -> None:
    """Check the result of `count_rows`.

    Raises:
        TooManyRunsError: the user has more runs than allowed.
        TooManyThreadsError: the user has more threads than allowed.
    """
    if counts is None:
        return
    if limits.runs and counts["runs"] > limits.runs:
        raise too_many_runs(limits.runs)
    if limits.threads and (counts["threads"] or 0) > limits.threads:
        raise TooManyThreadsError(f"the limit is {limits.threads:,} threads; delete some of them")


async def check_room(
    connection: AsyncConnection[DictRow], limits: Limits, user: UserId, *, is_new_thread: bool
) -> None:
    """Check that the user may start a run, and add its thread if that is new; for the errors, see `check_counts`."""
    counts = await (await count_rows(connection, user, count_threads=is_new_thread and limits.threads > 0)).fetchone()
    if counts is not None:
        threads = None if counts["threads"] is None else counts["threads"] + 1
        check_counts(limits, {"runs": counts["runs"] + 1, "threads": threads})


def too_many_runs(limit: int) -> TooManyRunsError:
    """The error for a message that would start one run too many."""
    return TooManyRunsError(f"the limit is {limit:,} at once", retry_after_seconds=RETRY_RUN_SECONDS)
