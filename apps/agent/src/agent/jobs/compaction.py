"""History compaction: a background job that summarises the old episodes of each user who is due.

The column `users.compaction_due_at` is the time when the user is due; while a process works on the user, it is the end
of its lease. A user without new episodes is due once a month.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import LiteralString

from langgraph.store.base import BaseStore

from agent.background import run_every
from agent.database.lease import LeaseLostError, keep_lease
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import ConflictError, FormationFailedError
from agent.memory.formation.history_summary import HistorySummariser
from agent.types import UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="compaction.sql"):
    """Statements of `compaction.sql`."""

    claim_next: LiteralString
    renew_lease: LiteralString
    finish: LiteralString
    schedule: LiteralString


PERIOD_SECONDS = 3_600.0
LEASE_SECONDS = 3_600.0
"""Also the delay before the next attempt for a user whose compaction failed."""


@dataclass(slots=True)
class _Claim:
    user: UserId
    leased_until: datetime
    """Identifies the lease: a renewal, or a new due time, changes it."""
    expires_at: float
    """When the lease expires, by the event loop's clock."""


@dataclass(frozen=True, slots=True)
class HistoryCompaction:
    """Summarises the history of all users, one after the other."""

    store: BaseStore
    database: ScopedPool
    summariser: HistorySummariser
    lease_seconds: float = LEASE_SECONDS

    async def run(self) -> None:
        """Compact the users who are due, now and every hour, until cancelled."""
        await run_every(PERIOD_SECONDS, self.compact_due, name="history compaction")

    async def compact_due(self) -> None:
        """Compact every user who is due; after a failure, the user is due again at the end of the lease."""
        while (claim := await self._claim_next()) is not None:
            renew = partial(self._renew_lease, claim)
            try:
                async with keep_lease(renew, expires_at=claim.expires_at, lease_seconds=self.lease_seconds):
                    due_at = await self.summariser.summarise(self.store, claim.user, datetime.now(UTC))
            except (ConflictError, FormationFailedError, LeaseLostError) as error:
                logger.warning("history compaction of a user failed; retrying after the lease", exc_info=error)
            else:
                parameters = {"user": claim.user, "leased_until": claim.leased_until, "at": due_at}
                await self.database.execute(claim.user, SQL.finish, parameters)

    async def schedule(self, user: UserId, at: datetime) -> None:
        """Set the time of the user's next compaction, also if a compaction of the user is running."""
        await self.database.execute(user, SQL.schedule, {"user": user, "at": at})

    async def _claim_next(self) -> _Claim | None:
        expires_at = asyncio.get_running_loop().time() + self.lease_seconds
        rows = await self.database.fetch_all_unscoped(SQL.claim_next, {"lease_seconds": self.lease_seconds})
        return next((_Claim(UserId(row["id"]), row["compaction_due_at"], expires_at) for row in rows), None)

    async def _renew_lease(self, claim: _Claim) -> bool:
        parameters = {"user": claim.user, "leased_until": claim.leased_until, "lease_seconds": self.lease_seconds}
        rows = await self.database.fetch_all_unscoped(SQL.renew_lease, parameters)
        for row in rows:
            claim.leased_until = row["compaction_due_at"]
        return bool(rows)
