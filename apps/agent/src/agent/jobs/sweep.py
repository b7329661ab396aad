"""The sweep: finds what was said and nobody is about to distil, and makes it due.

A message makes its user due in its own transaction, and a failed drain stays due. So there is something to find only
where memories came by another way: from a backup, or from a store that outlived its database.
"""

import logging
from dataclasses import dataclass
from typing import LiteralString

from langgraph.store.base import BaseStore

from agent.background import run_every
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.memory.records import inbox
from agent.types import UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="sweep.sql"):
    """Statements of `sweep.sql`."""

    unscheduled: LiteralString
    schedule: LiteralString


SWEEP_SECONDS = 3_600.0
USERS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class InboxSweep:
    """Looks through all users who have nothing due.

    The store is asked about users by name, a thousand at a time: it may be any store, anywhere.
    """

    store: BaseStore
    database: ScopedPool

    async def run(self) -> None:
        """Sweep now, and from time to time, until cancelled."""
        await run_every(SWEEP_SECONDS, self.sweep, doing="the sweep")

    async def sweep(self) -> int:
        """Make everybody due who has something to be distilled and no row; return how many that are.

        Raises:
            StoreUnavailableError: the database does not answer.
        """
        count, after = 0, ""
        with translated_errors():
            while page := await self._unscheduled(after):
                found = {user for user, missed in page if missed}
                found |= await inbox.users_with_items(self.store, [user for user, _ in page])
                if found:
                    await self._schedule(found)
                count, after = count + len(found), page[-1][0]
        if count:
            logger.warning("the inboxes of %d users were forgotten, and are due now", count)
        return count

    async def _unscheduled(self, after: str) -> list[tuple[UserId, bool]]:
        """Return users without a row in the order of their ids, and whether a message of theirs was never noted."""
        async with self.database.unscoped() as connection:
            cursor = await connection.execute(SQL.unscheduled, {"after": after, "limit": USERS_AT_ONCE})
            return [(UserId(row["id"]), row["missed"]) for row in await cursor.fetchall()]

    async def _schedule(self, users: set[UserId]) -> None:
        async with self.database.unscoped() as connection:
            await connection.execute(SQL.schedule, {"users": sorted(users)})
