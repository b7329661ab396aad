"""Starting the graph of a run while its message is moderated; nothing is written before the turn is committed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from langsmith.utils import tracing_is_enabled

from agent.background import Spawn, yield_to_loop
from agent.conversations.commit_gate import CommitGate
from agent.models.moderation import Moderator
from agent.runs.event_log import EventLog
from agent.runs.graph_runner import Runner
from agent.runs.run_state import RunState
from agent.runs.turns import StartedTurn, Turn, Turns

MAX_COMMIT_DELAY_SECONDS = 0.05
"""How long an accepted turn waits for its graph to call the model before it is committed."""


@dataclass(frozen=True, slots=True)
class EarlyRun:
    """A run whose graph waits at the commit gate."""

    state: RunState
    gate: CommitGate
    task: asyncio.Task[None]

    def adopt(self, started: StartedTurn) -> bool:
        """Let the graph continue as the run of a committed turn; False if the turn is not as predicted."""
        predicted = self.state.started
        is_predicted = (started.turn, started.uncheckpointed) == (predicted.turn, predicted.uncheckpointed)
        if started.is_retry or started.begins_branch or not is_predicted:
            return False
        self.state.started = started
        self.gate.open()
        return True

    async def call_model(self) -> None:
        """Let the graph call the model, and wait a little until it has: the commit would compete with its search."""
        self.gate.accept()
        reached = asyncio.create_task(self.gate.is_reached.wait())
        try:
            timeout = MAX_COMMIT_DELAY_SECONDS
            await asyncio.wait([reached, self.task], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            reached.cancel()
        await yield_to_loop()


@dataclass(frozen=True, slots=True)
class EarlyStart:
    """Moderates messages, and meanwhile recalls memories for them."""

    moderator: Moderator
    turns: Turns
    runner: Runner
    spawn: Spawn

    @asynccontextmanager
    async def moderated(self, turn: Turn) -> AsyncIterator[EarlyRun | None]:
        """Enter the block once the message is accepted; if its run is not adopted in it, cancel the run.

        Raises:
            ContentFlaggedError: the message was flagged.
            ModerationUnavailableError: the endpoint did not answer, and messages are rejected then.
        """
        self.moderator.prefetch(turn.user, turn.message.id, turn.message.text)
        # A trace contains the message as soon as the graph starts.
        waits = tracing_is_enabled() or not self.runner.in_process
        early = None if waits else await self._launch(turn)
        try:
            await self.moderator.check(turn.user, turn.message.id, turn.message.text)
            if early is not None:
                await early.call_model()
            yield early
        finally:
            if early is not None and not early.gate.is_open:
                early.gate.refuse()
                early.task.cancel()

    async def _launch(self, turn: Turn) -> EarlyRun | None:
        started, gate = await self.turns.predict(turn), CommitGate()
        if started is None:
            return None
        state = RunState(started.turn, started, EventLog(turn.run), gate=gate)
        task = self.spawn(self.runner.run(state))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody awaits a refused run
        return EarlyRun(state, gate, task)
