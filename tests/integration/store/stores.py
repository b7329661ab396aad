"""Opening both stores in the same way, and reading their tables."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, LiteralString, cast

from langchain_core.embeddings import Embeddings
from langgraph.store.base import SearchItem, TTLConfig
from langgraph.store.base.embed import AEmbeddingsFunc, EmbeddingsFunc
from langgraph.store.postgres import AsyncPostgresStore
from langgraph.store.postgres.base import PoolConfig
from psycopg import AsyncConnection

from agent.store import ExactPostgresStore
from agent.store.indexing import ExactIndexConfig
from integration.store.embedder import DIMS

Store = AsyncPostgresStore | ExactPostgresStore
Namespace = tuple[str, ...]
Embed = Embeddings | EmbeddingsFunc | AEmbeddingsFunc

STOCK: type[Store] = AsyncPostgresStore
EXACT: type[Store] = ExactPostgresStore


class PartitionedStore(ExactPostgresStore):
    """The exact store, which creates partitioned tables."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - those of the base class
        super().__init__(*args, partitions=3, **options)


PARTITIONED: type[Store] = PartitionedStore

POOL: PoolConfig = {"min_size": 1, "max_size": 2}


def indexed(embed: Embed, *, fields: Sequence[str] = ("text",), **more: object) -> ExactIndexConfig:
    """The configuration of a store that embeds these fields."""
    return cast("ExactIndexConfig", {"dims": DIMS, "embed": embed, "fields": list(fields), **more})


@asynccontextmanager
async def opened(
    kind: type[Store],
    uri: str,
    *,
    index: ExactIndexConfig | None = None,
    ttl: TTLConfig | None = None,
    pool: PoolConfig = POOL,
) -> AsyncIterator[Store]:
    """Open a store on existing tables."""
    async with kind.from_conn_string(uri, pool_config=pool, index=index, ttl=ttl) as store:
        yield store


async def rows(uri: str, statement: LiteralString, *parameters: object) -> list[tuple[Any, ...]]:
    """Run a statement, and return its rows."""
    async with await AsyncConnection.connect(uri, autocommit=True) as connection:
        cursor = await connection.execute(statement, parameters or None)
        return await cursor.fetchall() if cursor.description else []


async def expire(uri: str, namespace: Namespace, *keys: str) -> None:
    """Set the expiry of these keys to a minute ago."""
    statement: LiteralString = """
        UPDATE store SET expires_at = now() - interval '1 minute', ttl_minutes = 10
        WHERE prefix = %s AND key = ANY(%s)"""
    await rows(uri, statement, ".".join(namespace), list(keys))


def keys_of(items: Sequence[SearchItem]) -> list[str]:
    """The keys of the results, in order."""
    return [item.key for item in items]
