"""The agent as one thing: the one place where everything is opened, and closed."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

import openai
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from agent.background import background_tasks
from agent.database import open_database, open_pool
from agent.database.errors import translated_errors
from agent.database.open import migrate, migrating
from agent.database.wall import TABLES, Walled, raise_wall
from agent.drains import Drains
from agent.errors import StoreUnavailableError
from agent.events import Event
from agent.graphs.chat import ChatGraph
from agent.memory.extract import make_extractor
from agent.memory.formation import Former
from agent.memory.library import Library
from agent.memory.recall import Recaller
from agent.memory.transfer import Imported, InBatches, Transfer
from agent.models.chat import ChatModels, make_chat_models
from agent.models.embeddings import make_embeddings
from agent.schedule import Schedule, work
from agent.settings import AgentSettings
from agent.store.open import check_embedder, open_store
from agent.thread.checkpoints import WalledSaver, checkpoint_key
from agent.thread.runs import Runs
from agent.thread.threads import Threads
from agent.thread.transcript import Transcript
from agent.types import Formed, Said, ThreadId, User, UserId
from agent.users import Users

# Three pools, the store's among them, so that a busy one starves no other.
OWN_CONNECTIONS = 12
CHECKPOINT_CONNECTIONS = 8
PING_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Agent:
    """What a gateway can ask for. Every method takes the user first, and touches nobody else's data."""

    models: tuple[str, ...]
    """The names of the chat models, the default first."""
    offline: bool
    """Whether answers come from the offline model."""
    users: Users
    threads: Threads
    memories: Library
    _chat_models: ChatModels
    _runs: Runs
    _drains: Drains
    _transfer: Transfer
    _checkpoints: WalledSaver
    _database: Walled

    async def say(self, user: User, thread: ThreadId, said: Said) -> AsyncIterator[Event]:
        """Commit what a user says, and return the events of the answer; see `Runs.start` for what is raised.

        Memory is read and written only if both the message and the user's own switch allow it.

        Raises:
            UnknownModelError: the message asks for a model that is not configured.
        """
        self._chat_models.get(said.model)
        allowed = replace(said, memory=said.memory and user.memory_enabled)
        return await self._runs.start(user.id, thread, allowed)

    async def cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Stop the answer that a thread is giving; say whether there was one.

        Raises:
            ThreadNotFoundError: the user has no such thread.
        """
        await self.threads.get(user, thread)
        return self._runs.cancel(user, thread)

    async def delete_thread(self, user: UserId, thread: ThreadId, *, forget: bool) -> None:
        """Delete a thread with all that was said in it; what it taught stays, unless that is to be forgotten too.

        Raises:
            ThreadNotFoundError: the user has no such thread.
        """
        await self.threads.get(user, thread)
        await self._runs.stop(user, thread)
        if forget:
            await self.memories.forget_thread(user, thread)
        await self._checkpoints.adelete_thread(checkpoint_key(user, thread))
        await self.threads.delete(user, thread)

    async def flush(self, user: UserId) -> Formed:
        """Distil the user's inbox now; see `Drains.flush` for what is raised."""
        return await self._drains.flush(user)

    def export_memories(self, user: UserId) -> AsyncIterator[bytes]:
        """Return everything that memory holds of the user, as lines; see `Transfer.export`."""
        return self._transfer.export(user)

    async def import_memories(self, user: UserId, body: AsyncIterable[bytes]) -> Imported:
        """Take lines in, and have distilled what of them waits for it; see `Transfer.take` for what is raised."""
        imported = await self._transfer.take(user, body)
        if imported.waiting:
            with translated_errors():
                async with self._database.of(user) as connection:
                    await self._drains.schedule.due(connection, user)
        return imported

    async def ping(self) -> None:
        """Ask the database for a sign of life.

        Raises:
            StoreUnavailableError: there was none within two seconds.
        """
        try:
            async with asyncio.timeout(PING_SECONDS), self._database.everyone() as connection:
                await connection.execute("SELECT 1")
        except Exception as error:
            raise StoreUnavailableError("the database did not answer") from error


@asynccontextmanager
async def open_agent(settings: AgentSettings, *, works: bool = True) -> AsyncIterator[Agent]:
    """Open everything: database, models, store, checkpointer; and, if it `works`, the worker that distils.

    Raises:
        SetupError: something is missing or does not fit; the message says what to do.
    """
    async with AsyncExitStack() as stack:
        uri = await stack.enter_async_context(open_database(settings))
        http = await stack.enter_async_context(openai.DefaultAsyncHttpxClient())
        embeddings = make_embeddings(settings, http)
        own = Walled(await stack.enter_async_context(open_pool(uri, size=OWN_CONNECTIONS, name="own")))
        checkpoints = await stack.enter_async_context(open_pool(uri, size=CHECKPOINT_CONNECTIONS, name="checkpoints"))
        # Only messages and plain values are ever read back from a checkpoint, whoever wrote it.
        saver = WalledSaver(checkpoints, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        async with migrating(uri) as connection:
            await migrate(connection)
            await check_embedder(settings, connection)
            store = await stack.enter_async_context(open_store(settings, uri, InBatches(embeddings)))
            await saver.setup()
            await raise_wall(connection, TABLES)
        chat_models = make_chat_models(settings, http)
        recaller = Recaller(embeddings, settings.recall_limit, settings.recall_deadline_ms / 1000)
        graph = ChatGraph(chat_models, recaller, settings.tip_max_chars).build()
        schedule = Schedule(own, settings.debounce_seconds, settings.debounce_max_wait_seconds)
        transcript = Transcript(own, schedule)
        former = Former(make_extractor(settings, chat_models.extraction), settings.min_confidence)
        drains = Drains(store, former, schedule, transcript)
        spawn = await stack.enter_async_context(background_tasks())
        if works and settings.enable_fact_extraction:
            spawn(work(schedule, drains.drain))
        compiled = graph.compile(store=store, checkpointer=saver)
        yield Agent(
            models=settings.models,
            offline=settings.offline,
            users=Users(own),
            threads=Threads(own),
            memories=Library(store),
            _chat_models=chat_models,
            _runs=Runs(compiled, transcript, embeddings, spawn),
            _drains=drains,
            _transfer=Transfer(store),
            _checkpoints=saver,
            _database=own,
        )
