"""The start and the end of a run, each in one transaction."""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, LiteralString, Self

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.completions import CompletionRequest, message_ids, previous_question, thread_of
from agent.conversations.threads import TEMPORARY_LIFETIME_SECONDS
from agent.conversations.titles import first_words
from agent.conversations.transcript import RUN_LEASE_SECONDS
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import (
    ChangedMeanwhileError,
    LimitExceededError,
    MessageIdTakenError,
    ThreadBusyError,
    ThreadNotFoundError,
    ThreadNotTemporaryError,
)
from agent.events import LoggedEvent
from agent.jobs.queue import FormationQueue
from agent.limits.counts import check_room
from agent.limits.message_count import MessageCount
from agent.limits.usage import Usage
from agent.models.embeddings import MAX_EMBEDDED_CHARS
from agent.runs.event_store import append_events
from agent.runs.stored_reply import Reply
from agent.text import MAX_MESSAGE_CHARS, validate_text
from agent.types import Message, MessageId, RunId, RunStatus, ThreadId, UserId, UserMessage


class SQL(Statements, file="turns.sql"):
    """Statements of `turns.sql`."""

    preview: LiteralString
    lock_user: LiteralString
    lock_user_exclusively: LiteralString
    lock_thread: LiteralString
    lock_conversation: LiteralString
    find_message: LiteralString
    insert_run: LiteralString
    uncheckpointed_messages: LiteralString
    insert_message: LiteralString
    delete_failed_reply: LiteralString
    touch_thread: LiteralString
    end_run: LiteralString
    delete_reply: LiteralString
    insert_reply: LiteralString
    mark_messages: LiteralString
    mark_message: LiteralString


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's message in a thread, and the run that answers it."""

    user: UserId
    thread: ThreadId
    run: RunId
    message: UserMessage
    requested_at: float = field(default_factory=time.perf_counter, compare=False)
    completion: CompletionRequest | None = None
    """The conversation, if the client keeps it: the run uses no checkpoint, and does not hold the thread."""
    ids: Mapping[int, MessageId] = field(default_factory=dict, compare=False)
    """The ids of the user's messages in the conversation, by their index."""

    @classmethod
    def of_completion(cls, user: UserId, request: CompletionRequest, *, time_zone: str | None) -> Self:
        """The turn that continues a conversation; `Turns.begin` finds the thread of a known one."""
        ids = message_ids(user, request)
        message = ids[request.question_index]
        text = validate_text(request.question.text, max_chars=MAX_MESSAGE_CHARS)
        question = UserMessage(text, message, request.model, request.memory, time_zone=time_zone)
        return cls(
            user, request.thread or thread_of(message), RunId(str(uuid.uuid4())), question, completion=request, ids=ids
        )

    @property
    def key(self) -> tuple[UserId, str]:
        """Identifies the run among those in progress: one of a thread, or any number of completions."""
        return self.user, self.run if self.completion else self.thread


@dataclass(frozen=True, slots=True)
class StartedTurn:
    """A turn whose run has started and holds the thread."""

    turn: Turn
    """The turn as requested, but without memory if the thread is temporary."""
    uncheckpointed: tuple[Message, ...] = ()
    """Earlier messages of the thread that its checkpoint lacks, because their runs did not complete."""
    is_retry: bool = False
    """True if the message existed already, without a complete reply."""
    is_untitled: bool = False
    """True if the thread is listed, and its title is a draft made from its first message."""
    is_new_thread: bool = False
    """True if the thread was created for the message, so that it has no checkpoint."""
    is_enqueued: bool = False
    """True if the message is not to be added to the inbox, because it was already, or must not be."""
    begins_branch: bool = False
    """True if the message is the first one of a branch, so that it may replace another one."""


