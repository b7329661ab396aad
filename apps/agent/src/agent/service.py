"""The agent: its interface, and the composition root that opens and closes all resources."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import openai
from prometheus_client import CollectorRegistry, generate_latest

from agent.accounts.erasure import Erasure
from agent.accounts.keys import Keys
from agent.accounts.scrub import scrub
from agent.accounts.sessions import Sessions
from agent.accounts.users import Users
from agent.background import background_tasks, yield_to_loop
from agent.chat.repair import ResilientGraph
from agent.chat.toolbox import Toolbox
from agent.chat.web_search import WebSearch, make_web_search
from agent.conversations.branches import Branches
from agent.conversations.details import DetailedThreads
from agent.conversations.temporary import TemporaryThreads
from agent.conversations.titles import Titles
from agent.conversations.transcript import Transcript
from agent.database import open_database, open_pool
from agent.database.health import DatabaseHealth
from agent.database.row_security import ScopedPool
from agent.events import LoggedEvent, Position
from agent.items import Items
from agent.jobs.compaction import HistoryCompaction
from agent.jobs.drain import InboxDrainer
from agent.jobs.jobs import Jobs
from agent.jobs.metrics import FormationMetrics
from agent.jobs.pending import PendingMessages
from agent.jobs.purge import ForgottenPurge
from agent.jobs.queue import FormationQueue
from agent.language.warm_up import compile_patterns
from agent.limits.quotas import Limits
from agent.limits.streams import StreamLimit
from agent.limits.usage import Usage
from agent.memory.editing.fact_limit import FactLimit, read_fact_limit
from agent.memory.editing.feedback import MemoryFeedback
from agent.memory.editing.limited_library import LimitedLibrary
from agent.memory.formation.digest import make_digester
from agent.memory.formation.former_factory import make_former
from agent.memory.formation.history_summary import HistorySummariser
from agent.memory.recall.projection import MemoryMaps
from agent.memory.records import profile
from agent.memory.records.change_stream import MemoryChanges
from agent.memory.transfer.exporter import export_lines
from agent.memory.transfer.foreign.formats import ImportFormat
from agent.memory.transfer.importer import ImportResult, import_file
from agent.models.chat import ChatModels, make_chat_models
from agent.models.moderation import make_moderator
from agent.models.tracing import open_tracing
from agent.opentelemetry import open_opentelemetry
from agent.runs.admission import MessageAdmission
from agent.runs.completions import Completions
from agent.runs.event_store import EventStore
from agent.runs.heartbeat import Heartbeat
from agent.runs.leases import RunLeases
from agent.runs.metrics import TurnMetrics
from agent.runs.runs import Runs
from agent.runs.thread_deletion import ThreadDeletion
from agent.runs.turns import Turns
from agent.settings import AgentSettings
from agent.store.change_reader import ChangeFeed
from agent.store.factory import store_uri
from agent.types import Memory, MemoryId, MessageId, ThreadId, User, UserId, UserMessage
from agent.wiring import build_graph, make_registry, open_embeddings, open_recaller, open_tables

POOL_CONNECTIONS = 12


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


@asynccontextmanager
async def open_agent(
    settings: AgentSettings, *, start_worker: bool = True, embedded_uri: str = ""
) -> AsyncIterator[Agent]:
    """Open all resources of the agent.

    Args:
        settings: the settings.
        start_worker: also start the tasks that form memories and maintain the store.
        embedded_uri: URI of the embedded Postgres, if another process runs it.

    Raises:
        SetupError: the settings, the database or an optional package do not fit; the message says what to do.
    """
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(open_tracing())
        uri = embedded_uri or await stack.enter_async_context(open_database(settings))
        http = await stack.enter_async_context(openai.DefaultAioHttpClient(follow_redirects=False))
        await stack.enter_async_context(open_opentelemetry(settings, http))
        settings, embeddings = await open_embeddings(configured := settings, uri, http)
        database = ScopedPool(await stack.enter_async_context(open_pool(uri, size=POOL_CONNECTIONS, name="own")))
        store, saver = await stack.enter_async_context(open_tables(settings, uri, embeddings, database.pool.probe))
        recaller = await stack.enter_async_context(open_recaller(settings, embeddings, store))
        models, web_search = make_chat_models(settings, http), make_web_search(settings, http)
        queue = FormationQueue(database, settings.debounce_seconds, settings.debounce_max_wait_seconds)
        transcript, purge = Transcript(database), ForgottenPurge(store, database)
        former = make_former(settings, models.extraction, transcript.read_context)
        metrics = FormationMetrics(registry := make_registry(database, saver, store, recaller.replica))
        drainer = InboxDrainer(store, former, queue, transcript, metrics, settings.formation_deadline_seconds)
        spawn = await stack.enter_async_context(background_tasks())
        limits, users = Limits.of(settings), Users(database)
        usage, streams = Usage(database, limits, spawn), StreamLimit(database, limits.streams, spawn)
        compaction = HistoryCompaction(store, database, HistorySummariser(make_digester(settings, models.extraction)))
        if start_worker:
            Jobs(drainer, compaction, purge).start(spawn, settings, uri)
        spawn(recaller.calibrator.calibrate(users))
        spawn(asyncio.to_thread(compile_patterns))
        graph = build_graph(settings, recaller, models, Toolbox(web_search, transcript, purge))
        chat = ResilientGraph(graph.compile(store=store, checkpointer=saver), saver)
        event_store, leases, feed = EventStore(database), RunLeases(database), ChangeFeed(store_uri(settings, uri))
        titles = Titles(database, models.extraction if settings.model_titles and not settings.offline else None)
        temporary, turn_metrics = TemporaryThreads(database, saver), TurnMetrics(registry)
        turns, moderator = Turns(database, queue, usage), make_moderator(settings, http, turn_metrics.count_moderation)
        runs = Runs(
            chat,
            graph.compile(store=store),
            transcript,
            turns,
            event_store,
            leases,
            embeddings,
            titles,
            spawn,
            turn_metrics,
            streams,
            moderator,
        )
        admission = MessageAdmission(runs, usage)
        for task in (usage, streams, temporary, feed, Heartbeat(runs, leases, event_store)):
            spawn(task.run())
        threads, branches = DetailedThreads(database, usage), Branches(database, usage)
        memories = LimitedLibrary(store, transcript, purge, usage=usage, recaller=recaller)
        yield Agent(
            models=settings.models,
            offline=settings.offline,
            unconverted_to="" if settings is configured else configured.embedder,
            web_search=web_search,
            users=users,
            keys=Keys(database, users, spawn),
            sessions=Sessions(database),
            threads=threads,
            branches=branches,
            thread_deletion=ThreadDeletion(threads, branches, transcript, runs, memories, saver, temporary),
            memories=memories,
            feedback=MemoryFeedback(memories, embeddings, recaller.calibrator.model, transcript),
            pending=PendingMessages(store, transcript),
            maps=MemoryMaps(store),
            changes=MemoryChanges(store, feed, streams),
            items=Items(store, usage),
            formation=drainer,
            compaction=compaction,
            purge=purge,
            completions=Completions(runs, admission, transcript, models, users),
            usage=usage,
            registry=registry,
            _chat_models=models,
            _runs=runs,
            _admission=admission,
            _transcript=transcript,
            _erasure=Erasure(database, store),
            _health=DatabaseHealth(database, None if settings.database_url else settings.data_dir),
            _uris=frozenset({uri, store_uri(settings, uri)}),
        )
