"""Opening the configured store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from langgraph.store.base import BaseStore, TTLConfig
from langgraph.store.memory import InMemoryStore
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database import open_pool
from agent.database.row_security import ROLE
from agent.errors import SetupError
from agent.models.embeddings import CachedEmbeddings
from agent.settings import AgentSettings
from agent.store.indexing import ExactIndexConfig
from agent.store.postgres import ExactPostgresStore

FIELDS = ["text"]
CONVERSATION = ("source_thread", "ts")
"""The fields of a memory with its thread and its time there."""
CONNECTIONS = 12
SWEEP_MINUTES = 5


@asynccontextmanager
async def open_store(settings: AgentSettings, uri: str, embeddings: CachedEmbeddings) -> AsyncIterator[BaseStore]:
    """Open the configured store, create its tables, and delete expired items periodically.

    By default, the store is in Keepsake's own database at `uri`.
    """
    if settings.store_type == "memory":
        yield InMemoryStore(index={"dims": settings.dims, "embed": embeddings, "fields": FIELDS})
        return
    opened = _redis(settings, embeddings) if settings.store_type == "redis" else _postgres(settings, uri, embeddings)
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
        dims=settings.dims, embed=embeddings, fields=FIELDS, language=settings.language, conversation=CONVERSATION
    )


@asynccontextmanager
async def _postgres(
    settings: AgentSettings, uri: str, embeddings: CachedEmbeddings
) -> AsyncIterator[ExactPostgresStore]:
    async with open_pool(store_uri(settings, uri), size=CONNECTIONS, name="memory") as pool:
        yield ExactPostgresStore(pool, index=index_of(settings, embeddings), ttl=_ttl(settings), role=ROLE)


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


async def check_embedder(settings: AgentSettings, connection: AsyncConnection[DictRow]) -> None:
    """Check that the vectors of this database are from the configured model, which the first start records.

    Raises:
        SetupError: they are from another model.
    """
    configured = f"{settings.embedder}/{settings.dims}"
    await connection.execute("INSERT INTO installation VALUES ('embedder', %s) ON CONFLICT DO NOTHING", (configured,))
    cursor = await connection.execute("SELECT value FROM installation WHERE name = 'embedder'")
    [recorded] = await cursor.fetchall()
    if recorded["value"] != configured:
        model, _, dims = recorded["value"].rpartition("/")
        raise SetupError(
            f"the memories here were embedded with {model} ({dims} dimensions), and {settings.embedder} "
            f"({settings.dims}) is configured: convert them with `keepsake reembed`, or set "
            f"KEEPSAKE_EMBEDDING_MODEL={model} and KEEPSAKE_EMBEDDING_DIMS={dims}"
        )
