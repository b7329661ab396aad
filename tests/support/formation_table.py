"""When inboxes are due, seen and changed from outside: straight in the database."""

from typing import Any

import psycopg
from psycopg.rows import dict_row


def run_sql(database: str, statement: str) -> list[dict[str, Any]]:
    """Run a statement, and return its rows as dictionaries, if it has any."""
    with psycopg.connect(database, autocommit=True, row_factory=dict_row) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def seconds_until_due(database: str) -> float:
    """Return in how many seconds the only user with a row is due."""
    [row] = run_sql(database, "SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM formation")
    return float(row["seconds"])


def make_all_due(database: str) -> None:
    """Let the time pass until everybody is due, and wake the workers."""
    run_sql(database, "UPDATE formation SET due_at = now() WHERE due_at IS NOT NULL; NOTIFY keepsake_formation")
