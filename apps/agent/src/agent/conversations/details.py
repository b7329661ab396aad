"""Threads with their metadata, status, messages and runs, as clients of the LangGraph API see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, LiteralString

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.conversations.threads import SQL as THREADS
from agent.conversations.threads import Threads, to_message, to_thread, validate_metadata, validate_title
from agent.conversations.titles import first_words
from agent.database.statements import Statements
from agent.errors import InvalidInputError, MessageIdTakenError, ThreadBusyError, ThreadNotFoundError
from agent.text import MAX_MESSAGE_CHARS, MAX_METADATA_BYTES, validate_text
from agent.types import Message, MessageId, RunId, RunRecord, ThreadDetails, ThreadId, ThreadStatus, UserId


class SQL(Statements, file="details.sql"):
    """Statements of `details.sql`."""

    find: LiteralString
    count: LiteralString
    opening_messages: LiteralString
    latest_messages: LiteralString
    merge_metadata: LiteralString
    lock_thread: LiteralString
    active_run: LiteralString
    append_message: LiteralString
    list_runs: LiteralString


OPENING_MESSAGES = 2
MAX_STATE_MESSAGES = 500
"""The number of messages that `latest_messages` returns at most."""

ThreadOrder = Literal["created_at", "updated_at"]


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to append to a thread without a run."""

    id: MessageId
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class DetailedThreads(Threads):
    """Reads and changes more of the threads than their list shows; for the errors of all methods, see `Threads`."""

    async def details(self, user: UserId, thread: ThreadId) -> ThreadDetails:
        """Get one thread with its details, but without its opening messages."""
        rows = await self._find(user, ids=[thread])
        if not rows:
            raise ThreadNotFoundError("the user has no such thread")
        return _details(rows[0], ())

    async def find(  # noqa: PLR0913 - each narrows or orders the search
        self,
        user: UserId,
        *,
        metadata: Mapping[str, Any],
        ids: Sequence[ThreadId] | None = None,
        status: ThreadStatus | None = None,
        limit: int,
        offset: int = 0,
        order: ThreadOrder = "updated_at",
        ascending: bool = False,
    ) -> list[ThreadDetails]:
        """Find threads whose metadata contains these members, with their first messages."""
        rows = await self._find(
            user, ids, metadata, status=status, limit=limit, offset=offset, order=order, ascending=ascending
        )
        openings: dict[str, list[Message]] = {str(row["id"]): [] for row in rows}
        parameters = {"user": user, "threads": list(openings), "limit": OPENING_MESSAGES}
        for row in await self.database.fetch_all(user, SQL.opening_messages, parameters) if rows else ():
            openings[str(row["thread_id"])].append(to_message(row))
        return [_details(row, tuple(openings[str(row["id"])])) for row in rows]

    async def count(self, user: UserId, metadata: Mapping[str, Any]) -> int:
        """Count the threads in the user's list whose metadata contains these members."""
        parameters = {"user": user, "metadata": Jsonb(validate_metadata(metadata))}
        row = await self.database.fetch_one(user, SQL.count, parameters)
        return int(row["threads"]) if row else 0

    async def merge_metadata(
        self, user: UserId, thread: ThreadId, metadata: Mapping[str, Any], *, title: str | None = None
    ) -> None:
        """Merge members into the metadata of a thread, and rename it as `update` does, if a title is given.

        Raises:
            InvalidInputError: the metadata is too large. Nothing is changed.
        """
        parameters = {"user": user, "thread": thread, "metadata": Jsonb(validate_metadata(metadata))}
        renaming = {"title": title and validate_title(title), "pinned": None, "archived": None}
        async with self.database.for_user(user) as connection:
            row = await (await connection.execute(SQL.merge_metadata, parameters)).fetchone()
            if row is None:
                raise ThreadNotFoundError("the user has no such thread")
            if row["bytes"] > MAX_METADATA_BYTES:
                raise InvalidInputError(f"metadata may have {MAX_METADATA_BYTES:,} bytes")
            if title is not None:
                await connection.execute(THREADS.update, {"user": user, "thread": thread} | renaming)

    async def latest_messages(self, user: UserId, thread: ThreadId, *, limit: int | None = None) -> list[Message]:
        """The last messages of a thread, at most `MAX_STATE_MESSAGES`, the oldest first."""
        parameters = {"user": user, "thread": thread, "limit": min(limit or MAX_STATE_MESSAGES, MAX_STATE_MESSAGES)}
        rows = await self.database.fetch_all(user, SQL.latest_messages, parameters)
        return [to_message(row) for row in reversed(rows)]

    async def append(self, user: UserId, thread: ThreadId, messages: Sequence[NewMessage]) -> None:
        """Append messages that no run answers. The next run reads them; no memories are formed from them.

        Raises:
            ThreadBusyError: a run is in progress.
            MessageIdTakenError: an id is already used.
        """
        texts = [validate_text(message.text, max_chars=MAX_MESSAGE_CHARS) for message in messages]
        title = next((first_words(text) for one, text in zip(messages, texts, strict=True) if one.role == "user"), "")
        thread_parameters = {"user": user, "thread": thread, "title": title}
        await self.usage.spend(user, {"messages": len(messages)})
        async with self.database.for_user(user) as connection:
            if await (await connection.execute(SQL.lock_thread, thread_parameters)).fetchone() is None:
                raise ThreadNotFoundError("the user has no such thread")
            if await (await connection.execute(SQL.active_run, thread_parameters)).fetchone():
                raise ThreadBusyError("wait until the run in progress has ended")
            for message, text in zip(messages, texts, strict=True):
                parameters = thread_parameters | {"message": message.id, "role": message.role, "text": text}
                if await (await connection.execute(SQL.append_message, parameters)).fetchone() is None:
                    raise MessageIdTakenError("the id belongs to another message")

    async def runs(
        self, user: UserId, thread: ThreadId, *, run: RunId | None = None, limit: int = 1, offset: int = 0
    ) -> list[RunRecord]:
        """The runs of a thread, the latest first, until ten minutes after their end; completions are not among them."""
        parameters = {"user": user, "thread": thread, "run": run, "limit": limit, "offset": offset}
        rows = await self.database.fetch_all(user, SQL.list_runs, parameters)
        return [
            RunRecord(
                id=RunId(str(row["id"])),
                message=MessageId(str(row["message_id"])),
                status=row["status"],
                began_at=row["began_at"],
                updated_at=row["updated_at"],
            )
            for row in rows
        ]

    async def _find(  # noqa: PLR0913 - as in `find`
        self,
        user: UserId,
        ids: Sequence[ThreadId] | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        status: ThreadStatus | None = None,
        limit: int = 1,
        offset: int = 0,
        order: ThreadOrder = "updated_at",
        ascending: bool = False,
    ) -> list[DictRow]:
        parameters = {
            "user": user,
            "ids": None if ids is None else list(ids),
            "metadata": Jsonb(validate_metadata(metadata or {})),
            "status": status,
            "limit": limit,
            "offset": offset,
            "by_creation": order == "created_at",
            "direction": 1 if ascending else -1,
        }
        return await self.database.fetch_all(user, SQL.find, parameters)


def _details(row: DictRow, opening: tuple[Message, ...]) -> ThreadDetails:
    return ThreadDetails(to_thread(row), row["metadata"], row["status"], opening)
