"""LangGraph's store and the exact store, each on its own database."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from integration.store.embedder import WordEmbedder
from integration.store.stores import EXACT, PARTITIONED, STOCK, Namespace, Store, indexed, opened, rows

NAMES = {STOCK: "stock", EXACT: "exact", PARTITIONED: "partitioned"}
ON_PARTITIONS = {
    "test_commit",
    "test_completeness",
    "test_erasing",
    "test_expiry",
    "test_items",
    "test_namespaces",
    "test_search",
    "test_words",
}
"""Modules whose tests are repeated on partitioned tables; the others do not depend on tables, or take long."""

TablesOf = Callable[[type[Store]], str]


@contextmanager
def _database(postgres: str) -> Iterator[str]:
    """Create an empty database, and drop it, which shortens the server's final checkpoint."""
    name = f"store_{uuid.uuid4().hex}"
    quoted = sql.Identifier(name)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(quoted))
        # Durability is not needed in tests.
        connection.execute(sql.SQL("ALTER DATABASE {} SET synchronous_commit = off").format(quoted))
        yield postgres.replace("/postgres?", f"/{name}?")
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(quoted))


@pytest.fixture
def new_database(postgres: str) -> Iterator[str]:
    """An empty database."""
    with _database(postgres) as uri:
        yield uri


@pytest.fixture(scope="session")
def schemas(postgres: str) -> Iterator[str]:
    """A database for many schemas, with pgvector."""
    with _database(postgres) as uri:
        with psycopg.connect(uri, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        yield uri


@pytest.fixture
def empty(schemas: str) -> str:
    """An empty schema, which is created faster than a database."""
    name = f"store_{uuid.uuid4().hex}"
    with psycopg.connect(schemas, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
    return f"{schemas}&options=-csearch_path%3D{name},public"


async def _set_up(kind: type[Store], uri: str) -> None:
    async with opened(kind, uri, index=indexed(WordEmbedder())) as store:
        await store.setup()
    # Without its index, the stock store returns complete results whatever plan is chosen.
    await rows(uri, "DROP INDEX IF EXISTS store_vectors_embedding_idx")


@pytest.fixture(scope="session")
def tables_of(postgres: str) -> Iterator[TablesOf]:
    """The shared database of a store class, with its tables; use `home` as namespace."""
    made: dict[type[Store], str] = {}
    with ExitStack() as databases:

        def tables(kind: type[Store]) -> str:
            if kind not in made:
                uri = databases.enter_context(_database(postgres))
                asyncio.run(_set_up(kind, uri))
                made[kind] = uri
            return made[kind]

        yield tables


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat the tests of some modules on partitioned tables."""
    is_repeated = Path(str(metafunc.module.__file__)).stem in ON_PARTITIONS
    kinds = [STOCK, EXACT, PARTITIONED] if is_repeated else [STOCK, EXACT]
    for fixture, params in (("kind", kinds), ("exact_uri", kinds[1:])):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, params, ids=[NAMES[kind] for kind in params], indirect=True)


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> type[Store]:
    """Each of the two classes, and the exact store on partitioned tables."""
    either: type[Store] = request.param
    return either


@pytest.fixture
def uri(tables_of: TablesOf, kind: type[Store]) -> str:
    """The database of `store`."""
    return tables_of(kind)


@pytest.fixture
def embedder() -> WordEmbedder:
    """The embedder of `store` and `exact`."""
    return WordEmbedder()


@pytest.fixture
async def store(kind: type[Store], uri: str, embedder: WordEmbedder) -> AsyncIterator[Store]:
    """Each store, opened as LangGraph's users do."""
    async with opened(kind, uri, index=indexed(embedder)) as either:
        yield either


@pytest.fixture
def exact_uri(request: pytest.FixtureRequest, tables_of: TablesOf) -> str:
    """The database of `exact`, without and with partitions."""
    return tables_of(request.param)


@pytest.fixture
async def exact(exact_uri: str, embedder: WordEmbedder) -> AsyncIterator[Store]:
    """The exact store, opened as LangGraph's users do."""
    async with opened(EXACT, exact_uri, index=indexed(embedder)) as ours:
        yield ours


@pytest.fixture
def home() -> Namespace:
    """A new namespace."""
    return ("users", uuid.uuid4().hex)
