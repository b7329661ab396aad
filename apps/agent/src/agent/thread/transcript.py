"""The transcript: what was said, append-only, and the run that holds a thread meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.database import load_statements
from agent.database.errors import translated_errors
from agent.database.wall import Walled
from agent.errors import MessageIdTakenError, ThreadBusyError, ThreadNotFoundError
from agent.memory.inbox import InboxItem
from agent.schedule import Schedule
from agent.types import Hit, MessageId, RunId, Said, ThreadId, UserId

SQL = load_statements(__package__, "transcript.sql")
THREADS = load_statements(__package__, "threads.sql")

LEASE_SECONDS = 10.0
TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class Turn:
    """One run: whose, where, and on what message."""

    user: UserId
    thread: ThreadId
    run: RunId
    said: Said


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's message to a turn."""

    id: MessageId
    text: str
    hits: tuple[Hit, ...] = ()
    usage: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages of every thread, and who holds it.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: Walled
    schedule: Schedule

    async def begin(self, turn: Turn) -> None:
        """Commit a message, its due time, and the run's hold on the thread, which is made if it is new.

        Raises:
            ThreadNotFoundError: the thread is not the user's.
            ThreadBusyError: another run holds it.
        """
        with translated_errors():
            async with self.database.of(turn.user) as connection:
                row = await self._hold_thread(connection, turn)
                if row is None:
                    own = await (await connection.execute(THREADS["get"], _parameters(turn))).fetchone()
                    raise (ThreadBusyError("wait for its end") if own else ThreadNotFoundError("no such thread"))
                await connection.execute(SQL["say"], _parameters(turn))
                if turn.said.memory:
                    await self.schedule.due(connection, turn.user)

    async def _hold_thread(self, connection: AsyncConnection[DictRow], turn: Turn) -> DictRow | None:
        try:
            return await (await connection.execute(SQL["hold_thread"], _parameters(turn))).fetchone()
        except psycopg.errors.InsufficientPrivilege as error:  # the wall stands before somebody else's thread
            raise ThreadNotFoundError("no such thread") from error

    async def said_before(self, user: UserId, thread: ThreadId, said: Said) -> Reply | None:
        """Return the reply that a message with this id already has.

        Raises:
            MessageIdTakenError: the id belongs to another text, or to a message of another thread.
        """
        with translated_errors():
            async with self.database.of(user) as connection:
                parameters = {"user": user, "message": said.id}
                row = await (await connection.execute(SQL["said_before"], parameters)).fetchone()
        if row is None:
            return None
        if str(row["thread_id"]) != thread or row["text"] != said.text:
            raise MessageIdTakenError("the id belongs to another message")
        if row["reply_id"] is None:
            return None
        hits = tuple(Hit(**hit) for hit in row["memories"] or ())
        return Reply(MessageId(str(row["reply_id"])), row["reply"], hits, row["usage"] or {})

    async def renew(self, turn: Turn) -> None:
        """Say that the run still lives."""
        with translated_errors():
            async with self.database.of(turn.user) as connection:
                await connection.execute(SQL["still_running"], _parameters(turn))

    async def end(self, turn: Turn, reply: Reply | None, *, noted: bool) -> datetime | None:
        """Commit the reply, if there is one, free the thread, and move the due time.

        Args:
            turn: the run that ends.
            reply: what the assistant said, whole or cut short; None when it said nothing.
            noted: whether the message has reached the inbox.

        Returns:
            When the message will be distilled; None when it will not be.
        """
        with translated_errors():
            async with self.database.of(turn.user) as connection:
                if reply is not None:
                    await connection.execute(SQL["reply"], _parameters(turn) | _columns(reply))
                if noted:
                    await connection.execute(SQL["noted"], {"user": turn.user, "messages": [turn.said.id]})
                await connection.execute(SQL["free_thread"], _parameters(turn))
                return await self.schedule.due(connection, turn.user) if turn.said.memory else None

    async def busy_threads(self, user: UserId) -> frozenset[ThreadId]:
        """Return the user's threads with a run still going."""
        with translated_errors():
            async with self.database.of(user) as connection:
                rows = await (await connection.execute(SQL["busy_threads"], {"user": user})).fetchall()
        return frozenset(ThreadId(str(row["id"])) for row in rows)

    async def not_noted(self, user: UserId) -> list[InboxItem]:
        """Return what the user said in threads at rest that never reached the inbox."""
        with translated_errors():
            async with self.database.of(user) as connection:
                rows = await (await connection.execute(SQL["not_noted"], {"user": user})).fetchall()
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

    async def mark_noted(self, user: UserId, messages: Sequence[MessageId]) -> None:
        """Say that messages have had their place in the inbox."""
        with translated_errors():
            async with self.database.of(user) as connection:
                await connection.execute(SQL["noted"], {"user": user, "messages": list(messages)})


def title_of(text: str) -> str:
    """Return the first words of a message, as a title."""
    line = " ".join(text.split())
    if len(line) <= TITLE_CHARS:
        return line
    return (line[:TITLE_CHARS].rpartition(" ")[0] or line[:TITLE_CHARS]) + "…"


def _parameters(turn: Turn) -> dict[str, Any]:
    return {
        "user": turn.user,
        "thread": turn.thread,
        "run": turn.run,
        "message": turn.said.id,
        "text": turn.said.text,
        "remembered": turn.said.memory,
        "title": title_of(turn.said.text),
        "lease_seconds": LEASE_SECONDS,
    }


def _columns(reply: Reply) -> dict[str, Any]:
    return {
        "reply": reply.id,
        "text": reply.text,
        "memories": Jsonb([hit.as_dict() for hit in reply.hits]),
        "usage": Jsonb(reply.usage),
    }
