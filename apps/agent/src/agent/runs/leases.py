"""Leases: which runs live, in whatever process; and the end of those whose process does not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from psycopg.types.json import Jsonb

from agent.conversations.transcript import RUN_LEASE_SECONDS
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import RunInterruptedError
from agent.events import RunFailed
from agent.runs.turns import Turn
from agent.types import RunId, ThreadId, UserId


class SQL(Statements, file="leases.sql"):
    """Statements of `leases.sql`."""

    renew: LiteralString
    ask_cancel: LiteralString
    close_lost: LiteralString


INTERRUPTED = RunFailed(RunInterruptedError("say it again for another answer"))


@dataclass(frozen=True, slots=True)
class RunLeases:
    """What processes know of each other's runs.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: ScopedPool

    async def renew(self, turns: Sequence[Turn]) -> dict[RunId, bool]:
        """Say that runs live, whosever they are.

        Returns:
            Whether each of them is asked to stop; those that are missing were ended by somebody else.
        """
        named = {
            "users": [turn.user for turn in turns],
            "runs": [turn.run for turn in turns],
            "lease_seconds": RUN_LEASE_SECONDS,
        }
        with translated_errors():
            async with self.database.unscoped() as connection:
                rows = await (await connection.execute(SQL.renew, named)).fetchall()
        return {RunId(str(row["id"])): row["cancel_asked"] for row in rows}

    async def request_cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Ask the process that answers in a thread to stop; say whether there is one."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                cursor = await connection.execute(SQL.ask_cancel, {"user": user, "thread": thread})
                return await cursor.fetchone() is not None

    async def end_lost(self, user: UserId) -> bool:
        """End those of a user's runs whose process is gone; say whether there were any."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                cursor = await connection.execute(SQL.close_lost, _closing(user))
                return bool(await cursor.fetchall())

    async def end_all_lost(self) -> int:
        """Do so for everybody, and return how many there were."""
        with translated_errors():
            async with self.database.unscoped() as connection:
                cursor = await connection.execute(SQL.close_lost, _closing(None))
                return len(await cursor.fetchall())


def _closing(user: UserId | None) -> dict[str, object]:
    return {"user": user, "failed": Jsonb(INTERRUPTED.data())}
