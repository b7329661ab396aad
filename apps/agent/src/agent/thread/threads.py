"""The list of a user's threads."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from psycopg.rows import DictRow

from agent.database import load_statements
from agent.database.errors import translated_errors
from agent.database.wall import Walled
from agent.errors import InvalidCursorError, InvalidIdError, ThreadNotFoundError
from agent.text import MAX_TITLE_CHARS, checked_text
from agent.types import Message, MessageId, Page, Thread, ThreadId, UserId

SQL = load_statements(__package__, "threads.sql")
TRANSCRIPT = load_statements(__package__, "transcript.sql")


def parsed_id(value: str) -> str:
    """Return a UUID in its canonical form.

    Raises:
        InvalidIdError: it is none.
    """
    try:
        return str(uuid.UUID(value))
    except ValueError as error:
        raise InvalidIdError("the id must be a UUID") from error


@dataclass(frozen=True, slots=True)
class Threads:
    """The threads of every user, one user at a time.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
        ThreadNotFoundError: from each that takes a thread, when the user has none of that id.
    """

    database: Walled

    async def make(self, user: UserId, *, title: str = "") -> Thread:
        """Make an empty thread.

        Raises:
            InvalidTextError: the title is too long, or cannot be kept.
        """
        title = checked_text(title, max_chars=MAX_TITLE_CHARS) if title else ""
        row = await self._one(user, "make", {"thread": str(uuid.uuid4()), "title": title})
        return _thread(row)

    async def get(self, user: UserId, thread: ThreadId) -> Thread:
        """Return one thread."""
        return _thread(await self._one(user, "get", {"thread": thread}))

    async def page(self, user: UserId, *, limit: int, before: str | None) -> Page[Thread]:
        """Return threads, the latest first.

        Raises:
            InvalidCursorError: the cursor is none of ours.
        """
        moment, last = _place(before)
        parameters = {"before": moment, "before_id": last, "limit": limit + 1}
        threads = [_thread(row) for row in await self._all(user, SQL["page"], parameters)]
        shown = threads[:limit]
        more = len(threads) > limit
        return Page(tuple(shown), f"{shown[-1].updated_at.isoformat()}~{shown[-1].id}" if more else None)

    async def rename(self, user: UserId, thread: ThreadId, *, title: str) -> Thread:
        """Give a thread another title.

        Raises:
            InvalidTextError: the title is empty or too long.
        """
        title = checked_text(title, max_chars=MAX_TITLE_CHARS)
        return _thread(await self._one(user, "rename", {"thread": thread, "title": title}))

    async def delete(self, user: UserId, thread: ThreadId) -> None:
        """Delete a thread and its transcript; what it taught stays."""
        await self._one(user, "delete", {"thread": thread})

    async def messages(self, user: UserId, thread: ThreadId, *, limit: int, cursor: str | None) -> Page[Message]:
        """Return a thread's messages, the oldest first.

        Raises:
            InvalidCursorError: the cursor is none of ours.
        """
        await self.get(user, thread)
        if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) <= len("1" * 18)):
            raise InvalidCursorError("the cursor was not given by this list")
        parameters = {"thread": thread, "after": int(cursor or 0), "limit": limit + 1}
        rows = await self._all(user, TRANSCRIPT["page"], parameters)
        shown = rows[:limit]
        return Page(tuple(map(_message, shown)), str(shown[-1]["seq"]) if len(rows) > limit else None)

    async def _all(self, user: UserId, statement: LiteralString, parameters: dict[str, Any]) -> list[DictRow]:
        with translated_errors():
            async with self.database.of(user) as connection:
                return await (await connection.execute(statement, {"user": user} | parameters)).fetchall()

    async def _one(self, user: UserId, name: str, parameters: dict[str, Any]) -> DictRow:
        rows = await self._all(user, SQL[name], parameters)
        if not rows:
            raise ThreadNotFoundError("the user has no such thread")
        return rows[0]


def _place(cursor: str | None) -> tuple[datetime | None, str | None]:
    if cursor is None:
        return None, None
    moment, _, last = cursor.partition("~")
    try:
        return datetime.fromisoformat(moment), str(uuid.UUID(last))
    except ValueError as error:
        raise InvalidCursorError("the cursor was not given by this list") from error


def _thread(row: DictRow) -> Thread:
    return Thread(
        id=ThreadId(str(row["id"])),
        title=row["title"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        temporary=row["temporary"],
    )


def _message(row: DictRow) -> Message:
    memories = row["memories"]
    return Message(
        id=MessageId(str(row["id"])),
        role=row["role"],
        text=row["text"],
        ts=row["ts"],
        memories=None if memories is None else tuple(memories),
    )
