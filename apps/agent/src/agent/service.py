"""The agent: its interface."""

from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, generate_latest

from agent.accounts.erasure import Erasure
from agent.accounts.keys import Keys
from agent.accounts.scrub import scrub
from agent.accounts.sessions import Sessions
from agent.accounts.users import Users
from agent.background import yield_to_loop
from agent.chat.web_search import WebSearch
from agent.conversations.branches import Branches
from agent.conversations.details import DetailedThreads
from agent.conversations.transcript import Transcript
from agent.database.health import DatabaseHealth
from agent.errors import LimitExceededError
from agent.events import LoggedEvent, Position
from agent.items import Items
from agent.jobs.compaction import HistoryCompaction
from agent.jobs.drain import InboxDrainer
from agent.jobs.pending import PendingMessages
from agent.jobs.purge import ForgottenPurge
from agent.limits.usage import Usage
from agent.memory.editing.fact_limit import FactLimit, read_fact_limit
from agent.memory.editing.feedback import MemoryFeedback
from agent.memory.editing.limited_library import LimitedLibrary
from agent.memory.recall.projection import MemoryMaps
from agent.memory.records import profile
from agent.memory.records.change_stream import MemoryChanges
from agent.memory.transfer.exporter import export_lines
from agent.memory.transfer.foreign.formats import ImportFormat
from agent.memory.transfer.importer import ImportResult, import_file
from agent.models.chat import ChatModels
from agent.models.trace_feedback import TraceFeedback
from agent.runs.admission import MessageAdmission
from agent.runs.completions import Completions
from agent.runs.runs import Runs
from agent.runs.thread_deletion import ThreadDeletion
from agent.types import Memory, MemoryId, MessageFeedback, MessageId, ThreadId, User, UserId, UserMessage


