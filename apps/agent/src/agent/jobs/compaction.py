"""Upkeep: looks at each user's history when something in it has grown old, and folds that up.

When that is stands with the user: nobody is looked at in vain, and a user is one process's at a time. Whoever is away
for long is looked at once a month.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import LiteralString

from langgraph.store.base import BaseStore

from agent.background import run_every
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import ConflictError, FormationFailedError
from agent.memory.formation.history_summary import HistoryTiers
from agent.types import UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="compaction.sql"):
    """Statements of `compaction.sql`."""

    claim: LiteralString
    due: LiteralString


PERIOD_SECONDS = 3_600.0
LEASE_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class HistoryCompaction:
    """Folds up everybody's history, one user after the other.

    Raises:
        StoreUnavailableError: from each method but `run`, when the database does not answer.
    """

    store: BaseStore
    database: ScopedPool
    tiers: HistoryTiers

    async def run(self) -> None:
        """Look after whoever is due, now and every hour, until cancelled."""
        await run_every(PERIOD_SECONDS, self.compact_due, doing="upkeep")

    async def compact_due(self) -> None:
        """Fold up the history of everybody who is due; who cannot be helped now is due again after the lease."""
        while (user := await self._claim()) is not None:
            try:
                await self.compact(user)
            except (ConflictError, FormationFailedError) as error:
                logger.warning("a user's history could not be folded up, which is tried again", exc_info=error)

    async def compact(self, user: UserId) -> None:
        """Fold up what is old of a user's history, and see when to come again.

        Raises:
            FormationFailedError: there is no usable digest; their history is as it was.
            ChangedMeanwhileError: something else changed the same, again and again.
        """
        with translated_errors():
            again = await self.tiers.fold(self.store, user, datetime.now(UTC))
        await self.schedule(user, again)

    async def schedule(self, user: UserId, at: datetime) -> None:
        """Have a user looked at when something may have grown old."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                await connection.execute(SQL.due, {"user": user, "at": at})

    async def _claim(self) -> UserId | None:
        with translated_errors():
            async with self.database.unscoped() as connection:
                cursor = await connection.execute(SQL.claim, {"lease_seconds": LEASE_SECONDS})
                row = await cursor.fetchone()
        return UserId(row["id"]) if row else None
