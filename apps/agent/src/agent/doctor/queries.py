"""The statements of the checks."""

from collections.abc import Mapping
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database.statements import Statements


class SQL(Statements, file="checks.sql"):
    """Statements of `checks.sql`."""

    server_version: LiteralString
    table_exists: LiteralString
    applied_migrations: LiteralString
    invalid_indexes: LiteralString
    table_sizes: LiteralString
    row_security_policies: LiteralString
    unprotected_tables: LiteralString
    role_privileges: LiteralString
    embedder_state: LiteralString
    unused_vector_indexes: LiteralString
    missing_vectors: LiteralString
    missing_words: LiteralString
    buffer_sizes: LiteralString
    formation_counts: LiteralString


async def fetch_all(
    connection: AsyncConnection[DictRow], statement: LiteralString, parameters: Mapping[str, Any] | None = None
) -> list[DictRow]:
    """Run a statement and return its rows."""
    return await (await connection.execute(statement, parameters)).fetchall()
