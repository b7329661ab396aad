"""The threads of a user and their messages."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, LiteralString

import psycopg
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.conversations.markdown import to_markdown
from agent.conversations.titles import one_line
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import (
    InvalidCursorError,
    InvalidIdError,
    InvalidInputError,
    MessageNotFoundError,
    ThreadExistsError,
    ThreadNotFoundError,
    UnstorableTextError,
)
from agent.limits.counts import check_counts, count_rows
from agent.limits.usage import Usage
from agent.store.operations import as_json
from agent.text import MAX_METADATA_BYTES, MAX_TITLE_CHARS, validate_text
from agent.types import Message, MessageFeedback, MessageId, Page, Thread, ThreadId, UserId


class SQL(Statements, file="threads.sql"):
    """Statements of `threads.sql`."""

    lock_user_exclusively: LiteralString
    insert: LiteralString
    get: LiteralString
    list_threads: LiteralString
    search: LiteralString
    update: LiteralString
    delete: LiteralString
    list_messages: LiteralString
    rate: LiteralString


# Of words in ASCII, this collation ignores the case in a fraction of the time.
_SEARCH_ASCII: LiteralString = SQL.search.replace(" ILIKE ", ' COLLATE "C" ILIKE ')

TEMPORARY_LIFETIME_SECONDS = 3_600.0
"""Lifetime of a temporary thread after its last message."""

EXPORT_PAGE_SIZE = 1_000
MAX_REASON_CHARS = 2_000
MAX_SEQ_DIGITS = 18  # of a bigint
MAX_WORDS = 16
QUERY_CHARS = 500
LEADING_CHARS = 40
SNIPPET_CHARS = 160
LIKE_ESCAPES = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})


def parse_uuid(value: str) -> str:
    """Convert a UUID to its canonical form; raise `InvalidIdError` for any other text."""
    try:
        return str(uuid.UUID(value))
    except ValueError as error:
        raise InvalidIdError("the id must be a UUID") from error


@dataclass(frozen=True, slots=True)
class Threads:
    """The threads of all users.

    Raises:
        StoreUnavailableError: from each method, if the database does not answer.
        ThreadNotFoundError: from each method that takes a thread, if the user has no such thread.
        InvalidCursorError: the cursor (`before`, `cursor`) is not one of this list.
        InvalidTextError: the title or query is too long or empty, or contains characters that cannot be stored.
    """

    database: ScopedPool
    usage: Usage

    async def create(
        self,
        user: UserId,
        *,
        thread: ThreadId | None = None,
        title: str = "",
        temporary: bool = False,
        metadata: Mapping[str, Any] | None = None,
    ) -> Thread:
        """Create an empty thread, by default with a new id.

        Raises:
            TooManyThreadsError: the user has as many threads as allowed.
            ThreadExistsError: the user has a thread with this id.
            ThreadNotFoundError: the id belongs to another user.
        """
        parameters = {
            "user": user,
            "thread": thread or str(uuid.uuid4()),
            "metadata": Jsonb(validate_metadata(metadata or {})),
            "title": validate_title(title) if title else "",
            "temporary": temporary,
            "temporary_seconds": TEMPORARY_LIFETIME_SECONDS,
        }
        async with self.database.for_user(user) as connection:
            await connection.execute(SQL.lock_user_exclusively, parameters)
            inserted = await connection.execute(SQL.insert, parameters)
            if self.usage.limits.threads:
                await self.usage.add(connection, user, {"messages": 0})  # locks the user's meters
                counts = await count_rows(connection, user, count_threads=True)
                check_counts(self.usage.limits, await counts.fetchone())
            row = await inserted.fetchone()
            if row is None:
                raise psycopg.Rollback
        if row is None:
            existing = await self.get(user, ThreadId(parameters["thread"]))
            raise ThreadExistsError(f"the thread was created at {existing.created_at.isoformat()}")
        return to_thread(row)

    async def get(self, user: UserId, thread: ThreadId) -> Thread:
        """Get one thread."""
        return await self._one(user, SQL.get, thread=thread)

    async def list_threads(
        self, user: UserId, *, limit: int, before: str | None, archived: bool = False
    ) -> Page[Thread]:
        """List threads, except temporary ones, pinned ones first and then the latest; of branches, only the latest.

        A new message moves its thread to the top. The following pages neither skip nor repeat any other thread.
        """
        parameters = _page_parameters(user, limit, before) | {"archived": archived}
        rows = await self.database.fetch_all(user, SQL.list_threads, parameters)
        return _page([to_thread(row) for row in rows], limit)

    async def search(
        self, user: UserId, query: str, *, limit: int, before: str | None, archived: bool | None = None
    ) -> Page[Thread]:
        """List threads of which the title or a message contains all words of a query, the latest first.

        Words may be parts of words, in any order. Each thread has a snippet of its latest matching message, if any.
        """
        words = list(dict.fromkeys(validate_text(query, max_chars=QUERY_CHARS).split()))[:MAX_WORDS]
        patterns = [f"%{word.translate(LIKE_ESCAPES)}%" for word in words]
        parameters = _page_parameters(user, limit, before) | {"patterns": patterns, "archived": archived}
        statement = _SEARCH_ASCII if query.isascii() else SQL.search
        rows = await self.database.fetch_all(user, statement, parameters)
        threads = [replace(to_thread(row), snippet=row["match"] and _snippet(row["match"], words)) for row in rows]
        return _page(threads, limit)

    async def update(
        self,
        user: UserId,
        thread: ThreadId,
        *,
        title: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = None,
    ) -> Thread:
        """Rename, pin or archive a thread, with all its branches. None: unchanged."""
        changes = {"title": title and validate_title(title), "pinned": pinned, "archived": archived}
        rows = await self.database.fetch_all(user, SQL.update, {"user": user, "thread": thread} | changes)
        updated = next((to_thread(row) for row in rows if str(row["id"]) == thread), None)
        if updated is None:
            raise ThreadNotFoundError("the user has no such thread")
        return updated

    async def delete(self, user: UserId, thread: ThreadId) -> None:
        """Delete a thread and its transcript, but no memories."""
        await self._one(user, SQL.delete, thread=thread)

    async def messages(self, user: UserId, thread: ThreadId, *, limit: int, cursor: str | None) -> Page[Message]:
        """List a thread's messages, the oldest first."""
        await self.get(user, thread)
        if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) <= MAX_SEQ_DIGITS):
            raise InvalidCursorError("the cursor is not one of this list")
        parameters = {"user": user, "thread": thread, "after": int(cursor or 0), "limit": limit + 1}
        rows = await self.database.fetch_all(user, SQL.list_messages, parameters)
        page = rows[:limit]
        return Page(tuple(map(to_message, page)), str(page[-1]["seq"]) if len(rows) > limit else None)

    async def rate(
        self, user: UserId, thread: ThreadId, message: MessageId, feedback: MessageFeedback | None
    ) -> MessageId | None:
        """Set what the user thinks of an answer; None removes it.

        Returns:
            The answer, or the one that it is a copy of; None if nothing outside may learn of it, because the thread is
            temporary.

        Raises:
            MessageNotFoundError: the thread has no such answer.
        """
        reason = validate_text(feedback.reason, max_chars=MAX_REASON_CHARS) if feedback and feedback.reason else None
        rating = feedback.rating if feedback else None
        parameters = {"user": user, "thread": thread, "message": message, "rating": rating, "reason": reason}
        rated = await self.get(user, thread)
        row = await self.database.fetch_one(user, SQL.rate, parameters)
        if row is None:
            raise MessageNotFoundError("the thread has no such answer")
        return None if rated.temporary else MessageId(str(row["original"]))

    async def export(self, user: UserId, thread: ThreadId) -> str:
        """Write a thread as Markdown."""
        exported, messages, cursor = await self.get(user, thread), list[Message](), None
        while True:
            page = await self.messages(user, thread, limit=EXPORT_PAGE_SIZE, cursor=cursor)
            messages += page.items
            cursor = page.next_cursor
            if cursor is None:
                return to_markdown(exported, messages)

    async def _one(self, user: UserId, statement: LiteralString, **parameters: object) -> Thread:
        row = await self.database.fetch_one(user, statement, {"user": user, **parameters})
        if row is None:
            raise ThreadNotFoundError("the user has no such thread")
        return to_thread(row)


