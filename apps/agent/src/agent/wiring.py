"""Construction of components for the composition roots, `opening` and `platform`."""

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx2
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import StateGraph
from langgraph.store.base import BaseStore
from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from psycopg_pool import AsyncConnectionPool

from agent.chat.base_prompt import BasePromptWriter
from agent.chat.compression import Summariser
from agent.chat.maintenance import Maintenance
from agent.chat.nodes import ChatGraph
from agent.chat.reply import ReplyGenerator
from agent.chat.run_config import ChatContext
from agent.chat.state import ChatInput, ChatState
from agent.chat.toolbox import Toolbox
from agent.chat.window import Window
from agent.conversations.checkpoints import ScopedSaver
from agent.database import open_pool
from agent.database.errors import translated_errors
from agent.database.liveness import ServerProbe
from agent.database.migration import migrate, migration_lock
from agent.database.pool_metrics import PoolCollector
from agent.database.row_security import ROW_CONDITIONS, ScopedPool, enable_row_security
from agent.errors import SetupError
from agent.memory.recall.calibration import Calibrator
from agent.memory.recall.recall import Recaller
from agent.memory.recall.tip import TipBudget
from agent.models.chat import ChatModels
from agent.models.embedder_factory import make_embeddings
from agent.models.embeddings import CachedEmbeddings
from agent.models.tool_binding import ToolBindings
from agent.settings import AgentSettings
from agent.store import ExactPostgresStore
from agent.store.factory import check_dims, check_embedder, open_store, settings_of_vectors
from agent.store.replica import Replica, open_replica

logger = logging.getLogger(__name__)

# Store, checkpointer and everything else have pools of their own, so that load on one does not starve the others.
CHECKPOINT_CONNECTIONS = 8


def make_recaller(settings: AgentSettings, embeddings: CachedEmbeddings, replica: Replica | None = None) -> Recaller:
    """Create the recaller; its calibrator may have to be run."""
    calibrator = Calibrator(embeddings, settings.embedder, settings.dims)
    deadline_seconds = settings.recall_deadline_ms / 1000
    return Recaller(embeddings, calibrator, settings.recall_limit_per_kind, deadline_seconds, replica)


@asynccontextmanager
async def open_recaller(
    settings: AgentSettings, embeddings: CachedEmbeddings, store: BaseStore
) -> AsyncIterator[Recaller]:
    """Create the recaller, with the configured replica of the store.

    Raises:
        SetupError: see `open_replica`.
    """
    if settings.replica_url is None:
        yield make_recaller(settings, embeddings)
        return
    if not isinstance(store, ExactPostgresStore):
        raise SetupError("KEEPSAKE_REPLICA_URL needs LANGGRAPH_STORE_TYPE=postgres")
    async with open_replica(settings.replica_url.get_secret_value(), store) as replica:
        yield make_recaller(settings, embeddings, replica)


def build_graph(
    settings: AgentSettings,
    recaller: Recaller,
    models: ChatModels,
    toolbox: Toolbox,
    maintenance: Maintenance | None = None,
) -> StateGraph[ChatState, ChatContext, ChatInput, ChatState]:
    """Build the chat graph; see `ChatGraph`."""
    return ChatGraph(
        ReplyGenerator(ToolBindings(models), toolbox, settings.context_max_tokens),
        Window(Summariser(None if settings.offline else models.extraction)),
        recaller,
        TipBudget(settings.tip_max_chars, settings.tip_max_tokens),
        BasePromptWriter(settings.system_prompt or None),
        maintenance,
    ).build()


async def open_embeddings(
    configured: AgentSettings, uri: str, http: httpx2.AsyncClient
) -> tuple[AgentSettings, CachedEmbeddings]:
    """Create the embedding model of the existing vectors, and the settings that name it.

    Raises:
        SetupError: the database cannot be reached, or the model's vectors have other dimensions than configured.
    """
    settings = await settings_of_vectors(configured, uri)
    if settings is not configured:
        logger.warning(
            "the vectors of the memories are from MiniLM, which remains in use until `keepsake reembed` has converted "
            "them to %s",
            configured.embedder,
        )
    embeddings = make_embeddings(settings, http)
    await check_dims(settings, embeddings)
    return settings, embeddings


@asynccontextmanager
async def open_tables(
    settings: AgentSettings, uri: str, embeddings: CachedEmbeddings, probe: ServerProbe
) -> AsyncIterator[tuple[BaseStore, ScopedSaver]]:
    """Migrate all tables, one process at a time, and open the store and the checkpointer; `probe` is of the server."""
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(
            open_pool(uri, size=CHECKPOINT_CONNECTIONS, name="checkpoints", probe=probe)
        )
        # Deserialise only messages and plain values, even if a checkpoint was tampered with.
        saver = ScopedSaver(pool, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        with translated_errors():
            async with migration_lock(uri) as connection:
                await migrate(uri)
                await check_embedder(settings, connection)
                store = await stack.enter_async_context(open_store(settings, uri, embeddings, probe))
                await saver.setup()
                await enable_row_security(connection, ROW_CONDITIONS)
        yield store, saver


def make_registry(
    database: ScopedPool, saver: ScopedSaver, store: BaseStore, replica: Replica | None = None
) -> CollectorRegistry:
    """Create the registry of this process's metrics, with those of the process and of its connection pools."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    pools = [database.pool, saver.conn, *([store.conn] if isinstance(store, ExactPostgresStore) else [])]
    if replica is not None:
        pools.append(replica.standby)
    registry.register(PoolCollector([pool for pool in pools if isinstance(pool, AsyncConnectionPool)]))
    return registry
