"""Formation of what the LangGraph server has not processed."""

from dataclasses import dataclass

from agent.jobs.drain import InboxDrainer
from agent.remote.runner import RemoteRunner
from agent.remote.threads import RemoteThreads
from agent.types import FormationResult, ThreadId, UserId


@dataclass(frozen=True, slots=True)
class RemoteDrainer(InboxDrainer):
    """Processes messages of turns whose last node did not run, for example because the model or the server failed.

    The server and this process must not process the same messages at the same time.
    """

    runner: RemoteRunner
    threads: RemoteThreads

    async def flush(self, user: UserId) -> FormationResult:
        """Wait for the server, and process what remains; see `InboxDrainer.flush`."""
        await self.runner.wait_until_formed(user)
        return await InboxDrainer.flush(self, user)

    async def _busy_threads(self, user: UserId) -> frozenset[ThreadId]:
        """Include the threads from which the server forms memories, also for other processes."""
        return await self.transcript.busy_threads(user) | await self.threads.list_busy(user)
