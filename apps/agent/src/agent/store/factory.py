"""Opening the configured store."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from langgraph.store.base import BaseStore, TTLConfig
from langgraph.store.memory import InMemoryStore
from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow

from agent.database import open_pool
from agent.database.liveness import ServerProbe
from agent.database.migration import connect
from agent.database.row_security import ROLE
from agent.errors import EmbedderUnavailableError, SetupError
from agent.language.parsing.passages import passages
from agent.models.embeddings import CachedEmbeddings
from agent.settings import MINILM, AgentSettings
from agent.store.indexing import ExactIndexConfig
from agent.store.postgres import ExactPostgresStore

logger = logging.getLogger(__name__)

FIELDS = ["text"]
CONVERSATION = ("source_thread", "ts")
"""The fields of a memory with its thread and its time there."""
CONNECTIONS = 12
SWEEP_MINUTES = 5
CHECK_SECONDS = 3.0


@asynccontextmanager
async def open_store(
    settings: AgentSettings, uri: str, embeddings: CachedEmbeddings, probe: ServerProbe | None = None
) -> AsyncIterator[BaseStore]:
    """Open the configured store, create its tables, and delete expired items periodically.

    By default, the store is in Keepsake's own database at `uri`, whose pools share `probe`.
    """
    if settings.store_type == "memory":
        yield InMemoryStore(index={"dims": settings.dims, "embed": embeddings, "fields": FIELDS})
        return
    is_redis = settings.store_type == "redis"
    opened = _redis(settings, embeddings) if is_redis else _postgres(settings, uri, embeddings, probe)
    async with opened as store:
        await store.setup()
        await store.start_ttl_sweeper()
        try:
            yield store
        finally:
            await store.stop_ttl_sweeper()


def index_of(settings: AgentSettings, embeddings: CachedEmbeddings) -> ExactIndexConfig:
    """The index configuration of memories."""
    return ExactIndexConfig(
        dims=settings.dims,
        embed=embeddings,
        fields=FIELDS,
        language=settings.language,
        conversation=CONVERSATION,
        passages=passages,
    )


@asynccontextmanager
async def _postgres(
    settings: AgentSettings, uri: str, embeddings: CachedEmbeddings, probe: ServerProbe | None
) -> AsyncIterator[ExactPostgresStore]:
    dsn = store_uri(settings, uri)
    if dsn != uri:
        await (await connect(dsn, setting="LANGGRAPH_STORE_POSTGRES_DSN")).close()
    async with open_pool(dsn, size=CONNECTIONS, name="memory", probe=probe if dsn == uri else None) as pool:
        index, partitions = index_of(settings, embeddings), settings.store_partitions
        yield ExactPostgresStore(pool, index=index, ttl=_ttl(settings), role=ROLE, partitions=partitions)


def store_uri(settings: AgentSettings, uri: str) -> str:
    """The database of the store, given Keepsake's own one."""
    return settings.store_postgres_dsn.get_secret_value() if settings.store_postgres_dsn else uri


def _redis(settings: AgentSettings, embeddings: CachedEmbeddings) -> Any:  # noqa: ANN401 - the extra may be missing
    try:
        from langgraph.store.redis.aio import AsyncRedisStore  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise SetupError("LANGGRAPH_STORE_TYPE=redis needs the extra: pip install 'keepsake-agent[redis]'") from error
    if settings.store_redis_url is None:
        raise SetupError("LANGGRAPH_STORE_TYPE=redis needs LANGGRAPH_STORE_REDIS_URL")
    url = settings.store_redis_url.get_secret_value()
    index = {"dims": settings.dims, "embed": embeddings, "fields": FIELDS}
    return AsyncRedisStore.from_conn_string(url, index=index, ttl=_ttl(settings))


def _ttl(settings: AgentSettings) -> TTLConfig | None:
    if settings.store_ttl_minutes is None:
        return None
    return TTLConfig(default_ttl=settings.store_ttl_minutes, refresh_on_read=True, sweep_interval_minutes=SWEEP_MINUTES)


async def settings_of_vectors(settings: AgentSettings, uri: str) -> AgentSettings:
    """The settings with which the existing vectors can be searched.

    If a model server is configured after offline use, without naming an embedding model, MiniLM remains the embedding
    model until the vectors are converted.

    Raises:
        SetupError: the database cannot be reached.
    """
    async with await connect(uri) as connection:
        recorded = None
        with suppress(errors.UndefinedTable):  # a new database
            recorded = await _recorded_embedder(connection)
    model, _, dims = (recorded or "").rpartition("/")
    is_default = not settings.embedding_model and settings.embedding_dims in (0, int(dims or 0))
    if model == MINILM and settings.embedder != MINILM and is_default:
        return settings.model_copy(update={"embedding_model": MINILM, "embedding_dims": int(dims)})
    return settings


async def check_dims(settings: AgentSettings, embeddings: CachedEmbeddings) -> None:
    """Check the dimensions of a model server's vectors; if it does not answer, log it.

    Raises:
        SetupError: they are not those of the settings.
    """
    if settings.embedder == MINILM or settings.local_model is not None:
        return
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            dims = len(await embeddings.aembed_query("ok"))
    except (EmbedderUnavailableError, TimeoutError):
        logger.warning("the embedding model %s does not answer; its dimensions are not checked", settings.embedder)
        return
    if dims != settings.dims:
        raise SetupError(
            f"the vectors of {settings.embedder} have {dims} dimensions, and {settings.dims} are configured: "
            f"set KEEPSAKE_EMBEDDING_DIMS={dims}"
        )


async def check_embedder(settings: AgentSettings, connection: AsyncConnection[DictRow]) -> None:
    """Check that the vectors of this database are from the configured model, which the first start records.

    Raises:
        SetupError: they are from another model.
    """
    configured = f"{settings.embedder}/{settings.dims}"
    await connection.execute("INSERT INTO installation VALUES ('embedder', %s) ON CONFLICT DO NOTHING", (configured,))
    recorded = await _recorded_embedder(connection)
    if recorded is not None and recorded != configured:
        model, _, dims = recorded.rpartition("/")
        raise SetupError(
            f"the memories here were embedded with {model} ({dims} dimensions), and {settings.embedder} "
            f"({settings.dims}) is configured: convert them with `keepsake reembed`, or set "
            f"KEEPSAKE_EMBEDDING_MODEL={model} and KEEPSAKE_EMBEDDING_DIMS={dims}"
        )


async def _recorded_embedder(connection: AsyncConnection[DictRow]) -> str | None:
    cursor = await connection.execute("SELECT value FROM installation WHERE name = 'embedder'")
    row = await cursor.fetchone()
    return row["value"] if row else None
