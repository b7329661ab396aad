"""Shared fixtures: an embedded Postgres, one database per test, gateways over HTTP and a scripted model."""

import asyncio
import gc
import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent import AgentSettings, open_agent
from agent.database.embedded import embedded_postgres
from agent.memory.recall.calibration import Calibrator
from agent.models.embeddings import CachedEmbeddings
from support.client import ApiClient, signed_in
from support.formation import embed_texts
from support.gateway import RunningGateway
from support.ram_disk import ram_disk
from support.scripted_openai import ScriptedOpenAI

DIMS = 384
UNLIMITED = {"limit_runs": 0, "limit_messages_per_minute": 0, "limit_requests_per_minute": 0}
"""Many tests send more than one user would."""


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than cores, because tests also wait for Postgres and for servers; at most 8.

    A worker takes 15 seconds of CPU time before its first test, and about a gigabyte of memory.
    """
    return min((os.cpu_count() or 1) + 1, 8)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave the keywords out of reports: nothing reads them, and a worker sends three reports per test to pytest."""
    report = yield
    report.keywords = {}
    return report


def pytest_configure() -> None:
    """Collect no garbage until all tests are collected: modules and tests are none, and each collection reads them."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exempt modules and tests from garbage collection, which would otherwise scan them again and again."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


HOUR = 3_600.0


def make_settings(database: str, **settings: object) -> AgentSettings:
    """Settings that ignore the environment.

    The recall deadline is long, because test machines are busy. Memories are formed only when a test asks for it:
    otherwise, a shared gateway would form those of an earlier test, and call the model in the middle of another one.
    """
    values: dict[str, Any] = {"database_url": database, "data_dir": "unused", "recall_deadline_ms": 5_000}
    values |= {"debounce_seconds": HOUR, "debounce_max_wait_seconds": HOUR} | UNLIMITED | settings
    return AgentSettings(_env_file=None, **values)


def model_settings(model: ScriptedOpenAI, **settings: object) -> dict[str, object]:
    """Settings that select the scripted server for chat and embeddings."""
    return {
        "openai_base_url": model.base_url,
        "openai_api_key": "x",
        "chat_models": ("scripted",),
        "embedding_dims": DIMS,
        "model_titles": False,  # otherwise each new thread costs one more model call
        **settings,
    }


@pytest.fixture(scope="session")
def empty_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working directory of all tests; one that writes files uses `tmp_path`."""
    # Otherwise, Hypothesis keeps its examples in the working directory.
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(tmp_path_factory.getbasetemp() / "hypothesis"))
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(autouse=True)
def _isolated_environment(monkeypatch: pytest.MonkeyPatch, empty_directory: Path) -> Iterator[None]:
    """Hide `.env` files and the developer's environment variables from tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DATABASE_URL", "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.delenv(name, raising=False)
    # No CA certificates: tests connect to this machine only, and every HTTP client would load hundreds of them.
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(empty_directory))
    monkeypatch.chdir(empty_directory)
    yield
    assert not list(empty_directory.iterdir())


@pytest.fixture
def work_dir() -> Iterator[Path]:
    """A directory for database files. Under root, Postgres runs as another user, which cannot read `tmp_path`."""
    with tempfile.TemporaryDirectory(dir=ram_disk()) as name:
        yield Path(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URI of a Postgres server for the session; durability is off for speed."""
    with tempfile.TemporaryDirectory(dir=ram_disk()) as name, embedded_postgres(Path(name) / "postgres") as uri:
        with psycopg.connect(uri, autocommit=True) as connection:
            for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum", "update_process_title"):
                connection.execute(f"ALTER SYSTEM SET {setting} TO off")
            connection.execute("ALTER SYSTEM SET max_wal_size TO '256MB'")
            connection.execute("SELECT pg_reload_conf()")
        yield uri


def _with_database(uri: str, database: str) -> str:
    return uri.replace("/postgres?", f"/{database}?")


