"""Runs: one answer each, which goes on when its client leaves, and ends exactly once."""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from agent.background import Spawn
from agent.chat.repair import ResilientGraph
from agent.conversations.checkpoints import checkpoint_key
from agent.conversations.titles import Titles
from agent.conversations.transcript import Transcript
from agent.errors import AgentError, EmbedderUnavailableError, InvalidTextError, ThreadBusyError, ThreadNotFoundError
from agent.events import (
    Event,
    LoggedEvent,
    MemoryRecalled,
    MemoryScheduled,
    MessageCompleted,
    Position,
    RunFailed,
    RunFinished,
    RunStarted,
    Token,
)
from agent.memory.records import inbox
from agent.models.embeddings import CachedEmbeddings
from agent.runs.run_state import RunState
from agent.runs.event_log import EventLog
from agent.runs.event_store import EventStore
from agent.runs.graph_runner import GraphRunner
from agent.runs.leases import INTERRUPTED, RunLeases
from agent.runs.turns import Reply, RunInProgress, StartedTurn, Turn, TurnEnd, Turns
from agent.text import MAX_MESSAGE_CHARS, validate_text
from agent.types import RunId, ThreadId, UserId, UserMessage

logger = logging.getLogger(__name__)

T = TypeVar("T")

STOP_SECONDS = 5.0
POLL_SECONDS = 0.05


@dataclass(eq=False, slots=True)
class Run:
    """A run of this process: the answer, the task that gives it, and the one that then ends it."""

    state: RunState
    task: asyncio.Task[None]
    end_task: asyncio.Task[None] | None = None
    is_cancelled: bool = False

    def cancel(self) -> bool:
        """Cut the answer short; say whether there was still something to cut."""
        if self.is_cancelled or self.task.done():
            return False
        self.is_cancelled = True
        return self.task.cancel()


