"""The check of formation: what users said and what has not become of it."""

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.doctor.database import SQL
from agent.doctor.finding import Finding, ok, problem, warning
from agent.settings import AgentSettings

OVERDUE_MINUTES = 5


async def formation(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Count the users whose inboxes wait to be distilled, wait for too long, or could not be."""
    [row] = await (await connection.execute(SQL.formation, {"overdue_minutes": OVERDUE_MINUTES})).fetchall()
    found = []
    if row["failed"]:
        found.append(
            problem(
                "formation",
                f"what {row['failed']} users said could not be distilled ({row['last_error']}): it is kept, and tried "
                "again; see the worker's log, and mend what this list shows",
            )
        )
    if row["set_aside"]:
        found.append(
            problem(
                "formation",
                f"{row['set_aside']} batches of what {row['set_aside_users']} users said failed for the last time "
                f"({row['last_error']}): they are set aside, and tried again with the user's next message, or by "
                "POST /memories/flush",
            )
        )
    if row["overdue"] and settings.enable_fact_extraction:
        found.append(
            warning(
                "formation",
                f"{row['overdue']} users wait for over {OVERDUE_MINUTES} minutes: does `keepsake serve` run, or, with "
                "KEEPSAKE_WORKER=false, `keepsake worker`?",
            )
        )
    if not settings.enable_fact_extraction:
        found.append(ok("formation", f"is off (ENABLE_FACT_EXTRACTION=false); {row['waiting']} users wait"))
    return found or [ok("formation", f"{row['waiting']} users wait for theirs, nobody for too long")]
