"""One gateway for many tests, each with its own user: starting one costs more than most tests do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import pytest

from conftest import Databases, make_settings, model_settings
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

LIST_TABLES = """
    SELECT format('DELETE FROM %I', relname) FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
      AND relname NOT LIKE '%migrations' AND relname NOT IN ('installation', 'store_language')
"""


@dataclass(frozen=True)
class Installation:
    """A gateway with its database and its scripted model."""

    database: str
    model: ScriptedOpenAI
    gateway: RunningGateway

    def clear(self) -> None:
        """Restore the model's default script, let the answers end, and delete all data."""
        self.model.reset()
        self.gateway.wait_for_runs()
        self.model.reset()
        with psycopg.connect(self.database, autocommit=True) as connection:
            statements = [row[0] for row in connection.execute(LIST_TABLES)]
            connection.execute(";".join(["SET session_replication_role = replica", *statements]).encode())


@contextmanager
def open_installation(databases: Databases) -> Iterator[Installation]:
    """Start a gateway with a database and a model of its own."""
    database = databases.create("text-embedding-3-small")
    with ScriptedOpenAI() as model, RunningGateway(make_settings(database, **model_settings(model))) as gateway:
        yield Installation(database, model, gateway)
    databases.drop(database)


@pytest.fixture(scope="session")
def shared_installation(databases: Databases) -> Iterator[Installation]:
    with open_installation(databases) as opened:
        yield opened


@pytest.fixture
def installation(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Installation]:
    """The shared gateway or, with the marker `own_gateway`, one for this test."""
    if request.node.get_closest_marker("own_gateway"):
        with open_installation(databases) as opened:
            yield opened
    else:
        shared: Installation = request.getfixturevalue("shared_installation")
        yield shared
        shared.clear()


@pytest.fixture
def gateway(installation: Installation) -> RunningGateway:
    """A gateway that uses the scripted model."""
    return installation.gateway


@pytest.fixture
def model(request: pytest.FixtureRequest) -> Iterator[ScriptedOpenAI]:
    """The model of `gateway` or, in a test without it, a server for this test."""
    if "gateway" in request.fixturenames:
        yield request.getfixturevalue("installation").model
    else:
        with ScriptedOpenAI() as server:
            yield server


@pytest.fixture
def database(request: pytest.FixtureRequest, databases: Databases) -> Iterator[str]:
    """The database of `gateway` or, in a test without it, one for this test."""
    if "gateway" in request.fixturenames:
        yield request.getfixturevalue("installation").database
    else:
        uri = databases.create("text-embedding-3-small")
        yield uri
        databases.drop(uri)
