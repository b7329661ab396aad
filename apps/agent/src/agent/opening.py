"""The composition root: it opens and closes all resources of the agent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import httpx2
from langgraph.store.base import BaseStore
from prometheus_client import CollectorRegistry

from agent.accounts.erasure import Erasure
from agent.accounts.keys import Keys
from agent.accounts.sessions import Sessions
from agent.accounts.users import Users
from agent.background import Spawn, background_tasks
from agent.chat.repair import ResilientGraph
from agent.chat.toolbox import Toolbox
from agent.chat.web_search import WebSearch, make_web_search
from agent.conversations.branches import Branches
from agent.conversations.checkpoints import ScopedSaver, ThreadStates
from agent.conversations.details import DetailedThreads
from agent.conversations.temporary import TemporaryThreads
from agent.conversations.titles import Titles
from agent.conversations.transcript import Transcript
from agent.database import open_database, open_pool
from agent.database.health import DatabaseHealth
from agent.database.row_security import ScopedPool
from agent.items import Items
from agent.jobs.compaction import HistoryCompaction
from agent.jobs.drain import InboxDrainer
from agent.jobs.jobs import Jobs
from agent.jobs.metrics import FormationMetrics
from agent.jobs.pending import PendingMessages
from agent.jobs.purge import ForgottenPurge
from agent.jobs.queue import FormationQueue
from agent.language.warm_up import compile_first_patterns, compile_other_patterns
from agent.limits.quotas import Limits
from agent.limits.streams import StreamLimit
from agent.limits.usage import Usage
from agent.memory.editing.feedback import MemoryFeedback
from agent.memory.editing.limited_library import LimitedLibrary
from agent.memory.formation.digest import make_digester
from agent.memory.formation.former_factory import make_former
from agent.memory.formation.history_summary import HistorySummariser
from agent.memory.recall.projection import MemoryMaps
from agent.memory.recall.recall import Recaller
from agent.memory.records.change_stream import MemoryChanges
from agent.models.chat import ChatModels, make_chat_models
from agent.models.embedder_factory import make_embeddings
from agent.models.embeddings import CachedEmbeddings
from agent.models.http_client import make_http_client
from agent.models.moderation import make_moderator
from agent.models.stream_start import EVENT_HOOKS
from agent.models.trace_feedback import TraceFeedback, open_trace_feedback
from agent.models.tracing import open_tracing
from agent.opentelemetry import open_opentelemetry
from agent.remote.drainer import RemoteDrainer
from agent.remote.remote_agent import RemoteAgent
from agent.remote.server import open_agent_server
from agent.remote.unsupported import UnsupportedChanges, UnsupportedMaps
from agent.runs.admission import MessageAdmission
from agent.runs.completions import Completions
from agent.runs.edits import Edits
from agent.runs.event_store import EventStore
from agent.runs.graph_runner import GraphRunner, Runner
from agent.runs.heartbeat import Heartbeat
from agent.runs.leases import RunLeases
from agent.runs.metrics import TurnMetrics
from agent.runs.runs import Runs
from agent.runs.thread_deletion import ThreadDeletion
from agent.runs.turns import Turns
from agent.service import Agent
from agent.settings import SERVER_DIMS, AgentSettings
from agent.store.change_reader import ChangeFeed
from agent.store.factory import store_uri
from agent.wiring import build_graph, make_registry, open_embeddings, open_recaller, open_tables

POOL_CONNECTIONS = 12


@dataclass(frozen=True, slots=True)
class _Resources:
    """What is opened at start, and closed at the end in reverse order; and what needs only these."""

    settings: AgentSettings
    """As configured, but with the embedding model of the existing vectors."""
    unconverted_to: str
    """The configured embedding model, if it is another one; otherwise empty."""
    uri: str
    http: httpx2.AsyncClient
    embeddings: CachedEmbeddings
    database: ScopedPool
    store: BaseStore
    """That of the agent server, if there is one."""
    saver: ScopedSaver
    remote: RemoteAgent | None
    recaller: Recaller
    registry: CollectorRegistry
    models: ChatModels
    web_search: WebSearch
    trace_feedback: TraceFeedback | None
    """None if ratings are not sent anywhere."""
    spawn: Spawn
    """Starts a background task."""

    @property
    def states(self) -> ThreadStates:
        """The states of threads."""
        return self.remote.threads if self.remote else self.saver


@asynccontextmanager
async def open_agent(
    settings: AgentSettings, *, start_worker: bool = True, warm_up: bool = True, embedded_uri: str = ""
) -> AsyncIterator[Agent]:
    """Open all resources of the agent.

    Args:
        settings: the settings.
        start_worker: also start the tasks that form memories and maintain the store.
        warm_up: compile the patterns of the analysis of messages beside the block, for a process that answers many.
        embedded_uri: URI of the embedded Postgres, if another process runs it.

    Raises:
        SetupError: the settings, the database or an optional package do not fit; the message says what to do.
    """
    async with _open_resources(settings, embedded_uri) as resources:
        if warm_up:
            resources.spawn(_compile_patterns())
        yield _make_agent(resources, start_worker=start_worker)


async def _compile_patterns() -> None:
    """Compile all patterns in threads, so that no message waits for them; first those that each message needs."""
    await asyncio.to_thread(compile_first_patterns)
    batches = compile_other_patterns()
    while await asyncio.to_thread(next, batches, None) is not None:
        pass  # a cancellation waits for one batch at most


@asynccontextmanager
async def _open_resources(configured: AgentSettings, embedded_uri: str) -> AsyncIterator[_Resources]:
    async with AsyncExitStack() as stack:
        tracing = await stack.enter_async_context(open_tracing())
        # The traces of an agent server have ids of its own.
        traced = None if configured.agent_url else tracing
        trace_feedback = await stack.enter_async_context(open_trace_feedback(traced)) if traced else None
        uri = embedded_uri or await stack.enter_async_context(open_database(configured))
        http = await stack.enter_async_context(
            make_http_client(configured, follow_redirects=False, event_hooks=EVENT_HOOKS)
        )
        await stack.enter_async_context(open_opentelemetry(configured, http))
        settings, embeddings = await open_embeddings(configured, uri, http)
        database = ScopedPool(await stack.enter_async_context(open_pool(uri, size=POOL_CONNECTIONS, name="own")))
        store, saver = await stack.enter_async_context(open_tables(settings, uri, embeddings, database.pool.probe))
        unconverted_to = "" if settings is configured else configured.embedder
        if settings.agent_url:  # its vectors are compared with those of the server
            settings = settings.model_copy(update={"embedding_dims": SERVER_DIMS})
            embeddings = make_embeddings(settings, http)
        recaller = await stack.enter_async_context(open_recaller(settings, embeddings, store))
        client = await stack.enter_async_context(open_agent_server(settings)) if settings.agent_url else None
        spawn = await stack.enter_async_context(background_tasks())
        remote = RemoteAgent.of(client, database, spawn) if client else None
        yield _Resources(
            settings=settings,
            unconverted_to=unconverted_to,
            uri=uri,
            http=http,
            embeddings=embeddings,
            database=database,
            store=remote.store if remote else store,
            saver=saver,
            remote=remote,
            recaller=recaller,
            registry=make_registry(database, saver, store, recaller.replica),
            models=make_chat_models(settings, http),
            web_search=make_web_search(settings, http),
            trace_feedback=trace_feedback,
            spawn=spawn,
        )


def _make_agent(resources: _Resources, *, start_worker: bool) -> Agent:
    """Create the parts of the agent, and start their background tasks."""
    settings, database, store, spawn = resources.settings, resources.database, resources.store, resources.spawn
    queue = FormationQueue(database, settings.debounce_seconds, settings.debounce_max_wait_seconds)
    transcript, purge, users = Transcript(database), ForgottenPurge(store, database), Users(database)
    limits = Limits.of(settings)
    usage, streams = Usage(database, limits, spawn), StreamLimit(database, limits.streams, spawn)
    drainer, compaction = _make_drainer(resources, queue, transcript), _make_compaction(resources)
    if start_worker:
        Jobs(drainer, compaction, purge).start(spawn, settings, resources.uri)
    toolbox = Toolbox(resources.web_search, transcript, purge, users)
    threads, branches = DetailedThreads(database, usage), Branches(database, usage)
    memories = LimitedLibrary(store, transcript, purge, usage=usage, recaller=resources.recaller)
    runs = _make_runs(resources, toolbox, Turns(database, queue, usage), streams, Edits(branches, memories))
    admission = MessageAdmission(runs, usage)
    temporary, feed = TemporaryThreads(database, resources.states), ChangeFeed(store_uri(settings, resources.uri))
    for task in (usage, streams, temporary, feed, Heartbeat(runs, runs.leases, runs.event_store)):
        spawn(task.run())
    spawn(resources.recaller.calibrator.calibrate(users))
    return Agent(
        models=settings.models,
        offline=settings.offline,
        unconverted_to=resources.unconverted_to,
        web_search=resources.web_search,
        users=users,
        keys=Keys(database, users, spawn),
        sessions=Sessions(database, users),
        threads=threads,
        branches=branches,
        thread_deletion=ThreadDeletion(threads, branches, transcript, runs, memories, resources.states, temporary),
        memories=memories,
        feedback=MemoryFeedback(memories, resources.embeddings, resources.recaller.calibrator.model, transcript),
        pending=PendingMessages(store, transcript),
        maps=(UnsupportedMaps if resources.remote else MemoryMaps)(store),
        changes=(UnsupportedChanges if resources.remote else MemoryChanges)(store, feed, streams),
        items=Items(store, usage),
        formation=drainer,
        compaction=compaction,
        purge=purge,
        completions=Completions(runs, admission, transcript, resources.models, users),
        usage=usage,
        registry=resources.registry,
        _chat_models=resources.models,
        _runs=runs,
        _admission=admission,
        _transcript=transcript,
        _trace_feedback=resources.trace_feedback,
        _erasure=Erasure(database, store, resources.remote.threads if resources.remote else None),
        _health=DatabaseHealth(database, None if settings.database_url else settings.data_dir),
        _uris=frozenset({resources.uri, store_uri(settings, resources.uri)}),
    )


def _make_compaction(resources: _Resources) -> HistoryCompaction:
    digester = make_digester(resources.settings, resources.models.extraction)
    return HistoryCompaction(resources.store, resources.database, HistorySummariser(digester))


def _make_drainer(resources: _Resources, queue: FormationQueue, transcript: Transcript) -> InboxDrainer:
    settings, metrics = resources.settings, FormationMetrics(resources.registry)
    former = make_former(settings, resources.models.extraction, transcript.read_context)
    parts = (resources.store, former, queue, transcript, metrics, settings.formation_deadline_seconds)
    if remote := resources.remote:
        return RemoteDrainer(*parts, remote.runner, remote.threads)
    return InboxDrainer(*parts)


def _make_runner(resources: _Resources, toolbox: Toolbox) -> Runner:
    if resources.remote:
        return resources.remote.runner
    graph = build_graph(resources.settings, resources.recaller, resources.models, toolbox)
    return GraphRunner(
        ResilientGraph(graph.compile(store=resources.store, checkpointer=resources.saver), resources.saver),
        graph.compile(store=resources.store),
    )


def _make_runs(resources: _Resources, toolbox: Toolbox, turns: Turns, streams: StreamLimit, edits: Edits) -> Runs:
    settings, database, models = resources.settings, resources.database, resources.models
    metrics = TurnMetrics(resources.registry)
    return Runs(
        _make_runner(resources, toolbox),
        resources.store,
        resources.states,
        Transcript(database),
        turns,
        EventStore(database),
        RunLeases(database),
        resources.embeddings,
        Titles(database, models.extraction if settings.model_titles and not settings.offline else None),
        resources.spawn,
        metrics,
        streams,
        edits,
        make_moderator(settings, resources.http, metrics.count_moderation),
    )
