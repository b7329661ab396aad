"""Temporary threads: how they end, closed by their user or an hour after their last message."""

from dataclasses import dataclass
from typing import LiteralString

from agent.background import run_every
from agent.conversations.checkpoints import ScopedSaver, checkpoint_key
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.types import ThreadId, UserId


class SQL(Statements, file="temporary.sql"):
    """Statements of `temporary.sql`."""

    expired: LiteralString
    close: LiteralString
    delete_runs: LiteralString
    delete_messages: LiteralString
    let_go: LiteralString


SWEEP_SECONDS = 30.0
SWEEP_BATCH_SIZE = 100
ID_RESERVATION_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class TemporaryThreads:
    """Ends temporary threads, of whatever process; several may do so at once.

    Raises:
        StoreUnavailableError: from each method but `run`, when the database does not answer.
    """

    database: ScopedPool
    checkpoints: ScopedSaver

    async def run(self) -> None:
        """Close what has expired, now and from time to time, until cancelled."""
        await run_every(SWEEP_SECONDS, self.sweep, name="closing temporary threads")

    async def sweep(self) -> None:
        """Close whatever has expired, everybody's, and free the ids of what was closed a day ago."""
        with translated_errors():
            while expired := await self._expired():
                for user, thread in expired:
                    await self.delete(user, thread)
            async with self.database.unscoped() as connection:
                await connection.execute(SQL.let_go, {"taken_seconds": ID_RESERVATION_SECONDS})

    async def delete(self, user: UserId, thread: ThreadId) -> None:
        """Delete everything that was said in a temporary thread, and let nothing more be said there."""
        named = {"user": user, "thread": thread}
        with translated_errors():
            # First of all: whoever is killed after that finds the thread expired still, and goes on.
            await self.checkpoints.adelete_thread(checkpoint_key(user, thread))
            async with self.database.for_user(user) as connection:
                closed = await connection.execute(SQL.close, named)
                if await closed.fetchone():
                    for statement in (SQL.delete_runs, SQL.delete_messages):
                        await connection.execute(statement, named)

    async def _expired(self) -> list[tuple[UserId, ThreadId]]:
        async with self.database.unscoped() as connection:
            rows = await (await connection.execute(SQL.expired, {"limit": SWEEP_BATCH_SIZE})).fetchall()
        return [(UserId(row["user_id"]), ThreadId(str(row["id"]))) for row in rows]
