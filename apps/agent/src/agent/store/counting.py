"""Counting the items of namespaces."""

from collections.abc import Sequence
from typing import LiteralString

from agent.database.statements import Statements
from agent.store.postgres import ExactPostgresStore


class SQL(Statements, file="counting.sql"):
    """Statements of `counting.sql`."""

    count_items: LiteralString


async def count_items(store: ExactPostgresStore, owner: tuple[str, ...], namespaces: Sequence[tuple[str, ...]]) -> int:
    """Count the items in namespaces of one owner."""
    async with store._transaction(".".join(owner)) as cursor:
        await cursor.execute(SQL.count_items, {"prefixes": [".".join(namespace) for namespace in namespaces]})
        row = await cursor.fetchone()
    return int(row["items"]) if row else 0
