"""The health of the database: it answers, and its disk is not full."""

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString

from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import StoreUnavailableError


class SQL(Statements, file="health.sql"):
    """Statements of `health.sql`."""

    limit_memory: LiteralString
    write_probe: LiteralString


CHECK_SECONDS = 2.0
MIN_FREE_BYTES = 32 << 20
"""Two segments of the write-ahead log: if Postgres cannot create the next one, it stops."""


@dataclass(frozen=True, slots=True)
class DatabaseHealth:
    """Checks the database, as often as a load balancer asks."""

    database: ScopedPool
    folder: Path | None
    """The data of the embedded Postgres; None for another one, of whose disk only the last megabyte is checked."""

    async def check(self) -> None:
        """Check that the database answers and can write, within `CHECK_SECONDS`.

        Raises:
            StoreUnavailableError: it does not or cannot; the message says which.
        """
        try:
            async with asyncio.timeout(CHECK_SECONDS), self.database.unscoped() as connection:
                await connection.execute(SQL.limit_memory)
                await connection.execute(SQL.write_probe)
        except TimeoutError as error:
            raise StoreUnavailableError("the database did not answer") from error
        if self.folder is not None and shutil.disk_usage(self.folder).free < MIN_FREE_BYTES:
            raise StoreUnavailableError("the disk of the database is full")
