"""Hash partitions of the store's tables, by namespace.

    store         ──PARTITION BY HASH (prefix)──▶ store_p0, store_p1, …
    store_vectors ──PARTITION BY HASH (prefix)──▶ store_vectors_p0, store_vectors_p1, …

Statements use the partitioned tables, whose policies apply to all partitions. Users' transactions have no privileges on
partitions; should one be granted, row-level security without a policy hides all rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.database.statements import Statements


class SQL(Statements, file="partitions.sql"):
    """Statements of `partitions.sql`."""

    counts: LiteralString
    definition: LiteralString
    misnamed_indexes: LiteralString
    limits: LiteralString
    conversion_started: LiteralString


TABLES: tuple[LiteralString, ...] = ("store", "store_vectors")
"""The partitioned tables; a table that is referenced comes before the one that refers to it."""

_CREATE: LiteralString = "CREATE TABLE {table} (LIKE {old} INCLUDING ALL EXCLUDING INDEXES)"
_CREATE_PARTITION: LiteralString = """
CREATE TABLE {partition} PARTITION OF {table} FOR VALUES WITH (MODULUS {modulus}, REMAINDER {remainder});
ALTER TABLE {partition} ENABLE ROW LEVEL SECURITY
"""


@dataclass(frozen=True, slots=True)
class _Definition:
    """A table before its replacement."""

    table: str
    columns: Sequence[str]
    """Those to copy."""
    partitions: Sequence[str]
    statements: Sequence[str]
    """Create its keys, indexes and triggers."""

    @property
    def old(self) -> sql.Identifier:
        """The name under which the table is read while its replacement is filled."""
        return sql.Identifier(f"{self.table}_old")


async def partition_counts(
    connection: AsyncConnection[DictRow], tables: Sequence[LiteralString] = TABLES
) -> dict[str, int]:
    """The numbers of partitions of the tables that exist; 0: not partitioned."""
    rows = await (await connection.execute(SQL.counts, {"tables": list(tables)})).fetchall()
    return {row["name"]: row["partitions"] for row in rows}


async def partition_names(connection: AsyncConnection[DictRow]) -> list[str]:
    """The tables with the rows: the partitions, or the tables if they have none. Autovacuum analyses only these."""
    counts = await partition_counts(connection)
    return [name for table, count in counts.items() for name in _names(table, count) or [table]]


async def partition_tables(
    connection: AsyncConnection[DictRow], tables: Sequence[str], partitions: int
) -> dict[str, int]:
    """Replace tables by ones with the same definition and rows and another number of partitions; 0: not partitioned.

    The connection is in a transaction of the tables' owner. Policies, privileges and storage parameters are not copied.

    Returns:
        The number of rows of each table.
    """
    definitions = [await _definition(connection, table) for table in tables]
    for definition in definitions:
        await _set_aside(connection, definition)
    rows = {definition.table: await _copy(connection, definition, partitions) for definition in definitions}
    for definition in reversed(definitions):
        await connection.execute(sql.SQL("DROP TABLE {}").format(definition.old))
    for definition in definitions:
        for statement in definition.statements:
            await connection.execute(statement.encode())
        await _name_indexes(connection, definition.table)
    return rows


async def _definition(connection: AsyncConnection[DictRow], table: str) -> _Definition:
    [row] = await (await connection.execute(SQL.definition, {"table": table})).fetchall()
    return _Definition(table, row["columns"], row["partitions"], row["statements"])


async def _set_aside(connection: AsyncConnection[DictRow], definition: _Definition) -> None:
    rename = sql.SQL("ALTER TABLE {} RENAME TO {}")
    for name in (definition.table, *definition.partitions):
        await connection.execute(rename.format(sql.Identifier(name), sql.Identifier(f"{name}_old")))


async def _copy(connection: AsyncConnection[DictRow], definition: _Definition, partitions: int) -> int:
    table = sql.Identifier(definition.table)
    create = sql.SQL(_CREATE).format(table=table, old=definition.old)
    await connection.execute(create + sql.SQL(" PARTITION BY HASH (prefix)") if partitions else create)
    for number, name in enumerate(_names(definition.table, partitions)):
        numbers = {"modulus": sql.Literal(partitions), "remainder": sql.Literal(number)}
        partition = sql.SQL(_CREATE_PARTITION).format(partition=sql.Identifier(name), table=table, **numbers)
        await connection.execute(partition)
    columns = sql.SQL(", ").join(map(sql.Identifier, definition.columns))
    insert = sql.SQL("INSERT INTO {table} ({columns}) SELECT {columns} FROM {old}")
    return (await connection.execute(insert.format(table=table, columns=columns, old=definition.old))).rowcount


async def _name_indexes(connection: AsyncConnection[DictRow], table: str) -> None:
    rename = sql.SQL("ALTER INDEX {} RENAME TO {}")
    for row in await (await connection.execute(SQL.misnamed_indexes, {"table": table})).fetchall():
        await connection.execute(rename.format(sql.Identifier(row["name"]), sql.Identifier(row["new_name"])))


def _names(table: str, partitions: int) -> list[str]:
    return [f"{table}_p{number}" for number in range(partitions)]
