"""Rebuilding the covering index of the store when it is bloated; that of each partition, if there are partitions.

Users write in turns, and a full index page is split where one of them writes: the half with their older rows is never
filled again. Without a rebuild, a search would read half as many pages again as necessary.
"""

from collections.abc import Set
from dataclasses import dataclass
from typing import LiteralString

from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.background import run_every
from agent.database.errors import translated_errors
from agent.database.pools import CONNECTION
from agent.database.statements import Statements


class SQL(Statements, file="reindex.sql"):
    """Statements of `reindex.sql`."""

    abandoned_indexes: LiteralString
    bloat: LiteralString


PERIOD_SECONDS = 3_600.0
MAX_BLOAT = 1.25
MIN_BYTES = 8 * 2**20
MAX_BYTES = 2 * 2**30
"""A larger index takes minutes to rebuild; `keepsake doctor` reports it, and the operator decides."""


@dataclass(frozen=True, slots=True)
class IndexBloat:
    """The size of an index, and its estimated size after a rebuild."""

    name: str
    """Quoted where SQL requires it."""
    bytes: int
    packed_bytes: int

    @property
    def is_bloated(self) -> bool:
        """True if a rebuild is worthwhile."""
        return self.bytes > MAX_BLOAT * self.packed_bytes

    @property
    def rebuild(self) -> str:
        """The statement that rebuilds the index."""
        return f"REINDEX INDEX CONCURRENTLY {self.name}"


@dataclass(frozen=True, slots=True)
class IndexRebuild:
    """Rebuilds the covering index when it is bloated, without blocking searches and writes."""

    uri: str
    min_bytes: int = MIN_BYTES
    max_bytes: int = MAX_BYTES

    async def run(self) -> None:
        """Check the index now and every hour, until cancelled."""
        await run_every(PERIOD_SECONDS, self.rebuild_if_bloated, name="rebuilding the index of memories")

    async def rebuild_if_bloated(self) -> bool:
        """Rebuild each index that is bloated and of a suitable size; return True if one was rebuilt."""
        with translated_errors():
            async with await AsyncConnection.connect(self.uri, **CONNECTION) as connection:
                await _drop_abandoned_indexes(connection)
                rebuilt = set[str]()
                # Measured again after each, because another worker may have rebuilt the next one meanwhile.
                while due := [index for index in await measure_bloat(connection) if self._is_due(index, rebuilt)]:
                    await connection.execute(due[0].rebuild.encode())
                    rebuilt.add(due[0].name)
                return bool(rebuilt)

    def _is_due(self, index: IndexBloat, rebuilt: Set[str]) -> bool:
        return index.is_bloated and self.min_bytes <= index.bytes <= self.max_bytes and index.name not in rebuilt


async def measure_bloat(connection: AsyncConnection[DictRow]) -> list[IndexBloat]:
    """Estimate the bloat of each index; without those that have no statistics, or whose table has a rebuild running."""
    return [IndexBloat(**row) for row in await (await connection.execute(SQL.bloat)).fetchall()]


async def _drop_abandoned_indexes(connection: AsyncConnection[DictRow]) -> None:
    for row in await (await connection.execute(SQL.abandoned_indexes)).fetchall():
        drop = sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}")
        await connection.execute(drop.format(sql.Identifier(row["name"])))
