"""The list of a user's threads."""

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, LiteralString

from psycopg.rows import DictRow

from agent.conversations.search import like_patterns, search_words, snippet
from agent.conversations.titles import one_line
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import InvalidCursorError, InvalidIdError, ThreadNotFoundError
from agent.text import MAX_TITLE_CHARS, validate_text
from agent.types import Message, MessageId, Page, Thread, ThreadId, UserId


class SQL(Statements, file="threads.sql"):
    """Statements of `threads.sql`."""

    make: LiteralString
    get: LiteralString
    page: LiteralString
    search: LiteralString
    rename: LiteralString
    delete: LiteralString
    messages: LiteralString


TEMPORARY_LIFETIME_SECONDS = 3_600.0
"""For how long after its last message there is a temporary thread."""


def parse_uuid(value: str) -> str:
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

    database: ScopedPool

    async def create(self, user: UserId, *, title: str = "", temporary: bool = False) -> Thread:
        """Make an empty thread.

        Raises:
            InvalidTextError: the title is too long, or cannot be kept.
        """
        parameters = {
            "thread": str(uuid.uuid4()),
            "title": _checked_title(title) if title else "",
            "temporary": temporary,
            "temporary_seconds": TEMPORARY_LIFETIME_SECONDS,
        }
        return _thread(await self._one(user, SQL.make, parameters))

    async def get(self, user: UserId, thread: ThreadId) -> Thread:
        """Return one thread."""
        return _thread(await self._one(user, SQL.get, {"thread": thread}))

    async def list_threads(self, user: UserId, *, limit: int, before: str | None) -> Page[Thread]:
        """Return threads that are to last, the latest first.

        A thread in which something is said moves to the top; whoever reads on misses none of the others, and sees none
        of them twice.

        Raises:
            InvalidCursorError: the cursor is none of ours.
        """
        rows = await self._all(user, SQL.page, _bounds(limit, before))
        return _page([_thread(row) for row in rows], limit)

    async def search(self, user: UserId, query: str, *, limit: int, before: str | None) -> Page[Thread]:
        """Return those whose title or one of whose messages holds all words of a query, in the same order.

        Each has a snippet of its latest such message, if there is one.

        Raises:
            InvalidTextError: the query is empty, too long, or cannot be in any text.
            InvalidCursorError: the cursor is none of ours.
        """
        words = search_words(query)
        rows = await self._all(user, SQL.search, _bounds(limit, before) | {"patterns": like_patterns(words)})
        found = [replace(_thread(row), snippet=row["found"] and snippet(row["found"], words)) for row in rows]
        return _page(found, limit)

    async def rename(self, user: UserId, thread: ThreadId, *, title: str) -> Thread:
        """Give a thread another title.

        Raises:
            InvalidTextError: the title is empty or too long.
        """
        return _thread(await self._one(user, SQL.rename, {"thread": thread, "title": _checked_title(title)}))

    async def delete(self, user: UserId, thread: ThreadId) -> None:
        """Delete a thread and its transcript; what it taught stays."""
        await self._one(user, SQL.delete, {"thread": thread})

    async def messages(self, user: UserId, thread: ThreadId, *, limit: int, cursor: str | None) -> Page[Message]:
        """Return a thread's messages, the oldest first.

        Raises:
            InvalidCursorError: the cursor is none of ours.
        """
        await self.get(user, thread)
        if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) <= len("1" * 18)):
            raise InvalidCursorError("the cursor was not given by this list")
        parameters = {"thread": thread, "after": int(cursor or 0), "limit": limit + 1}
        rows = await self._all(user, SQL.messages, parameters)
        shown = rows[:limit]
        return Page(tuple(map(_message, shown)), str(shown[-1]["seq"]) if len(rows) > limit else None)

    async def _all(self, user: UserId, statement: LiteralString, parameters: dict[str, Any]) -> list[DictRow]:
        with translated_errors():
            async with self.database.for_user(user) as connection:
                return await (await connection.execute(statement, {"user": user} | parameters)).fetchall()

    async def _one(self, user: UserId, statement: LiteralString, parameters: dict[str, Any]) -> DictRow:
        rows = await self._all(user, statement, parameters)
        if not rows:
            raise ThreadNotFoundError("the user has no such thread")
        return rows[0]


def _checked_title(title: str) -> str:
    return validate_text(one_line(validate_text(title, max_chars=MAX_TITLE_CHARS)), max_chars=MAX_TITLE_CHARS)


def _bounds(limit: int, before: str | None) -> dict[str, Any]:
    moment, last = _place(before)
    return {"before": moment, "before_id": last, "limit": limit + 1}


def _page(threads: list[Thread], limit: int) -> Page[Thread]:
    """Return as many as asked for, of one more where there are more."""
    shown = threads[:limit]
    return Page(tuple(shown), _cursor(shown[-1]) if len(threads) > limit else None)


def _cursor(thread: Thread) -> str:
    """Return the place of a thread in the list, as it can stand in an address."""
    return f"{thread.updated_at.astimezone(UTC).isoformat().removesuffix('+00:00')}Z~{thread.id}"


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
        status=row["status"],
    )
