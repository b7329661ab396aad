"""The agent as one thing: the one place where everything is opened, and closed."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import openai
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.store.base import BaseStore

from agent.accounts.erasure import Erasure
from agent.accounts.scrub import scrub
from agent.accounts.users import Users
from agent.background import background_tasks, yield_to_loop
from agent.chat.compression import Summariser
from agent.chat.nodes import ChatGraph
from agent.chat.repair import ResilientGraph
from agent.chat.reply import ReplyGenerator
from agent.chat.toolbox import Toolbox
from agent.chat.web_search import WebSearch, make_web_search
from agent.chat.window import Window
from agent.conversations.checkpoints import ScopedSaver, checkpoint_key
from agent.conversations.temporary import TemporaryThreads
from agent.conversations.threads import Threads
from agent.conversations.titles import Titles
from agent.conversations.transcript import Transcript
from agent.database import open_database, open_pool
from agent.database.errors import translated_errors
from agent.database.pools import migrate, migration_lock
from agent.database.row_security import TABLES, ScopedPool, enable_row_security
from agent.errors import StoreUnavailableError
from agent.events import LoggedEvent, Position
from agent.jobs.compaction import HistoryCompaction
from agent.jobs.drain import FormationStatus, InboxDrainer
from agent.jobs.metrics import FormationMetrics
from agent.jobs.queue import FormationQueue
from agent.jobs.sweep import InboxSweep
from agent.jobs.worker import FormationWorker
from agent.memory.editing.library import Library
from agent.memory.formation.digest import make_digester
from agent.memory.formation.former_factory import make_former
from agent.memory.formation.history_summary import HistoryTiers
from agent.memory.recall.recall import Recaller
from agent.memory.recall.tip import TipBudget
from agent.memory.records import profile
from agent.memory.transfer.transfer import BatchedEmbeddings, Imported, Transfer
from agent.models.chat import ChatModels, make_chat_models
from agent.models.embeddings import CachedEmbeddings, make_embeddings
from agent.models.tool_binding import ToolBindings
from agent.runs.event_store import EventStore
from agent.runs.heartbeat import Heartbeat
from agent.runs.leases import RunLeases
from agent.runs.runs import Runs
from agent.runs.turns import Turns
from agent.settings import AgentSettings
from agent.store.factory import check_embedder, open_store, store_uri
from agent.store.reindex import IndexRebuild
from agent.types import FormationResult, Memory, MemoryId, ThreadId, User, UserId, UserMessage

# Three pools, the store's among them, so that a busy one starves no other.
POOL_CONNECTIONS = 12
CHECKPOINT_CONNECTIONS = 8
PING_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Agent:
    """What a gateway can ask for. Every method takes the user first, and touches nobody else's data."""

    models: tuple[str, ...]
    """The names of the chat models, the default first."""
    offline: bool
    """Whether answers come from the offline model."""
    web_search: WebSearch
    """Whether a turn can search the web, and why not."""
    users: Users
    threads: Threads
    memories: Library
    compaction: HistoryCompaction
    _chat_models: ChatModels
    _runs: Runs
    _drainer: InboxDrainer
    _transfer: Transfer
    _erasure: Erasure
    _checkpoints: ScopedSaver
    _temporary: TemporaryThreads
    _database: ScopedPool
    _uris: frozenset[str]
    """Of every database that holds something of users."""

    async def prefetch_embedding(self, user: UserId, message: UserMessage) -> None:
        """Begin to embed what somebody is about to say, unless they were last seen with their memory paused."""
        if message.memory and not message.temporary and not self.users.is_paused(user):
            self._runs.prefetch_embedding(message.text)
            await yield_to_loop()

    async def send_message(self, user: User, thread: ThreadId, message: UserMessage) -> AsyncIterator[LoggedEvent]:
        """Commit what a user says, and return the events of the answer; see `Runs.start` for what is raised.

        Memory is read and written only if both the message and the user's own switch allow it.

        Raises:
            UnknownModelError: the message asks for a model that is not configured.
        """
        self._chat_models.get(message.model)
        allowed = replace(message, memory=message.memory and user.memory_enabled and not message.temporary)
        return await self._runs.start(user.id, thread, allowed)

    async def join(self, user: UserId, thread: ThreadId, after: str | None) -> AsyncIterator[LoggedEvent] | None:
        """Return what follows the event of that id, until the run's end; without one, the latest run from its start.

        None when there is nothing, and there will be nothing.

        Raises:
            ThreadNotFoundError: the user has no such thread.
            InvalidCursorError: no event has such an id.
        """
        position = Position.parse(after) if after else None
        await self.threads.get(user, thread)
        return await self._runs.join(user, thread, position)

    async def cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Stop the answer that a thread is giving; say whether there was one.

        Raises:
            ThreadNotFoundError: the user has no such thread.
        """
        await self.threads.get(user, thread)
        return await self._runs.cancel(user, thread)

    async def delete_thread(self, user: UserId, thread: ThreadId, *, forget: bool) -> int:
        """Delete a thread with all that was said in it; what it taught stays, unless that is to be forgotten too.

        Returns:
            How many memories were forgotten.

        Raises:
            ThreadNotFoundError: the user has no such thread.
        """
        found = await self.threads.get(user, thread)
        await self._runs.stop(user, thread)
        if found.temporary:
            await self._temporary.delete(user, thread)
            return 0
        said = await self._drainer.transcript.user_message_ids(user, thread)
        forgotten = await self.memories.forget_thread(user, thread, said) if forget else 0
        await self._checkpoints.adelete_thread(checkpoint_key(user, thread))
        await self.threads.delete(user, thread)
        if forget:  # once more, for what was said in the meantime
            forgotten += await self.memories.forget_thread(user, thread, said)
        return forgotten

    async def erase(self, user: UserId) -> dict[str, int]:
        """Delete the account with all that is in it; see `Erasure.erase` for what is returned and raised."""
        for thread in await self._drainer.transcript.busy_threads(user):
            await self._runs.stop(user, thread)
        return await self._erasure.erase(user)

    async def scrub(self) -> None:
        """Take what is deleted off the disk, too; see `scrub` for what is raised."""
        for uri in self._uris:
            await scrub(uri)

    async def flush(self, user: UserId) -> FormationResult:
        """Distil the user's inbox now; see `Drains.flush` for what is raised."""
        return await self._drainer.flush(user)

    async def formation_status(self, user: UserId) -> FormationStatus:
        """Return what of the user's words is not yet distilled; see `Drains.waiting` for what is raised."""
        return await self._drainer.status(user)

    async def metrics(self) -> bytes:
        """Return what can be measured, in Prometheus's text format; of a database that is away, nothing."""
        try:
            backlog = await self._drainer.queue.backlog()
        except StoreUnavailableError:
            backlog = None
        return self._drainer.metrics.text(backlog)

    async def profile(self, user: UserId) -> dict[str, str]:
        """Return who the user is, as `Profile.texts` has it."""
        with translated_errors():
            return (await profile.read(self.memories.store, user)).texts()

    async def undo(self, user: UserId, memory: MemoryId) -> Memory | None:
        """Take back what was last done to a memory, and have distilled what waits for it again; see `Library.undo`."""
        known = await self.memories.undo(user, memory)
        await self._drainer.queue.schedule_user(user)
        return known

    def export_memories(self, user: UserId) -> AsyncIterator[bytes]:
        """Return everything that memory holds of the user, as lines; see `Transfer.export`."""
        return self._transfer.export(user)

    async def import_memories(self, user: UserId, body: AsyncIterable[bytes]) -> Imported:
        """Take lines in, and have distilled what of them waits for it; see `Transfer.take` for what is raised."""
        imported = await self._transfer.import_lines(user, body)
        await self.compaction.schedule(user, datetime.now(UTC))
        if imported.waiting:
            await self._drainer.queue.schedule_user(user)
        return imported

    async def ping(self) -> None:
        """Ask the database for a sign of life.

        Raises:
            StoreUnavailableError: there was none within two seconds.
        """
        try:
            async with asyncio.timeout(PING_SECONDS), self._database.unscoped() as connection:
                await connection.execute("SELECT 1")
        except Exception as error:
            raise StoreUnavailableError("the database did not answer") from error


