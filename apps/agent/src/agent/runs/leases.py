"""Run leases: which runs are alive in any process, and the end of runs whose process died."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from psycopg.types.json import Jsonb

from agent.conversations.transcript import RUN_LEASE_SECONDS
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import RunInterruptedError
from agent.events import RunFailed
from agent.runs.turns import Turn
from agent.types import RunId, ThreadId, UserId


class SQL(Statements, file="leases.sql"):
    """Statements of `leases.sql`."""

    renew: LiteralString
    request_cancel: LiteralString
    end_expired: LiteralString


INTERRUPTED = RunFailed(RunInterruptedError("send the message again to get another answer"))
_FAILED = Jsonb(INTERRUPTED.data())


@dataclass(frozen=True, slots=True)
class RunLeases:
    """The leases of runs in all processes."""

    database: ScopedPool

    async def renew(self, turns: Sequence[Turn]) -> dict[RunId, bool]:
        """Extend leases; True for each run that should be cancelled. Runs that another process ended are missing."""
        parameters = {
            "users": [turn.user for turn in turns],
            "runs": [turn.run for turn in turns],
            "lease_seconds": RUN_LEASE_SECONDS,
        }
        rows = await self.database.fetch_all_unscoped(SQL.renew, parameters)
        return {RunId(str(row["id"])): row["cancel_asked"] for row in rows}

    async def request_cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Ask the process of the thread's active run to cancel it; False if there is no active run."""
        parameters = {"user": user, "thread": thread}
        return await self.database.fetch_one(user, SQL.request_cancel, parameters) is not None

    async def end_expired(self, user: UserId) -> bool:
        """End the user's runs whose lease expired; False if there are none."""
        return bool(await self.database.fetch_all(user, SQL.end_expired, {"user": user, "failed": _FAILED}))

    async def end_all_expired(self) -> int:
        """End the runs of all users whose lease expired, and return their number."""
        return len(await self.database.fetch_all_unscoped(SQL.end_expired, {"user": None, "failed": _FAILED}))
