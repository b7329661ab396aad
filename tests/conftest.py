"""Real parts for tests: an embedded Postgres, a database each, a gateway over HTTP, a scripted model."""

import asyncio
import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent import AgentSettings, open_agent
from agent.database.embedded import embedded_postgres
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

DIMS = 384


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores, since tests wait for Postgres and for servers that stop."""
    return min((os.cpu_count() or 1) + 1, 4)


def make_settings(database: str, **settings: object) -> AgentSettings:
    """Return settings that come from nowhere else; on a busy machine memory may take its time, where nobody waits."""
    given: dict[str, Any] = {"database_url": database, "data_dir": "unused", "recall_deadline_ms": 1_500, **settings}
    return AgentSettings(_env_file=None, **given)


def model_settings(model: ScriptedOpenAI, **settings: object) -> dict[str, object]:
    """Return the settings that make a scripted server the model."""
    return {
        "openai_base_url": model.base_url,
        "openai_api_key": "x",
        "chat_models": ("scripted",),
        "embedding_dims": DIMS,
        "model_titles": False,  # or each thread would ask the model once more
        **settings,
    }


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no `.env` and no variable of the machine's owner steer a test."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DATABASE_URL", "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.delenv(name, raising=False)
    # No certificates either: nothing here leaves the machine, and each client would read hundreds of them.
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def work_dir() -> Iterator[Path]:
    """A folder for a database's files: pytest's own is closed to Postgres's user when we are root."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A Postgres server for the whole session, which need not outlive a power cut; its connection URI."""
    with tempfile.TemporaryDirectory() as name, embedded_postgres(Path(name) / "postgres") as uri:
        with psycopg.connect(uri, autocommit=True) as connection:
            for setting in ("fsync", "full_page_writes", "synchronous_commit"):
                connection.execute(f"ALTER SYSTEM SET {setting} TO off")
            connection.execute("SELECT pg_reload_conf()")
        yield uri


def with_database(uri: str, database: str) -> str:
    return uri.replace("/postgres?", f"/{database}?")


@pytest.fixture(scope="session")
def templates(postgres: str) -> dict[str, str]:
    """Databases with every table in place, by the embedder they are made for; to be copied, never used."""

    async def fill(uri: str, embedder: str) -> None:
        async with open_agent(
            make_settings(uri, embedding_model=embedder, embedding_dims=DIMS, openai_api_key="x"), start_worker=False
        ):
            pass

    names = {"minilm": "template_minilm", "text-embedding-3-small": "template_openai"}
    with psycopg.connect(postgres, autocommit=True) as connection:
        for embedder, name in names.items():
            connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
            asyncio.run(fill(with_database(postgres, name), embedder))
    return names


class Databases:
    """Makes databases as copies of a template, and drops them."""

    def __init__(self, postgres: str, templates: dict[str, str]) -> None:
        self._postgres = postgres
        self._templates = templates

    def create(self, embedder: str) -> str:
        name = f"test_{uuid.uuid4().hex}"
        with psycopg.connect(self._postgres, autocommit=True) as connection:
            connection.execute(
                psycopg.sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                    psycopg.sql.Identifier(name), psycopg.sql.Identifier(self._templates[embedder])
                )
            )
        return with_database(self._postgres, name)


@pytest.fixture(scope="session")
def databases(postgres: str, templates: dict[str, str]) -> Databases:
    return Databases(postgres, templates)


@pytest.fixture
def database(databases: Databases) -> str:
    """A database of one's own, for the scripted model's vectors."""
    return databases.create("text-embedding-3-small")


@pytest.fixture
def model() -> Iterator[ScriptedOpenAI]:
    """A scripted OpenAI-compatible server of one's own."""
    with ScriptedOpenAI() as server:
        yield server


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway of one's own, whose model is the scripted one."""
    with RunningGateway(make_settings(database, **model_settings(model))) as running:
        yield running


@pytest.fixture
async def client(gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """Somebody on that gateway."""
    async with signed_in(gateway.url) as somebody:
        yield somebody


@pytest.fixture
def second_gateway(gateway: RunningGateway, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """Another gateway on the same database."""
    with RunningGateway(make_settings(gateway.database, **model_settings(model))) as running:
        yield running


@pytest.fixture
async def second_client(client: ApiClient, second_gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """The same person, at that other gateway."""
    async with client.at_gateway(second_gateway.url) as same:
        yield same


@pytest.fixture(scope="session")
def shared_gateway(databases: Databases) -> Iterator[RunningGateway]:
    """The gateway with nothing configured: MiniLM, rules and the offline model. Shared: sign in as somebody new."""
    with RunningGateway(make_settings(databases.create("minilm"))) as gateway:
        yield gateway


@pytest.fixture
async def ada(shared_gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """Somebody new on the shared server."""
    async with signed_in(shared_gateway.url) as client:
        yield client


@pytest.fixture
async def bob(shared_gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """Somebody else on the shared server."""
    async with signed_in(shared_gateway.url) as client:
        yield client