@pytest.fixture(scope="session")
def templates(postgres: str) -> dict[str, str]:
    """Names of template databases with all tables and a calibration, by embedding model."""

    async def create_tables(uri: str, embedder: str, model: ScriptedOpenAI) -> None:
        settings = make_settings(uri, **model_settings(model, embedding_model=embedder))
        async with open_agent(settings, start_worker=False) as agent:
            # Otherwise, each gateway would embed some 300 texts to calibrate its model.
            await Calibrator(CachedEmbeddings(embed_texts), embedder, DIMS).calibrate(agent.users)

    names = {"minilm": "template_minilm", "text-embedding-3-small": "template_openai"}
    with psycopg.connect(postgres, autocommit=True) as connection, ScriptedOpenAI() as model:
        for embedder, name in names.items():
            connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
            asyncio.run(create_tables(_with_database(postgres, name), embedder, model))
    return names


class Databases:
    """Creates databases as copies of a template, over one connection to the server at `postgres`."""

    def __init__(self, connection: psycopg.Connection, postgres: str, templates: dict[str, str]) -> None:
        self._connection = connection
        self._postgres = postgres
        self._templates = templates

    def create(self, embedder: str) -> str:
        return self._copy(self._templates[embedder])

    def create_empty(self) -> str:
        """Create a database without tables."""
        return self._copy("template1")

    def copy(self, uri: str) -> str:
        """Create a copy of a database to which nothing is connected."""
        return self._copy(self._name(uri))

    def _copy(self, template: str) -> str:
        name = f"test_{uuid.uuid4().hex}"
        self._connection.execute(
            psycopg.sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(
                psycopg.sql.Identifier(name), psycopg.sql.Identifier(template)
            )
        )
        return _with_database(self._postgres, name)

    def drop(self, uri: str) -> None:
        """Drop a database, of which a run of all tests would otherwise leave a thousand."""
        name = psycopg.sql.Identifier(self._name(uri))
        self._connection.execute(psycopg.sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def _name(self, uri: str) -> str:
        return uri.removeprefix(self._postgres.partition("/postgres?")[0] + "/").partition("?")[0]


@pytest.fixture(scope="session")
def databases(postgres: str, templates: dict[str, str]) -> Iterator[Databases]:
    with psycopg.connect(postgres, autocommit=True) as connection:
        yield Databases(connection, postgres, templates)


@pytest.fixture
def database(databases: Databases) -> Iterator[str]:
    """A database for this test, with the vector dimensions of the scripted model."""
    uri = databases.create("text-embedding-3-small")
    yield uri
    databases.drop(uri)


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[str]:
    """A database without tables."""
    uri = databases.create_empty()
    yield uri
    databases.drop(uri)


@pytest.fixture
def model() -> Iterator[ScriptedOpenAI]:
    """A scripted OpenAI-compatible server for this test."""
    with ScriptedOpenAI() as server:
        yield server


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway for this test, which uses the scripted model."""
    with RunningGateway(make_settings(database, **model_settings(model))) as running:
        yield running


@pytest.fixture
async def client(gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """A client of `gateway`, signed in as a new user."""
    async with signed_in(gateway.url) as api:
        yield api


@pytest.fixture
def second_gateway(gateway: RunningGateway, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A second gateway on the database of `gateway`."""
    with RunningGateway(make_settings(gateway.database, **model_settings(model))) as running:
        yield running


@pytest.fixture
async def second_client(client: ApiClient, second_gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """The user of `client`, connected to `second_gateway`."""
    async with client.at_gateway(second_gateway.url) as api:
        yield api


@pytest.fixture(scope="session")
def shared_gateway(databases: Databases) -> Iterator[RunningGateway]:
    """A gateway with default settings (MiniLM, rules, offline model), shared by all tests: use a new user per test."""
    with RunningGateway(make_settings(databases.create("minilm"))) as gateway:
        yield gateway


@pytest.fixture
async def ada(shared_gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """A client of the shared gateway, signed in as a new user."""
    async with signed_in(shared_gateway.url) as client:
        yield client


@pytest.fixture
async def bob(shared_gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """Another user of the shared gateway."""
    async with signed_in(shared_gateway.url) as client:
        yield client