FinalEvents = Callable[[datetime | None], Sequence[LoggedEvent]]
"""Called with the due time of formation, None without memory; returns the events of the run still to be saved."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Start and end turns in the database."""

    database: ScopedPool
    queue: FormationQueue
    usage: Usage

    async def begin(self, turn: Turn) -> StartedTurn | Reply | RunId:
        """Commit the message, its due time and the run, which holds the thread; create the thread if it is new.

        If the message existed already and has a reply or a run in progress, change nothing and return these, unless the
        client keeps the conversation: then it is answered again.

        Raises:
            ThreadNotFoundError: the thread belongs to another user, or is a temporary one that has expired.
            ThreadBusyError: the run of another message holds the thread.
            MessageIdTakenError: the id belongs to a message with another text or in another thread.
            ThreadNotTemporaryError: the message is temporary, but the thread is not.
            LimitExceededError: the user has sent or uses too much.
        """
        try:
            return await self._begin(turn)
        except psycopg.errors.InsufficientPrivilege as error:  # row-level security: another user's thread
            raise ThreadNotFoundError("no such thread") from error

    async def _begin(self, turn: Turn) -> StartedTurn | Reply | RunId:
        outcome: Reply | RunId | None = None
        parameters = _parameters(turn) | {"title": first_words(turn.message.text)}
        async with self.database.for_user(turn.user) as connection:
            await connection.execute(SQL.lock_user_exclusively, parameters)
            lock_thread = SQL.lock_conversation if turn.completion else SQL.lock_thread
            thread = await (await connection.execute(lock_thread, parameters)).fetchone()
            if thread is None:
                raise ThreadNotFoundError("no such thread")
            turn = _match_thread(turn, thread)
            parameters = _parameters(turn)
            # Send all statements in one round trip; the checks below can still roll the transaction back.
            found_message, inserted_run, uncheckpointed, _ = [
                await connection.execute(statement, parameters)
                for statement in (SQL.find_message, SQL.insert_run, SQL.uncheckpointed_messages, SQL.insert_message)
            ]
            is_listed, is_new = not thread["unlisted"], bool(thread["is_new"])
            count = await self._count(connection, turn, is_new_thread=is_listed and is_new)
            if turn.message.memory:
                await self.queue.schedule(connection, turn.user)
            existing = await found_message.fetchone()
            if existing and (outcome := _existing_outcome(turn, existing)):
                raise psycopg.Rollback
            if await inserted_run.fetchone() is None:
                raise ThreadBusyError("wait until the run in progress has ended")
            if count:
                await count.check()
            if existing and existing["reply_id"]:
                await connection.execute(SQL.delete_failed_reply, parameters)
            earlier = _earlier_messages(turn, await uncheckpointed.fetchall())
            is_untitled = not turn.message.temporary and is_listed and bool(thread["title_is_draft"])
        if count and outcome is None:
            count.record()
        return outcome or StartedTurn(
            turn,
            earlier,
            is_retry=existing is not None,
            is_untitled=is_untitled,
            is_new_thread=is_new,
            is_enqueued=bool(turn.completion and existing and existing["enqueued"]),
            begins_branch=bool(thread["begins_branch"]),
        )

    async def _count(
        self, connection: AsyncConnection[DictRow], turn: Turn, *, is_new_thread: bool
    ) -> MessageCount | None:
        if not self.usage.limits.concern_messages:
            return None
        text = turn.message.text[:MAX_EMBEDDED_CHARS] if turn.message.memory else ""
        size = len(text.encode())
        return await MessageCount.send(
            self.usage, connection, turn.user, embedded_bytes=size, is_new_thread=is_new_thread
        )

    async def predict(self, turn: Turn) -> StartedTurn | None:
        """Predict what `begin` will return for a new message, without changing anything.

        Returns:
            The turn; None if the message exists, the thread has a run in progress or a limit is reached.
        """
        parameters = _parameters(turn)
        try:
            self.usage.check(turn.user, "messages", "tokens", "embedded_bytes")
            async with self.database.for_user(turn.user) as connection:
                preview = await (await connection.execute(SQL.preview, parameters)).fetchone()
                uncheckpointed = await connection.execute(SQL.uncheckpointed_messages, parameters)
                is_new_thread = preview is not None and preview["temporary"] is None
                await check_room(connection, self.usage.limits, turn.user, is_new_thread=is_new_thread)
                earlier = _earlier_messages(turn, await uncheckpointed.fetchall())
        except LimitExceededError:
            return None
        if preview is None or preview["is_taken"]:
            return None
        return StartedTurn(_without_memory(turn) if preview["temporary"] else turn, earlier)

    async def end(
        self, turn: Turn, status: RunStatus, reply: Reply | None, final_events: FinalEvents, *, in_inbox: bool
    ) -> bool:
        """Commit the end of a run with its reply, its due time and its last events; this releases the thread.

        If another process has already ended the run, or it was deleted, change nothing and return False.
        """
        is_seen = status == "completed" and not turn.completion
        parameters = _parameters(turn) | {"status": status, "in_inbox": in_inbox, "seen": is_seen}
        with suppress(ChangedMeanwhileError):  # the thread or the account was just deleted
            async with self.database.for_user(turn.user) as connection:
                # Send all statements but the last in one round trip; without the run, they are rolled back.
                for statement in (SQL.lock_user, SQL.touch_thread):
                    await connection.execute(statement, parameters)
                ended = await connection.execute(SQL.end_run, parameters)
                if reply is not None:
                    if turn.completion:
                        await connection.execute(SQL.delete_reply, parameters)
                    await connection.execute(SQL.insert_reply, parameters | reply.row())
                    if self.usage.limits.quotas["tokens"].limit:
                        await self.usage.add(connection, turn.user, {"tokens": reply.tokens})
                await connection.execute(SQL.mark_message if turn.completion else SQL.mark_messages, parameters)
                due_at = await self.queue.schedule(connection, turn.user) if turn.message.memory else None
                if await ended.fetchone() is None:
                    raise psycopg.Rollback
                events = final_events(due_at)
                if not turn.completion:  # nobody can rejoin the others
                    await append_events(connection, turn.user, events)
                return True
        return False  # after the rollback