@asynccontextmanager
async def open_agent(settings: AgentSettings, *, start_worker: bool = True) -> AsyncIterator[Agent]:
    """Open everything: database, models, store, checkpointer; and, if it `works`, the worker that distils.

    Raises:
        SetupError: something is missing or does not fit; the message says what to do.
    """
    async with AsyncExitStack() as stack:
        uri = await stack.enter_async_context(open_database(settings))
        http = await stack.enter_async_context(openai.DefaultAioHttpClient())
        embeddings = make_embeddings(settings, http)
        own = ScopedPool(await stack.enter_async_context(open_pool(uri, size=POOL_CONNECTIONS, name="own")))
        store, saver = await stack.enter_async_context(_open_tables(settings, uri, embeddings))
        chat_models, web_search = make_chat_models(settings, http), make_web_search(settings, http)
        schedule = FormationQueue(own, settings.debounce_seconds, settings.debounce_max_wait_seconds)
        transcript = Transcript(own)
        former = make_former(settings, chat_models.extraction)
        drains = InboxDrainer(
            store, former, schedule, transcript, FormationMetrics(), settings.formation_deadline_seconds
        )
        spawn = await stack.enter_async_context(background_tasks())
        upkeep = HistoryCompaction(store, own, HistoryTiers(make_digester(settings, chat_models.extraction)))
        if start_worker and settings.enable_fact_extraction:
            spawn(FormationWorker(drains, InboxSweep(store, own), uri).run())
            spawn(upkeep.run())
        if start_worker and settings.store_type == "postgres":
            spawn(IndexRebuild(store_uri(settings, uri)).run())
        graph = _make_graph(settings, embeddings, chat_models, Toolbox(web_search, transcript))
        lasting = ResilientGraph(graph.build().compile(store=store, checkpointer=saver), saver)
        recordings, leases = EventStore(own), RunLeases(own)
        titles = Titles(own, chat_models.extraction if settings.model_titles and not settings.offline else None)
        runs = Runs(lasting, transcript, Turns(own, schedule), recordings, leases, embeddings, titles, spawn)
        temporary = TemporaryThreads(own, saver)
        spawn(temporary.run())
        spawn(Heartbeat(runs, leases, recordings).run())
        yield Agent(
            models=settings.models,
            offline=settings.offline,
            web_search=web_search,
            users=Users(own),
            threads=Threads(own),
            memories=Library(store, transcript),
            _chat_models=chat_models,
            _runs=runs,
            _drainer=drains,
            _transfer=Transfer(store),
            _erasure=Erasure(own, store),
            compaction=upkeep,
            _checkpoints=saver,
            _temporary=temporary,
            _database=own,
            _uris=frozenset({uri, store_uri(settings, uri)}),
        )


