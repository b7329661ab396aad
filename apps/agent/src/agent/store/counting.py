"""Counting the items of namespaces, and finding those that have any."""

from collections.abc import Sequence
from typing import LiteralString

from agent.database.statements import Statements
from agent.store.postgres import ExactPostgresStore


class SQL(Statements, file="counting.sql"):
    """Statements of `counting.sql`."""

    count_items: LiteralString
    non_empty: LiteralString
    count_below: LiteralString


async def count_items(store: ExactPostgresStore, owner: tuple[str, ...], namespaces: Sequence[tuple[str, ...]]) -> int:
    """Count the items in namespaces of one owner."""
    async with store.transaction(".".join(owner)) as cursor:
        await cursor.execute(SQL.count_items, {"prefixes": [".".join(namespace) for namespace in namespaces]})
        row = await cursor.fetchone()
    return int(row["items"]) if row else 0


async def filter_nonempty(store: ExactPostgresStore, namespaces: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Select the namespaces that contain an item; of any owner, without row-level security."""
    prefixes = [".".join(namespace) for namespace in namespaces]
    async with store.unscoped_connection() as connection:
        cursor = await connection.execute(SQL.non_empty, {"prefixes": prefixes})
        return [tuple(row["prefix"].split(".")) for row in await cursor.fetchall()]


async def count_below(store: ExactPostgresStore, owner: tuple[str, ...], prefix: tuple[str, ...]) -> int:
    """Count the items of one owner in a namespace and in those below it."""
    async with store.transaction(".".join(owner)) as cursor:
        await cursor.execute(SQL.count_below, {"prefix": ".".join(prefix)})
        row = await cursor.fetchone()
    return int(row["items"]) if row else 0
