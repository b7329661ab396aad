"""Deletion of temporary threads, an hour after their last message or by their user, and of outdated unlisted ones."""

from dataclasses import dataclass
from typing import LiteralString

from agent.background import run_every
from agent.conversations.checkpoints import ThreadStates, checkpoint_key
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.types import ThreadId, UserId


class SQL(Statements, file="temporary.sql"):
    """Statements of `temporary.sql`."""

    find_outdated: LiteralString
    delete_outdated: LiteralString
    find_expired: LiteralString
    close: LiteralString
    delete_runs: LiteralString
    delete_messages: LiteralString
    purge_closed: LiteralString


SWEEP_SECONDS = 30.0
SWEEP_BATCH_SIZE = 100
ID_RESERVATION_SECONDS = 86_400.0
UNLISTED_RETENTION_SECONDS = 30 * 86_400.0
"""How long a conversation that its client keeps can be continued or repeated without adding its messages again."""


@dataclass(frozen=True, slots=True)
class TemporaryThreads:
    """Deletes temporary threads of all processes; several processes may do so at the same time."""

    database: ScopedPool
    checkpoints: ThreadStates

    async def run(self) -> None:
        """Sweep now and every `SWEEP_SECONDS`, until cancelled."""
        await run_every(SWEEP_SECONDS, self.sweep, name="deleting expired threads")

    async def sweep(self) -> None:
        """Delete all expired and outdated threads, and release the ids of those that expired a day ago."""
        while rows := await self.database.fetch_all_unscoped(SQL.find_expired, {"limit": SWEEP_BATCH_SIZE}):
            for row in rows:
                await self.delete(UserId(row["user_id"]), ThreadId(str(row["id"])))
        limits = {"retention_seconds": UNLISTED_RETENTION_SECONDS}
        while rows := await self.database.fetch_all_unscoped(SQL.find_outdated, limits | {"limit": SWEEP_BATCH_SIZE}):
            for row in rows:
                with translated_errors():
                    await self.checkpoints.adelete_thread(checkpoint_key(row["user_id"], ThreadId(str(row["id"]))))
                parameters = {"user": row["user_id"], "thread": row["id"]}
                await self.database.execute(row["user_id"], SQL.delete_outdated, limits | parameters)
        await self.database.execute_unscoped(SQL.purge_closed, {"reservation_seconds": ID_RESERVATION_SECONDS})

    async def delete(self, user: UserId, thread: ThreadId) -> None:
        """Delete all data of a temporary thread, and reject further messages to it."""
        parameters = {"user": user, "thread": thread}
        with translated_errors():
            # Before the rows: if the process is killed in between, the next sweep finds the thread again.
            await self.checkpoints.adelete_thread(checkpoint_key(user, thread))
        async with self.database.for_user(user) as connection:
            closed = await connection.execute(SQL.close, parameters)
            if await closed.fetchone():
                for statement in (SQL.delete_runs, SQL.delete_messages):
                    await connection.execute(statement, parameters)
