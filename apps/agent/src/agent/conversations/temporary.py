"""Temporary threads: how they end, closed by their user or an hour after their last message."""

from dataclasses import dataclass

from agent.background import every
from agent.conversations.checkpoints import WalledSaver, checkpoint_key
from agent.database import load_statements
from agent.database.errors import translated_errors
from agent.database.row_security import Walled
from agent.types import ThreadId, UserId

SQL = load_statements(__package__, "temporary.sql")

SWEEP_SECONDS = 30.0
AT_ONCE = 100
TAKEN_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Temporary:
    """Ends temporary threads, of whatever process; several may do so at once.

    Raises:
        StoreUnavailableError: from each method but `run`, when the database does not answer.
    """

    database: Walled
    checkpoints: WalledSaver

    async def run(self) -> None:
        """Close what has expired, now and from time to time, until cancelled."""
        await every(SWEEP_SECONDS, self.sweep, doing="closing temporary threads")

    async def sweep(self) -> None:
        """Close whatever has expired, everybody's, and free the ids of what was closed a day ago."""
        with translated_errors():
            while expired := await self._expired():
                for user, thread in expired:
                    await self.close(user, thread)
            async with self.database.everyone() as connection:
                await connection.execute(SQL["let_go"], {"taken_seconds": TAKEN_SECONDS})

    async def close(self, user: UserId, thread: ThreadId) -> None:
        """Delete everything that was said in a temporary thread, and let nothing more be said there."""
        named = {"user": user, "thread": thread}
        with translated_errors():
            # First of all: whoever is killed after that finds the thread expired still, and goes on.
            await self.checkpoints.adelete_thread(checkpoint_key(user, thread))
            async with self.database.of(user) as connection:
                closed = await connection.execute(SQL["close"], named)
                if await closed.fetchone():
                    for name in ("delete_runs", "delete_messages"):
                        await connection.execute(SQL[name], named)

    async def _expired(self) -> list[tuple[UserId, ThreadId]]:
        async with self.database.everyone() as connection:
            rows = await (await connection.execute(SQL["expired"], {"limit": AT_ONCE})).fetchall()
        return [(UserId(row["user_id"]), ThreadId(str(row["id"]))) for row in rows]
