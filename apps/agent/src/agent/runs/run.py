"""One run of this process: its task, its cancellation, and how it ended."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

from agent.errors import AgentError
from agent.events import (
    LoggedEvent,
    MemoryRecalled,
    MessageCompleted,
    RunFailed,
    RunFinished,
    RunStarted,
    Token,
)
from agent.runs.event_log import EventLog
from agent.runs.leases import INTERRUPTED
from agent.runs.run_state import RunState
from agent.runs.stored_reply import Reply
from agent.runs.turns import Turn

logger = logging.getLogger(__name__)

CANCEL_AGAIN_SECONDS = 0.5  # a task may swallow a cancellation; see `raise_if_cancelled`


@dataclass(eq=False, slots=True)
class Run:
    """A run of this process, the task that executes it, and the task that then ends it."""

    state: RunState
    task: asyncio.Task[None]
    end_task: asyncio.Task[None] | None = None
    is_cancelled: bool = False

    def cancel(self) -> bool:
        """Cancel the run; False if it is complete.

        The cancellation is repeated until the task has ended: before Python 3.12, `asyncio.wait_for` may swallow it.
        """
        if self.task.done():
            return False
        if not self.is_cancelled:
            self.is_cancelled = True
            asyncio.get_running_loop().call_later(CANCEL_AGAIN_SECONDS, self._cancel_again)
        return self.task.cancel()

    def _cancel_again(self) -> None:
        if self.task.cancel():
            asyncio.get_running_loop().call_later(CANCEL_AGAIN_SECONDS, self._cancel_again)

    async def outcome(self) -> RunFinished | RunFailed:
        """Wait for the task; return how the run ended."""
        try:
            await self.task
        except asyncio.CancelledError:
            await asyncio.wait([self.task])  # if this task was cancelled, so was the run
            return RunFinished("cancelled") if self.is_cancelled else INTERRUPTED
        except Exception as error:
            if self.is_cancelled:
                return RunFinished("cancelled")
            if isinstance(error, AgentError):
                return RunFailed(error)
            logger.exception("a run failed")
            return RunFailed(AgentError("the answer failed"))
        return RunFinished()


def replay(turn: Turn, reply: Reply) -> AsyncIterator[LoggedEvent]:
    """The events of a run that has ended, with all tokens in one."""
    log = EventLog(turn.run)
    for event in (
        RunStarted(turn.run, turn.thread, turn.message.id),
        MemoryRecalled(reply.memories),
        Token(reply.text),
        MessageCompleted(reply.id, reply.text, reply.usage, reply.finish_reason, reply.sources, reply.model),
        RunFinished("cancelled" if reply.status == "cancelled" else "completed"),
    ):
        log.publish(event)
    return log.subscribe()
