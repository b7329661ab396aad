"""Check of the formation queue."""

from collections.abc import AsyncIterator

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.doctor.finding import Finding, ok, problem, warning
from agent.doctor.queries import SQL, fetch_all
from agent.settings import AgentSettings

OVERDUE_MINUTES = 5


async def formation(connection: AsyncConnection[DictRow], settings: AgentSettings) -> AsyncIterator[Finding]:
    """Count users whose inbox is pending, overdue or failing."""
    [row] = await fetch_all(connection, SQL.formation_counts, {"overdue_minutes": OVERDUE_MINUTES})
    if row["failed"]:
        yield problem(
            f"the inbox of {row['failed']} users could not be processed ({row['last_error']}): the messages are kept "
            "and retried; see the worker's log and fix the problems in this list"
        )
    if row["set_aside"]:
        yield problem(
            f"{row['set_aside']} batches of {row['set_aside_users']} users were set aside after the last retry "
            f"({row['last_error']}): they are retried with the user's next message, or by POST /memories/flush"
        )
    if row["overdue"] and settings.enable_fact_extraction:
        yield warning(
            f"{row['overdue']} users have been due for over {OVERDUE_MINUTES} minutes: check that "
            "`keepsake serve` runs or, with KEEPSAKE_WORKER=false, `keepsake worker`"
        )
    if not settings.enable_fact_extraction:
        yield ok(f"is off (ENABLE_FACT_EXTRACTION=false); {row['pending']} users are pending")
    yield ok(f"{row['pending']} users are pending, none is overdue")