def _match_thread(turn: Turn, thread: DictRow) -> Turn:
    """Adapt a turn to its thread: in a temporary thread every message is temporary and without memory."""
    if turn.completion:
        return replace(turn, thread=ThreadId(str(thread["id"])))
    if not thread["temporary"]:
        if turn.message.temporary:
            raise ThreadNotTemporaryError("send a temporary message to a new thread")
        return turn
    return _without_memory(turn)


def _without_memory(turn: Turn) -> Turn:
    return replace(turn, message=replace(turn.message, temporary=True, memory=False))


def _earlier_messages(turn: Turn, rows: Sequence[DictRow]) -> tuple[Message, ...]:
    return tuple(
        Message(MessageId(str(row["id"])), row["role"], row["text"], row["ts"])
        for row in rows
        if turn.message.id not in {str(row["id"]), str(row["reply_to"])}
    )


def _existing_outcome(turn: Turn, existing: DictRow) -> Reply | RunId | None:
    if str(existing["thread_id"]) != turn.thread or existing["text"] != turn.message.text:
        raise MessageIdTakenError("the id belongs to another message")
    if turn.completion:
        return None
    if existing["run_id"] is not None:
        return RunId(str(existing["run_id"]))
    if existing["reply_id"] is None or existing["status"] == "failed":
        return None
    return Reply.of_row(existing)


def _parameters(turn: Turn) -> dict[str, Any]:
    request = turn.completion
    return {
        "stateless": request is not None,
        "unlisted": request is not None and request.thread is None,
        "previous": previous_question(request, turn.ids) if request else None,
        "user": turn.user,
        "thread": turn.thread,
        "run": turn.run,
        "message": turn.message.id,
        "text": turn.message.text,
        "memory": turn.message.memory,
        "temporary": turn.message.temporary,
        "temporary_seconds": TEMPORARY_LIFETIME_SECONDS,
        "lease_seconds": RUN_LEASE_SECONDS,
    }
