"""The runs of this process. A run continues after its client disconnects, and ends exactly once."""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from langgraph.store.base import BaseStore

from agent.background import Spawn
from agent.completions import CompletionRequest
from agent.conversations.checkpoints import ThreadStates, checkpoint_key
from agent.conversations.titles import Titles
from agent.conversations.transcript import Transcript
from agent.errors import (
    AgentError,
    InvalidTextError,
    RunInterruptedError,
    ThreadBusyError,
    ThreadNotFoundError,
)
from agent.events import (
    Event,
    LoggedEvent,
    MemoryScheduled,
    Position,
    RunFailed,
    RunFinished,
)
from agent.limits.streams import StreamLimit
from agent.memory.records import inbox, namespaces
from agent.models.embeddings import CachedEmbeddings
from agent.models.moderation import Moderator
from agent.runs.early_start import EarlyRun, EarlyStart
from agent.runs.edits import Edits
from agent.runs.event_log import EventLog
from agent.runs.event_store import EventStore
from agent.runs.graph_runner import Runner
from agent.runs.leases import INTERRUPTED, RunLeases
from agent.runs.metrics import TurnMetrics
from agent.runs.run import CANCEL_AGAIN_SECONDS, Run, replay
from agent.runs.run_state import RunState
from agent.runs.stored_reply import Reply
from agent.runs.turns import StartedTurn, Turn, Turns
from agent.text import MAX_MESSAGE_CHARS, validate_text
from agent.types import RunId, ThreadId, UserId, UserMessage

logger = logging.getLogger(__name__)

T = TypeVar("T")

STOP_SECONDS = 5.0
POLL_SECONDS = 0.05
INTERRUPT_SECONDS = 3.0