@dataclass(frozen=True, slots=True)
class Agent:
    """The interface for the gateway. Methods access only the data of the user that they are given.

    Raises:
        ThreadNotFoundError: from each method that takes an existing thread, if the user has no such thread.
    """

    models: tuple[str, ...]
    """The names of the chat models, the default first."""
    offline: bool
    """True if the offline model answers."""
    unconverted_to: str
    """The configured embedding model, if the memories' vectors are to be converted to it; otherwise empty."""
    web_search: WebSearch
    users: Users
    keys: Keys
    sessions: Sessions
    threads: DetailedThreads
    branches: Branches
    thread_deletion: ThreadDeletion
    memories: LimitedLibrary
    items: Items
    feedback: MemoryFeedback
    changes: MemoryChanges
    pending: PendingMessages
    maps: MemoryMaps
    formation: InboxDrainer
    compaction: HistoryCompaction
    purge: ForgottenPurge
    completions: Completions
    usage: Usage
    registry: CollectorRegistry
    """The Prometheus metrics of this process; the gateway adds its own."""
    _chat_models: ChatModels
    _runs: Runs
    _admission: MessageAdmission
    _transcript: Transcript
    _trace_feedback: TraceFeedback | None
    _erasure: Erasure
    _health: DatabaseHealth
    _uris: frozenset[str]
    """The databases that contain user data."""

    def admit_message(self, user: UserId, thread: ThreadId, message: MessageId) -> AbstractContextManager[None]:
        """Reject a message that is above a limit, as far as this process knows; it is sent in the block.

        Raises:
            LimitExceededError: when the block is entered.
        """
        return self._admission.admit(user, thread, message)

    async def prefetch(self, user: UserId, message: UserMessage) -> None:
        """Start to moderate a message before it is sent, and to embed it unless memory is disabled."""
        self._runs.prefetch_moderation(user, message)
        if message.memory and not message.temporary and not self.users.is_paused(user):
            self._runs.prefetch_embedding(user, message.text)
            await yield_to_loop()

    async def prefetch_query(self, user: UserId, query: str) -> None:
        """Start to embed the query of a search, unless memory is disabled or a limit is reached."""
        if not self.users.is_paused(user):
            with suppress(LimitExceededError):
                self.usage.check(user, "embedded_bytes")
                self._runs.prefetch_embedding(user, query)
                await yield_to_loop()

    async def send_message(self, user: User, thread: ThreadId, message: UserMessage) -> AsyncIterator[LoggedEvent]:
        """Commit a message and return the events of its run; memory must be enabled in both message and account.

        Raises:
            UnknownModelError: the model is not configured.
            AgentError: see `Runs.start`.
        """
        self._chat_models.get(message.model)
        memory = message.memory and user.memory_enabled and not message.temporary
        return await self._runs.start(user.id, thread, replace(message, memory=memory, time_zone=user.time_zone))

    async def join(self, user: UserId, thread: ThreadId, after: str | None) -> AsyncIterator[LoggedEvent] | None:
        """Follow a run to its end, from the event with the id `after`; without one, the latest run from its start.

        Returns:
            The following events; None if the run does not exist, or has ended and has no further events.

        Raises:
            InvalidCursorError: `after` is not an event id.
        """
        position = Position.parse(after) if after else None
        await self.threads.get(user, thread)
        return await self._runs.join(user, thread, position)

    async def cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Cancel the run of a thread; False if there is none."""
        await self.threads.get(user, thread)
        return await self._runs.cancel(user, thread)

    async def rate(self, user: UserId, thread: ThreadId, message: MessageId, feedback: MessageFeedback | None) -> None:
        """Set what the user thinks of an answer, and send it to where the answer was traced; see `Threads.rate`."""
        original = await self.threads.rate(user, thread, message, feedback)
        if original is not None and self._trace_feedback is not None:
            self._trace_feedback.rate(original, feedback)

    @property
    def active_runs(self) -> int:
        """The number of runs of this process that have not ended."""
        return len(self._runs.active)

    async def wait_for_runs(self) -> None:
        """Wait until all runs of this process have ended."""
        await self._runs.wait_until_idle()

    async def interrupt_runs(self) -> int:
        """End all runs of this process, and start no others; see `Runs.interrupt`."""
        return await self._runs.interrupt()

    async def erase(self, user: UserId) -> dict[str, int]:
        """Delete the account and all its data; see `Erasure.erase`."""
        for thread in await self._transcript.busy_threads(user):
            await self._runs.stop(user, thread)
        return await self._erasure.erase(user)

    async def scrub(self) -> None:
        """Remove deleted data from the disk; see `agent.accounts.scrub.scrub`."""
        for uri in self._uris:
            await scrub(uri)

    async def profile(self, user: UserId) -> dict[str, str]:
        """The sections of the user's profile; see `Profile.texts`."""
        return (await profile.read(self.memories.store, user)).texts()

    async def undo(self, user: UserId, memory: MemoryId) -> Memory | None:
        """Undo the latest change of a memory, and process the returned inbox items; see `Library.undo`."""
        restored = await self.memories.undo(user, memory)
        await self.formation.queue.schedule_user(user)
        return restored

    async def fact_limit(self, user: UserId) -> FactLimit:
        """Compare the number of the user's facts with the limit; see `FactLimit`."""
        return await read_fact_limit(self.memories.store, user, self.formation.former.max_facts)

    def export_memories(self, user: UserId) -> AsyncIterator[bytes]:
        """Export all memory data of the user as JSON lines; see `export_lines`."""
        return export_lines(self.memories.store, user)

    async def import_memories(
        self, user: UserId, body: AsyncIterable[bytes], *, file_format: ImportFormat = "auto", dry_run: bool = False
    ) -> ImportResult:
        """Import a file, and process the imported inbox items; see `import_file`."""
        max_facts = self.formation.former.max_facts
        imported = await import_file(
            self.memories, user, body, file_format=file_format, dry_run=dry_run, max_facts=max_facts
        )
        if dry_run:
            return imported
        await self.compaction.schedule(user, datetime.now(UTC))
        if imported.pending:
            await self.formation.queue.schedule_user(user)
        return imported

    async def metrics_text(self) -> bytes:
        """Render the registry in Prometheus' text format 0.0.4, with the current backlog of formation."""
        await self.formation.measure_backlog()
        return generate_latest(self.registry)

    async def check_health(self) -> None:
        """Check the database; see `DatabaseHealth.check`."""
        await self._health.check()
