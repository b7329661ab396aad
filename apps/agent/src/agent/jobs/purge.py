"""The purge: a background job that deletes permanently what users have had forgotten in a chat a day ago.

The column `users.purge_at` is the time when a user is due; while a process works on the user, it is the end of its
lease. Any number of processes may run the job.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import LiteralString

from langgraph.store.base import BaseStore

from agent.background import run_every
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import AgentError
from agent.memory.editing import withdrawal
from agent.memory.editing.withdrawal import UNDO_PERIOD, Purge
from agent.memory.records.changes import Change, commit_change
from agent.types import UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="purge.sql"):
    """Statements of `purge.sql`."""

    schedule: LiteralString
    claim_next: LiteralString
    finish: LiteralString
    delete_recalled: LiteralString
    delete_standing: LiteralString


PERIOD_SECONDS = 600.0
LEASE_SECONDS = 600.0
"""Also the delay before the next attempt for a user whose purge failed."""


@dataclass(frozen=True, slots=True)
class ForgottenPurge:
    """Purges all users, one after the other."""

    store: BaseStore
    database: ScopedPool

    async def run(self) -> None:
        """Purge the users who are due, now and every `PERIOD_SECONDS`, until cancelled."""
        await run_every(PERIOD_SECONDS, self.purge_due, name="the purge of forgotten memories")

    async def schedule_purge(self, user: UserId) -> None:
        """Make the user due once the undo period of a change that is about to be committed is over."""
        await self.database.execute(user, SQL.schedule, {"user": user, "seconds": UNDO_PERIOD.total_seconds()})

    async def purge_due(self) -> None:
        """Purge every user who is due; after a failure, the user is due again at the end of the lease."""
        while rows := await self.database.fetch_all_unscoped(SQL.claim_next, {"lease_seconds": LEASE_SECONDS}):
            user, leased_until = UserId(rows[0]["id"]), rows[0]["purge_at"]
            try:
                next_at = await self._purge(user)
            except AgentError as error:
                logger.warning("purging what a user has forgotten failed; retrying after the lease", exc_info=error)
            else:
                parameters = {"user": user, "leased_until": leased_until, "at": next_at}
                await self.database.execute(user, SQL.finish, parameters)

    async def _purge(self, user: UserId) -> datetime | None:
        """Purge what was forgotten before the undo period; return the time of the next purge, if any."""

        async def plan() -> Change[Purge]:
            change = await withdrawal.purge(self.store, user, datetime.now(UTC))
            # Before the commit: if the process is killed in between, the next purge finds the memories again.
            if ids := sorted(change.result.ids):
                await self.database.execute(user, SQL.delete_recalled, {"user": user, "memories": ids})
                await self.database.execute(user, SQL.delete_standing, {"user": user})
            return change

        return (await commit_change(self.store, plan)).next_at
