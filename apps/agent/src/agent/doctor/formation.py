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
    pending = _count(row["pending"], "user")
    if row["failed"]:
        yield problem(
            f"the inbox of {_count(row['failed'], 'user')} could not be processed ({row['last_error']}): the messages "
            "are kept and retried; see the worker's log and fix the problems in this list"
        )
    if row["set_aside"]:
        batches, users = _count(row["set_aside"], "batch", "batches"), _count(row["set_aside_users"], "user")
        yield problem(
            f"{batches} of {users} set aside after the last retry ({row['last_error']}): retried with the user's next "
            "message, or by POST /memories/flush"
        )
    if row["overdue"] and settings.enable_fact_extraction:
        yield warning(
            f"{_count(row['overdue'], 'user')} overdue for more than {OVERDUE_MINUTES} minutes: check that "
            "`keepsake serve` runs or, with KEEPSAKE_WORKER=false, `keepsake worker`"
        )
    if not settings.enable_fact_extraction:
        yield ok(f"is off (ENABLE_FACT_EXTRACTION=false); {pending} pending")
    yield ok(f"{pending} pending, none overdue")


def _count(number: int, one: str, several: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"
