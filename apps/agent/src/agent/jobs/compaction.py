"""Upkeep: looks at each user's history when something in it has grown old, and folds that up.

When that is stands with the user: nobody is looked at in vain, and a user is one process's at a time. Whoever is away
for long is looked at once a month.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime

from langgraph.store.base import BaseStore

from agent.background import every
from agent.database import load_statements
from agent.database.errors import translated_errors
from agent.database.row_security import Walled
from agent.errors import ConflictError, FormationFailedError
from agent.memory.formation.history_summary import Tiers
from agent.types import UserId

logger = logging.getLogger(__name__)

SQL = load_statements(__package__, "compaction.sql")

PERIOD_SECONDS = 3_600.0
LEASE_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Folds up everybody's history, one user after the other.

    Raises:
        StoreUnavailableError: from each method but `run`, when the database does not answer.
    """

    store: BaseStore
    database: Walled
    tiers: Tiers

    async def run(self) -> None:
        """Look after whoever is due, now and every hour, until cancelled."""
        await every(PERIOD_SECONDS, self.look_after_all, doing="upkeep")

    async def look_after_all(self) -> None:
        """Fold up the history of everybody who is due; who cannot be helped now is due again after the lease."""
        while (user := await self._claim()) is not None:
            try:
                await self.look_after(user)
            except (ConflictError, FormationFailedError) as error:
                logger.warning("a user's history could not be folded up, which is tried again", exc_info=error)

    async def look_after(self, user: UserId) -> None:
        """Fold up what is old of a user's history, and see when to come again.

        Raises:
            FormationFailedError: there is no usable digest; their history is as it was.
            ChangedMeanwhileError: something else changed the same, again and again.
        """
        with translated_errors():
            again = await self.tiers.fold(self.store, user, datetime.now(UTC))
        await self.due(user, again)

    async def due(self, user: UserId, at: datetime) -> None:
        """Have a user looked at when something may have grown old."""
        with translated_errors():
            async with self.database.of(user) as connection:
                await connection.execute(SQL["due"], {"user": user, "at": at})

    async def _claim(self) -> UserId | None:
        with translated_errors():
            async with self.database.everyone() as connection:
                cursor = await connection.execute(SQL["claim"], {"lease_seconds": LEASE_SECONDS})
                row = await cursor.fetchone()
        return UserId(row["id"]) if row else None
