"""Turns: the begin and the end of a run, each in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, LiteralString

import psycopg
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.conversations.threads import TEMPORARY_LIFETIME_SECONDS
from agent.conversations.titles import first_words
from agent.conversations.transcript import RUN_LEASE_SECONDS
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import MessageIdTakenError, ThreadBusyError, ThreadNotFoundError, ThreadNotTemporaryError
from agent.events import LoggedEvent
from agent.jobs.queue import FormationQueue
from agent.runs.event_store import append_events
from agent.types import Hit, Message, MessageId, RunId, RunStatus, ThreadId, UserId, UserMessage


class SQL(Statements, file="turns.sql"):
    """Statements of `turns.sql`."""

    hold_user: LiteralString
    hold_thread: LiteralString
    said_before: LiteralString
    begin_run: LiteralString
    unseen: LiteralString
    say: LiteralString
    retract: LiteralString
    touch_thread: LiteralString
    end_run: LiteralString
    reply: LiteralString
    settle: LiteralString


@dataclass(frozen=True, slots=True)
class Turn:
    """One run: whose, where, and on what message."""

    user: UserId
    thread: ThreadId
    run: RunId
    message: UserMessage


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's message to a turn."""

    id: MessageId
    text: str
    hits: tuple[Hit, ...] = ()
    usage: dict[str, int] = field(default_factory=dict)
    status: RunStatus = "completed"


@dataclass(frozen=True, slots=True)
class StartedTurn:
    """A run that holds its thread."""

    turn: Turn
    """What it answers: in a temporary thread without memory, whatever was asked for."""
    uncheckpointed: tuple[Message, ...] = ()
    """What was said in the thread, and its checkpoint does not have: runs broke off there."""
    is_retry: bool = False
    """Whether the message was there already, without a whole answer."""
    is_untitled: bool = False
    """Whether the thread is called by its first words so far."""


@dataclass(frozen=True, slots=True)
class RunInProgress:
    """The message was there already, and this run is answering it."""

    run: RunId


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How a run ends: with what reply, if any, and whether its message has reached the inbox."""

    status: RunStatus
    reply: Reply | None
    in_inbox: bool


FinalEvents = Callable[[datetime | None], Sequence[LoggedEvent]]
"""Gives what is still to be recorded of a run, told when its message will be distilled."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Begins and ends turns.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: ScopedPool
    queue: FormationQueue

    async def begin(self, turn: Turn) -> StartedTurn | RunInProgress | Reply:
        """Commit a message, its due time, and the run that holds the thread, which is made if it is new.

        Returns:
            The run's state; or, when the message was said before, the run that is answering it or the reply that it
            has. Then nothing is changed.

        Raises:
            ThreadNotFoundError: the thread is not the user's.
            ThreadBusyError: a run holds it that answers another message.
            MessageIdTakenError: the id belongs to another text, or to a message of another thread.
            ThreadNotTemporaryError: the message is not to be kept, and the thread is.
        """
        try:
            with translated_errors():
                return await self._begin(turn)
        except psycopg.errors.InsufficientPrivilege as error:  # the wall stands before somebody else's thread
            raise ThreadNotFoundError("no such thread") from error

    async def _begin(self, turn: Turn) -> StartedTurn | RunInProgress | Reply:
        found: RunInProgress | Reply | None = None
        named = _parameters(turn)
        async with self.database.for_user(turn.user) as connection:
            await connection.execute(SQL.hold_user, named)
            held = await (await connection.execute(SQL.hold_thread, named)).fetchone()
            turn = _match_thread(turn, held)
            named = _parameters(turn)
            # All of this is sent at once; whatever is found out then, the transaction can still be taken back.
            said_before, begin_run, unseen, _ = [
                await connection.execute(statement, named)
                for statement in (SQL.said_before, SQL.begin_run, SQL.unseen, SQL.say)
            ]
            if turn.message.memory:
                await self.queue.schedule(connection, turn.user)
            known = await said_before.fetchone()
            if known and (found := _existing_outcome(turn, known)):
                raise psycopg.Rollback
            if await begin_run.fetchone() is None:
                raise ThreadBusyError("wait for its end")
            if known and known["reply_id"]:
                await connection.execute(SQL.retract, named)
            others = tuple(
                Message(MessageId(str(row["id"])), row["role"], row["text"], row["ts"])
                for row in await unseen.fetchall()
                if turn.message.id not in {str(row["id"]), str(row["reply_to"])}
            )
            is_untitled = not turn.message.temporary and held is not None and held["title_is_draft"]
        return found or StartedTurn(turn, others, is_retry=known is not None, is_untitled=is_untitled)

    async def end(self, turn: Turn, turn_end: TurnEnd, final_events: FinalEvents) -> bool:
        """Commit the end of a run: the reply, the due time, and what it tells last; from then on the thread is free.

        Returns:
            Whether it could end. If not, it has been ended by somebody else, and nothing is changed.
        """
        named = _parameters(turn) | {"status": turn_end.status, "noted": turn_end.in_inbox}
        named["seen"] = turn_end.status == "completed"
        has_ended = False
        with translated_errors():
            async with self.database.for_user(turn.user) as connection:
                for statement in (SQL.hold_user, SQL.touch_thread):
                    await connection.execute(statement, named)
                ended = await connection.execute(SQL.end_run, named)
                if await ended.fetchone() is None:
                    raise psycopg.Rollback
                if turn_end.reply is not None:
                    await connection.execute(SQL.reply, named | _reply_parameters(turn_end.reply))
                await connection.execute(SQL.settle, named)
                due_at = await self.queue.schedule(connection, turn.user) if turn.message.memory else None
                await append_events(connection, turn.user, final_events(due_at))
                has_ended = True
        return has_ended


def _match_thread(turn: Turn, thread: DictRow | None) -> Turn:
    """Return the turn as its thread has it, None for a thread that is not there: a temporary one remembers nothing."""
    if thread is None:
        raise ThreadNotFoundError("no such thread")
    if not thread["temporary"]:
        if turn.message.temporary:
            raise ThreadNotTemporaryError("what is not to be kept begins a new thread")
        return turn
    return replace(turn, message=replace(turn.message, temporary=True, memory=False))


def _existing_outcome(turn: Turn, known: DictRow) -> RunInProgress | Reply | None:
    """Return what answers a message already; a failed reply does not."""
    if str(known["thread_id"]) != turn.thread or known["text"] != turn.message.text:
        raise MessageIdTakenError("the id belongs to another message")
    if known["run_id"] is not None:
        return RunInProgress(RunId(str(known["run_id"])))
    if known["reply_id"] is None or known["status"] == "failed":
        return None
    hits = tuple(Hit(**hit) for hit in known["memories"] or ())
    return Reply(MessageId(str(known["reply_id"])), known["reply"], hits, known["usage"] or {}, known["status"])


def _parameters(turn: Turn) -> dict[str, Any]:
    return {
        "user": turn.user,
        "thread": turn.thread,
        "run": turn.run,
        "message": turn.message.id,
        "text": turn.message.text,
        "remembered": turn.message.memory,
        "title": first_words(turn.message.text),
        "temporary": turn.message.temporary,
        "temporary_seconds": TEMPORARY_LIFETIME_SECONDS,
        "lease_seconds": RUN_LEASE_SECONDS,
    }


def _reply_parameters(reply: Reply) -> dict[str, Any]:
    return {
        "reply": reply.id,
        "text": reply.text,
        "memories": Jsonb([hit.as_dict() for hit in reply.hits]),
        "usage": Jsonb(reply.usage),
    }
