"""The transcript: the append-only messages of every thread."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.memory.records.inbox import InboxItem
from agent.types import MessageId, ThreadId, UserId


class SQL(Statements, file="transcript.sql"):
    """Statements of `transcript.sql`."""

    has_thread: LiteralString
    noted: LiteralString
    all_noted: LiteralString
    said_in: LiteralString
    busy_threads: LiteralString
    not_noted: LiteralString


RUN_LEASE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages of every thread.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: ScopedPool

    async def has_thread(self, user: UserId, thread: ThreadId) -> bool:
        """Tell whether the thread is still there."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                cursor = await connection.execute(SQL.has_thread, {"user": user, "thread": thread})
                return await cursor.fetchone() is not None

    async def busy_threads(self, user: UserId) -> frozenset[ThreadId]:
        """Return the user's threads with a run still going."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                rows = await (await connection.execute(SQL.busy_threads, {"user": user})).fetchall()
        return frozenset(ThreadId(str(row["id"])) for row in rows)

    async def missing_from_inbox(self, user: UserId) -> list[InboxItem]:
        """Return what the user said in threads at rest that never reached the inbox."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                rows = await (await connection.execute(SQL.not_noted, {"user": user})).fetchall()
        return [
            InboxItem(
                message=MessageId(str(row["id"])),
                thread=ThreadId(str(row["thread_id"])),
                text=row["text"],
                ts=row["ts"].isoformat(),
                answer=row["answer"],
            )
            for row in rows
        ]

    async def mark_in_inbox(self, user: UserId, messages: Sequence[MessageId]) -> frozenset[MessageId]:
        """Say that messages have had their place in the inbox; return those of which nobody had said so before."""
        parameters = {"user": user, "messages": list(messages)}
        with translated_errors():
            async with self.database.for_user(user) as connection:
                rows = await (await connection.execute(SQL.noted, parameters)).fetchall()
        return frozenset(MessageId(str(row["id"])) for row in rows)

    async def mark_all_in_inbox(self, user: UserId) -> None:
        """Say so of everything that the user has said."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                await connection.execute(SQL.all_noted, {"user": user})

    async def user_message_ids(self, user: UserId, thread: ThreadId) -> frozenset[MessageId]:
        """Return the ids of what the user said in a thread."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                rows = await (await connection.execute(SQL.said_in, {"user": user, "thread": thread})).fetchall()
        return frozenset(MessageId(str(row["id"])) for row in rows)