def validate_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Check that the metadata of a thread is small and can be stored.

    Raises:
        InvalidInputError: it is too large, or nested too deeply, or contains what JSON in Postgres cannot express.
    """
    try:
        text = as_json(metadata)
    except (UnstorableTextError, RecursionError, TypeError, ValueError) as error:
        raise InvalidInputError("the metadata cannot be stored") from error
    if len(text.encode()) > MAX_METADATA_BYTES:
        raise InvalidInputError(f"metadata may have {MAX_METADATA_BYTES:,} bytes")
    return dict(metadata)


def validate_title(title: str) -> str:
    """Convert a title to one line; raise `InvalidTextError` if it is too long or empty, or cannot be stored."""
    return validate_text(one_line(validate_text(title, max_chars=MAX_TITLE_CHARS)), max_chars=MAX_TITLE_CHARS)


def _page(threads: list[Thread], limit: int) -> Page[Thread]:
    if len(threads) <= limit:
        return Page(tuple(threads))
    last = threads[limit - 1]
    time = last.updated_at.astimezone(UTC).isoformat().removesuffix("+00:00")
    pin = "~pinned" if last.pinned else ""
    return Page(tuple(threads[:limit]), f"{time}Z~{last.id}{pin}")  # a cursor that a URL may contain unescaped


def _page_parameters(user: UserId, limit: int, cursor: str | None) -> dict[str, Any]:
    parameters = {"user": user, "limit": limit + 1, "before": None, "before_id": None, "before_pinned": None}
    if cursor is None:
        return parameters
    time, _, rest = cursor.partition("~")
    thread, _, pin = rest.partition("~")
    try:
        last = {"before": datetime.fromisoformat(time), "before_id": uuid.UUID(thread)}
        return parameters | last | {"before_pinned": pin == "pinned"}
    except ValueError as error:
        raise InvalidCursorError("the cursor is not one of this list") from error


def to_thread(row: DictRow) -> Thread:
    """Convert a row of a thread."""
    names = ("title", "created_at", "updated_at", "temporary", "pinned", "archived")
    return Thread(ThreadId(str(row["id"])), **{name: row[name] for name in names})


def to_message(row: DictRow) -> Message:
    """Convert a row of a message."""
    names = ("role", "text", "ts", "memories", "status", "finish_reason", "sources", "model")
    feedback = MessageFeedback(row["rating"], row["rating_reason"]) if row["rating"] else None
    copied_from = MessageId(str(row["copied_from"])) if row["copied_from"] else None
    values = {name: row[name] for name in names}
    return Message(MessageId(str(row["id"])), **values, feedback=feedback, copied_from=copied_from)


def _snippet(text: str, words: Sequence[str]) -> str:
    folded = text.lower()
    match = min((index for word in words if (index := folded.find(word.lower())) >= 0), default=0)
    start = max(match - LEADING_CHARS, 0)
    if start:
        start = text.find(" ", start, match) + 1 or start
    part = " ".join(text[start : start + SNIPPET_CHARS].split())
    return f"{'…' * (start > 0)}{part}{'…' * (start + SNIPPET_CHARS < len(text))}"
