"""The inbox sweep: schedules users whose inbox is not empty, but who have no row in the formation queue.

A message schedules its user in its own transaction, and a failed drain stays scheduled. The sweep therefore finds only
items that were added in another way, such as a restored backup or a store that is older than its database.
"""

import logging
from dataclasses import dataclass
from typing import LiteralString

from langgraph.store.base import BaseStore

from agent.background import run_every
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.memory.records import inbox
from agent.types import UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="sweep.sql"):
    """Statements of `sweep.sql`."""

    unscheduled_users: LiteralString
    schedule_users: LiteralString


SWEEP_SECONDS = 3_600.0
PAGE_SIZE = 1_000


@dataclass(frozen=True, slots=True)
class InboxSweep:
    """Checks the inboxes of all users without a row in the queue.

    The store is queried by user id, one page of users at a time, because it may be outside the database.
    """

    store: BaseStore
    database: ScopedPool

    async def run(self) -> None:
        """Sweep now and every hour, until cancelled."""
        await run_every(SWEEP_SECONDS, self.sweep, name="the inbox sweep")

    async def sweep(self) -> int:
        """Schedule all users with unprocessed messages who are not in the queue, and return their number."""
        count, parameters = 0, {"after": "", "limit": PAGE_SIZE}
        while page := await self.database.fetch_all_unscoped(SQL.unscheduled_users, parameters):
            users = {UserId(row["id"]) for row in page if row["missing_from_inbox"]}
            users |= await inbox.users_with_items(self.store, [UserId(row["id"]) for row in page])
            if users:
                await self.database.execute_unscoped(SQL.schedule_users, {"users": sorted(users)})
            count += len(users)
            parameters["after"] = page[-1]["id"]
        if count:
            logger.warning("scheduled %d users whose inbox was not in the formation queue", count)
        return count