@asynccontextmanager
async def _open_tables(
    settings: AgentSettings, uri: str, embeddings: CachedEmbeddings
) -> AsyncIterator[tuple[BaseStore, ScopedSaver]]:
    """Bring every table up to date, one process at a time, and open the store and the checkpointer.

    Raises:
        SetupError: something is missing or does not fit; the message says what to do.
    """
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(open_pool(uri, size=CHECKPOINT_CONNECTIONS, name="checkpoints"))
        # Only messages and plain values are ever read back from a checkpoint, whoever wrote it.
        saver = ScopedSaver(pool, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        async with migration_lock(uri) as connection:
            await migrate(connection)
            await check_embedder(settings, connection)
            store = await stack.enter_async_context(open_store(settings, uri, BatchedEmbeddings(embeddings)))
            await saver.setup()
            await enable_row_security(connection, TABLES)
        yield store, saver


def _make_graph(
    settings: AgentSettings, embeddings: CachedEmbeddings, chat_models: ChatModels, tools: Toolbox
) -> ChatGraph:
    return ChatGraph(
        ReplyGenerator(ToolBindings(chat_models), tools, settings.context_max_tokens),
        Window(Summariser(None if settings.offline else chat_models.extraction)),
        Recaller(embeddings, settings.recall_limit_per_kind, settings.recall_deadline_ms / 1000),
        TipBudget(settings.tip_max_chars, settings.tip_max_tokens),
    )