class Runs:
    """The runs of this process, and a way to those of others.

    Args:
        graph: the compiled chat graph, with a store and a checkpointer.
        transcript: the messages of every thread.
        turns: begins and ends runs.
        recordings: where it is kept what runs tell.
        leases: what other processes know of our runs, and we of theirs.
        embeddings: what the graph embeds with; a run begins to embed while its message is being committed.
        titles: what gives a thread a better title once something is answered in it.
        spawn: starts a task that somebody owns: whoever closes it ends the runs.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - each is one part
        self,
        graph: ResilientGraph,
        transcript: Transcript,
        turns: Turns,
        event_store: EventStore,
        leases: RunLeases,
        embeddings: CachedEmbeddings,
        titles: Titles,
        spawn: Spawn,
    ) -> None:
        self._graph = graph
        self._runner = GraphRunner(graph)
        self._transcript = transcript
        self._turns = turns
        self._event_store = event_store
        self._leases = leases
        self._embeddings = embeddings
        self._titles = titles
        self._spawn = spawn
        self._active: dict[tuple[UserId, ThreadId], Run] = {}

    @property
    def active(self) -> Sequence[Run]:
        """The runs that have not ended."""
        return list(self._active.values())

    async def start(self, user: UserId, thread: ThreadId, message: UserMessage) -> AsyncIterator[LoggedEvent]:
        """Commit a message and begin to answer it; what is yielded ends with `RunFinished` or `RunFailed`.

        Saying a message again under its id joins the run that answers it, yields the answer that it already has, or
        tries again where that one failed.

        Raises:
            InvalidTextError: the text is empty, too long, or cannot be kept.
            ThreadNotFoundError: the thread is not the user's.
            ThreadBusyError: an earlier message is still being answered.
            MessageIdTakenError: the id belongs to another message.
            ThreadNotTemporaryError: the message is not to be kept, and the thread is.
        """
        text = validate_text(message.text, max_chars=MAX_MESSAGE_CHARS)
        turn = Turn(user, thread, RunId(str(uuid.uuid4())), replace(message, text=text))
        if message.memory:
            self.prefetch_embedding(text)
        match await self._begin(turn):
            case StartedTurn() as begun:
                return self._launch(begun).subscribe()
            case RunInProgress(run):
                joined = await self.join(user, thread, Position(run))
                if joined is None:
                    raise ThreadNotFoundError("it was deleted in this very moment")
                return joined
            case Reply() as reply:
                return _replay(turn, reply)

    async def join(self, user: UserId, thread: ThreadId, after: Position | None) -> AsyncIterator[LoggedEvent] | None:
        """Return what a run tells behind a position, until its end; without one, of the thread's latest from its start.

        None when there is nothing, and there will be nothing.
        """
        run = self._active.get((user, thread))
        if run is not None and (after is None or after.run == run.state.turn.run):
            return run.state.events.subscribe(after)
        return await self._event_store.join(user, thread, after)

    async def cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Stop the answer that a thread is giving, in whatever process; say whether there was one."""
        run = self._active.get((user, thread))
        return run.cancel() if run is not None else await self._leases.request_cancel(user, thread)

    async def stop(self, user: UserId, thread: ThreadId) -> None:
        """Stop the answer that a thread is giving, and wait for its end; in another process, not for ever."""
        await self.cancel(user, thread)
        if (run := self._active.get((user, thread))) and run.end_task:
            await asyncio.wait([run.end_task])
        try:
            async with asyncio.timeout(STOP_SECONDS):
                while thread in await self._transcript.busy_threads(user):  # noqa: ASYNC110 - another process's run
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            logger.warning("a run of another process did not stop in time")

    async def _begin(self, turn: Turn) -> StartedTurn | RunInProgress | Reply:
        try:
            return await self._turns.begin(turn)
        except ThreadBusyError:
            if not await self._leases.end_lost(turn.user):
                raise
        return await self._turns.begin(turn)

    def prefetch_embedding(self, text: str) -> None:
        """Begin to embed what somebody says, if it can be said at all."""
        with contextlib.suppress(InvalidTextError):
            self._spawn(self._embed(validate_text(text, max_chars=MAX_MESSAGE_CHARS)))

    async def _embed(self, text: str) -> None:
        """Embed ahead of the graph, which waits for this very call."""
        try:
            await self._embeddings.aembed_query(text)
        except EmbedderUnavailableError:
            logger.debug("the message could not be embedded ahead; recall will tell")

    def _launch(self, begun: StartedTurn) -> EventLog:
        turn = begun.turn
        answer = RunState(turn, begun, EventLog(turn.run))
        run = Run(answer, self._spawn(self._runner.run(answer)))
        self._active[turn.user, turn.thread] = run
        run.end_task = self._spawn(self._end(run))
        return answer.events

    async def _end(self, run: Run) -> None:
        """Wait for the answer, commit its end, and only then tell it: whoever hears it finds the thread free."""
        answer, turn = run.state, run.state.turn
        last = await _outcome(run)
        try:
            events = await _finish_despite_cancel(self._commit(answer, last))
        except Exception as error:
            logger.warning("the end of a run could not be kept", exc_info=error)
            events = [RunFailed(error if isinstance(error, AgentError) else AgentError("the answer could not be kept"))]
        if self._active.get((turn.user, turn.thread)) is run:  # another may hold the thread by now
            del self._active[turn.user, turn.thread]
        for event in events:
            answer.events.publish(event)
        if answer.started.is_untitled and events[-1] == RunFinished():
            self._spawn(self._titles.improve(turn.user, turn.thread, turn.message.text, answer.events.text))

    async def _commit(self, answer: RunState, last: RunFinished | RunFailed) -> Sequence[Event]:
        """Commit what there is, and return what is to be told of it."""
        status = "failed" if isinstance(last, RunFailed) else last.status
        reply = answer.reply(status)
        events: list[Event] = []

        def closing(due_at: datetime | None) -> Sequence[LoggedEvent]:
            if reply is not None and isinstance(last, RunFinished):
                events.append(MessageCompleted(reply.id, reply.text, reply.usage))
            if due_at is not None:
                events.append(MemoryScheduled(due_at.isoformat()))
            events.append(last)
            return answer.events.with_final(events)

        if await self._turns.end(answer.turn, TurnEnd(status, reply, bool(answer.in_inbox)), closing):
            return events
        return [await self._final_event_of_lost_run(answer.turn)]

    async def _final_event_of_lost_run(self, turn: Turn) -> RunFinished | RunFailed:
        """Return how a run ended that others have ended; if the thread is gone, so goes what the run has written."""
        if await self._transcript.has_thread(turn.user, turn.thread):
            return INTERRUPTED
        if store := self._graph.graph.store:
            await inbox.remove(store, turn.user, [turn.message.id])
        await self._graph.checkpoints.adelete_thread(checkpoint_key(turn.user, turn.thread))
        return RunFinished("cancelled")


async def _finish_despite_cancel(work: Coroutine[Any, Any, T]) -> T:
    """Do something that is short, also when we are cancelled meanwhile."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        return await task


async def _outcome(run: Run) -> RunFinished | RunFailed:
    """Wait for the answer, and return how it ended."""
    try:
        await run.task
    except asyncio.CancelledError:
        await asyncio.wait([run.task])  # when it is us who are cancelled, it is too
        return RunFinished("cancelled") if run.is_cancelled else INTERRUPTED
    except AgentError as error:
        return RunFailed(error)
    except Exception:
        logger.exception("a run failed")
        return RunFailed(AgentError("the answer could not be given"))
    return RunFinished()


async def _replay(turn: Turn, reply: Reply) -> AsyncIterator[LoggedEvent]:
    telling = EventLog(turn.run)
    for event in (
        RunStarted(turn.run, turn.thread, turn.message.id),
        MemoryRecalled(reply.hits, tip_chars=0, degraded=False, elapsed_ms=0.0),
        Token(reply.text),
        MessageCompleted(reply.id, reply.text, reply.usage),
        RunFinished("cancelled" if reply.status == "cancelled" else "completed"),
    ):
        telling.publish(event)
    async for told in telling.subscribe():
        yield told