@dataclass(eq=False)
class Runs:
    """Start, join and cancel runs, also those of other processes."""

    runner: Runner
    store: BaseStore
    """The store that the graph uses."""
    states: ThreadStates
    transcript: Transcript
    turns: Turns
    event_store: EventStore
    leases: RunLeases
    embeddings: CachedEmbeddings
    """The embeddings of the graph; a run starts to embed its message while that is committed."""
    titles: Titles
    spawn: Spawn
    """Starts a background task; closing its owner cancels the runs."""
    metrics: TurnMetrics
    streams: StreamLimit
    edits: Edits
    moderator: Moderator | None = None

    def __post_init__(self) -> None:
        self._early = EarlyStart(self.moderator, self.turns, self.runner, self.spawn) if self.moderator else None
        self._active: dict[tuple[UserId, str], Run] = {}
        self.has_active = asyncio.Event()
        """Set while there are active runs."""
        self._is_stopping = False

    @property
    def active(self) -> Sequence[Run]:
        """The runs of this process that have not ended."""
        return list(self._active.values())

    async def start(self, user: UserId, thread: ThreadId, message: UserMessage) -> AsyncIterator[LoggedEvent]:
        """Commit a message, start the run that answers it, and return its events.

        If the message id is already known, join the run that is answering it, replay its reply, or retry if its run
        failed.

        Raises:
            InvalidTextError: the text is empty, too long, or cannot be stored.
            ContentFlaggedError: moderation flagged the text; nothing was stored.
            ModerationUnavailableError: moderation did not answer, and messages are rejected then.
            RunInterruptedError: the process is stopping.
            AgentError: see `Turns.begin`.
        """
        if self._is_stopping:
            raise RunInterruptedError("send the message again")
        text = validate_text(message.text, max_chars=MAX_MESSAGE_CHARS)
        turn = Turn(user, thread, RunId(str(uuid.uuid4())), replace(message, text=text))
        if message.memory:
            self.prefetch_embedding(user, text)
        async with self._early.moderated(turn) if self._early else nullcontext() as early:
            begun = await self._begin(turn)
            if isinstance(begun, StartedTurn):
                return self._launch(begun, early).state.events.subscribe()
        match begun:
            case Reply() as reply:
                return replay(turn, reply)
            case run:
                events = await self.join(user, thread, Position(run))
                if events is None:
                    raise ThreadNotFoundError("the thread was deleted in the meantime")
                return events

    async def complete(
        self, user: UserId, request: CompletionRequest, *, time_zone: str | None
    ) -> AsyncIterator[LoggedEvent]:
        """Commit the last message of a client's conversation, and return the events of the run that answers it.

        The run is cancelled when the iterator is closed before its end. For the errors, see `start`.
        """
        if self._is_stopping:
            raise RunInterruptedError("send the request again")
        turn = Turn.of_completion(user, request, time_zone=time_zone)
        if request.memory:
            self.prefetch_embedding(user, turn.message.text)
        if self.moderator is not None:
            await self.moderator.check(user, turn.message.id, request.moderated_text)
        started = await self.turns.begin(turn)
        assert isinstance(started, StartedTurn)  # noqa: S101 - `begin` returns nothing else for a completion
        return self._follow(self._launch(started, None))

    async def _follow(self, run: Run) -> AsyncIterator[LoggedEvent]:
        try:
            async for event in run.state.events.subscribe():
                yield event
        finally:
            run.cancel()

    async def join(self, user: UserId, thread: ThreadId, after: Position | None) -> AsyncIterator[LoggedEvent] | None:
        """Follow a run to its end; see `Agent.join`."""
        run = self._active.get((user, thread))
        if run is not None and (after is None or after.run == run.state.turn.run):
            return await self.streams.limited(user, run.state.events.subscribe(after))
        events = await self.event_store.join(user, thread, after)
        return events and await self.streams.limited(user, events)

    async def cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Cancel the run of a thread, in any process; False if there is none."""
        is_cancelled = [run.cancel() for run in self._runs_of(user, thread)]
        return any(is_cancelled) if is_cancelled else await self.leases.request_cancel(user, thread)

    async def stop(self, user: UserId, thread: ThreadId) -> None:
        """Cancel the run of a thread and wait for its end; for one of another process at most `STOP_SECONDS`."""
        await self.cancel(user, thread)
        if ends := [run.end_task for run in self._runs_of(user, thread) if run.end_task]:
            await asyncio.wait(ends)
        try:
            async with asyncio.timeout(STOP_SECONDS):
                while thread in await self.transcript.busy_threads(user):  # noqa: ASYNC110 - another process's run
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            logger.warning("a run of another process did not stop in time")

    async def wait_until_idle(self) -> None:
        """Wait until all runs of this process have ended."""
        while ends := [run.end_task for run in self.active if run.end_task]:
            await asyncio.wait(ends)

    async def interrupt(self) -> int:
        """End all runs of this process for good, and start no others; their text so far is kept.

        Returns:
            The number of interrupted runs.
        """
        self._is_stopping = True
        count = len(self._active)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(INTERRUPT_SECONDS):
                while runs := self.active:
                    for run in runs:
                        run.task.cancel()
                    await asyncio.wait([run.end_task for run in runs if run.end_task], timeout=CANCEL_AGAIN_SECONDS)
        return count

    def prefetch_embedding(self, user: UserId, text: str) -> None:
        """Start to embed a message, unless its text is invalid or the graph runs elsewhere."""
        if not self.runner.in_process:
            return
        with contextlib.suppress(InvalidTextError):
            text = validate_text(text, max_chars=MAX_MESSAGE_CHARS)
            self.embeddings.prefetch(text, owner=namespaces.owner(user))

    def prefetch_moderation(self, user: UserId, message: UserMessage) -> None:
        """Start to moderate a message before it is sent, unless its text is invalid or moderation is off."""
        if self.moderator is not None:
            with contextlib.suppress(InvalidTextError):
                self.moderator.prefetch(user, message.id, validate_text(message.text, max_chars=MAX_MESSAGE_CHARS))

    async def _begin(self, turn: Turn) -> StartedTurn | Reply | RunId:
        try:
            return await self.turns.begin(turn)
        except ThreadBusyError:
            if not await self.leases.end_expired(turn.user):
                raise
        return await self.turns.begin(turn)

    def _runs_of(self, user: UserId, thread: ThreadId) -> Sequence[Run]:
        return [run for run in self.active if (run.state.turn.user, run.state.turn.thread) == (user, thread)]

    def _launch(self, started: StartedTurn, early: EarlyRun | None) -> Run:
        turn = started.turn
        if early is not None and early.adopt(started):
            state, run = early.state, Run(early.state, early.task)
        else:
            state = RunState(turn, started, EventLog(turn.run))
            run = Run(state, self.spawn(self._run(state)))
        self._active[turn.key] = run
        self.has_active.set()
        run.end_task = self.spawn(self._end(run))
        return run

    async def _run(self, state: RunState) -> None:
        await self.edits.apply(state.started)
        await self.runner.run(state)

    async def _end(self, run: Run) -> None:
        """Wait for the run, commit its end, and publish its last events only then, when the thread is free."""
        state, turn = run.state, run.state.turn
        last_event = await run.outcome()
        try:
            events = await _finish_despite_cancel(self._commit(state, last_event))
        except Exception as error:
            logger.warning("the end of a run could not be saved", exc_info=error)
            events = [RunFailed(error if isinstance(error, AgentError) else AgentError("the answer was not saved"))]
        if self._active.get(turn.key) is run:  # a newer run may hold the thread already
            del self._active[turn.key]
        if not self._active:
            self.has_active.clear()
        self.metrics.count_turn(state, events[-1])
        for event in events:
            state.events.publish(event)
        if state.started.is_untitled and events[-1] == RunFinished():
            self.spawn(self.titles.improve(turn.user, turn.thread, turn.message.text, state.events.text))

    async def _commit(self, state: RunState, last_event: RunFinished | RunFailed) -> Sequence[Event]:
        status = "failed" if isinstance(last_event, RunFailed) else last_event.status
        reply = state.reply(status)
        events: list[Event] = []

        def final_events(due_at: datetime | None) -> Sequence[LoggedEvent]:
            if isinstance(last_event, RunFinished) and (completed := state.completed(reply)):
                events.append(completed)
            if due_at is not None:
                events.append(MemoryScheduled(due_at.isoformat()))
            events.append(last_event)
            return state.events.with_final(events)

        if await self.turns.end(state.turn, status, reply, final_events, in_inbox=bool(state.in_inbox)):
            return events
        return [await self._final_event_of_lost_run(state.turn)]

    async def _final_event_of_lost_run(self, turn: Turn) -> RunFinished | RunFailed:
        if await self.transcript.has_thread(turn.user, turn.thread):
            return INTERRUPTED
        await inbox.remove(self.store, turn.user, [turn.message.id])
        await self.states.adelete_thread(checkpoint_key(turn.user, turn.thread))
        return RunFinished("cancelled")


async def _finish_despite_cancel(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a short coroutine to its end, even if the current task is cancelled."""
    task = asyncio.create_task(coroutine)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        return await task
