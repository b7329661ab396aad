"""Packing: makes the index that searches read anew when a good part of it is empty.

Users write in turns, and a page that is full is split where one of them writes: what they wrote before then fills
half a page, and nobody ever writes there again. So a search would read half as many pages again as it has to.
"""

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

    leftovers: LiteralString
    looseness: LiteralString


PACK: LiteralString = "REINDEX INDEX CONCURRENTLY store_vectors_together"
PERIOD_SECONDS = 3_600.0
LOOSE = 1.25
"""How many times as large as it has to be the index may become."""
LEAST_BYTES = 8 * 2**20
MOST_BYTES = 2 * 2**30
"""A larger one takes minutes, and is left to whoever runs the database: `keepsake doctor` tells."""


@dataclass(frozen=True, slots=True)
class IndexBloat:
    """How large the index is, and about how large it would be packed."""

    bytes: int
    packed_bytes: int

    @property
    def is_bloated(self) -> bool:
        """Tell whether it is worth while to pack it."""
        return self.bytes > LOOSE * self.packed_bytes


@dataclass(frozen=True, slots=True)
class IndexRebuild:
    """Packs the index of a database when it has become loose; searches and writes go on meanwhile.

    Raises:
        StoreUnavailableError: from `pack`, when the database does not answer.
    """

    uri: str
    least_bytes: int = LEAST_BYTES
    most_bytes: int = MOST_BYTES

    async def run(self) -> None:
        """Pack it now, and every hour, when it has to be, until cancelled."""
        await run_every(PERIOD_SECONDS, self.rebuild_if_bloated, name="packing the index of memories")

    async def rebuild_if_bloated(self) -> bool:
        """Pack it, should it be loose; return whether it was."""
        with translated_errors():
            async with await AsyncConnection.connect(self.uri, **CONNECTION) as connection:
                for row in await (await connection.execute(SQL.leftovers)).fetchall():
                    drop = sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}")
                    await connection.execute(drop.format(sql.Identifier(row["name"])))
                found = await measure_bloat(connection)
                if found is None or not (found.is_bloated and self.least_bytes <= found.bytes <= self.most_bytes):
                    return False
                await connection.execute(PACK)
                return True


async def measure_bloat(connection: AsyncConnection[DictRow]) -> IndexBloat | None:
    """Return how loose the index is; None where there is none, where that is not known, and while it is made."""
    row = await (await connection.execute(SQL.looseness)).fetchone()
    return None if row is None else IndexBloat(**row)
