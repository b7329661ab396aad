"""Read and change the formation queue with plain SQL."""

from typing import Any

import psycopg
from psycopg.rows import dict_row


def run_sql(database: str, statement: str) -> list[dict[str, Any]]:
    """Run a statement and return its rows; an empty list if it returns none."""
    with psycopg.connect(database, autocommit=True, row_factory=dict_row) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def seconds_until_due(database: str) -> float:
    """Seconds until the only user in the queue is due."""
    [row] = run_sql(database, "SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM formation")
    return float(row["seconds"])


def make_all_due(database: str) -> None:
    """Make every scheduled user due now and wake the workers."""
    run_sql(database, "UPDATE formation SET due_at = now() WHERE due_at IS NOT NULL; NOTIFY keepsake_formation")
