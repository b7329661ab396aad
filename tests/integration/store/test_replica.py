"""Recall from a standby: only while it contains everything that the user has written."""

import re
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from langgraph.store.base import PutOp, SearchOp

from agent import SetupError
from agent.database.embedded import embedded_postgres
from agent.database.pools import open_pool
from agent.database.row_security import ROLE
from agent.store import ExactPostgresStore
from agent.store.replica import Replica, open_replica
from conftest import make_settings
from integration.store.embedder import WordEmbedder
from integration.store.stores import indexed
from support.client import signed_in
from support.gateway import RunningGateway
from support.standby import standby_of

SPACE = ("users", "ada", "memories", "user")
OPS = [SearchOp(SPACE, query="boat", limit=10)]


@dataclass(frozen=True)
class Servers:
    """Two servers with the same databases; the URIs are those of one."""

    primary: str
    standby: str

    def database(self, name: str) -> "Servers":
        """The same servers with another database, which is created."""
        with psycopg.connect(self.primary, autocommit=True) as connection:
            connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
        return Servers(*(uri.replace("/postgres?", f"/{name}?") for uri in (self.primary, self.standby)))

    def pause(self) -> None:
        """Stop to apply the primary's writes."""
        self._on_standby("SELECT pg_wal_replay_pause()")

    def resume(self) -> None:
        """Apply the primary's writes again, and wait until all earlier ones are."""
        self._on_standby("SELECT pg_wal_replay_resume()")
        with psycopg.connect(self.primary, autocommit=True) as connection:
            position = connection.execute("SELECT pg_current_wal_flush_lsn()::text").fetchone()
        with self._standby_server() as connection:
            while connection.execute("SELECT pg_last_wal_replay_lsn() < %s::pg_lsn", position).fetchone() == (True,):
                pass

    def _on_standby(self, statement: str) -> None:
        with self._standby_server() as connection:
            connection.execute(statement.encode())

    def _standby_server(self) -> psycopg.Connection:
        """A connection to the database that every server has; this one may not be replayed yet."""
        return psycopg.connect(re.sub(r"/\w*\?", "/postgres?", self.standby, count=1), autocommit=True)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Servers]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        primary = stack.enter_context(embedded_postgres(folder / "postgres"))
        with psycopg.connect(primary, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync TO off")  # durability is not needed in tests
            connection.execute("SELECT pg_reload_conf()")
        yield Servers(primary, stack.enter_context(standby_of(primary, folder)))


@pytest.fixture
def servers(cluster: Servers) -> Servers:
    servers = cluster.database(f"test_{uuid.uuid4().hex}")
    servers.resume()
    return servers


@pytest.fixture
async def store(servers: Servers) -> AsyncIterator[ExactPostgresStore]:
    async with open_pool(servers.primary, size=4, name="memory") as pool:
        store = ExactPostgresStore(pool, index=indexed(WordEmbedder()), role=ROLE)
        await store.setup()
        yield store


@pytest.fixture
async def replica(servers: Servers, store: ExactPostgresStore) -> AsyncIterator[Replica]:
    async with open_replica(servers.standby, store) as opened:
        yield opened


async def found(replica: Replica) -> set[str] | None:
    position = await replica.position()
    assert position is not None
    results = await replica.search(OPS, position, deadline_seconds=5.0)
    return None if results is None else {item.value["text"] for item in results[0]}


async def test_a_standby_is_searched_only_if_it_contains_all_writes(
    servers: Servers, store: ExactPostgresStore, replica: Replica
) -> None:
    await store.abatch([PutOp(SPACE, "1", {"text": "Has a boat"})])
    servers.resume()
    assert await found(replica) == {"Has a boat"}
    servers.pause()
    await store.abatch([PutOp(SPACE, "2", {"text": "Sold the boat"})])
    assert await found(replica) is None
    servers.resume()
    assert await found(replica) == {"Has a boat", "Sold the boat"}


async def test_a_standby_shows_no_other_users_rows(
    servers: Servers, store: ExactPostgresStore, replica: Replica
) -> None:
    await store.abatch([PutOp(("users", "bob", "memories", "user"), "1", {"text": "Hides a boat"})])
    servers.resume()  # and wait until the standby has the row and the role
    position = await replica.position()
    assert position is not None
    results = await replica.search([SearchOp(("users", "eve"), query="boat", limit=10)], position, deadline_seconds=5.0)
    assert results == [[]]
    async with replica.standby.connection_for("") as connection, connection.transaction():
        await connection.execute("SELECT set_config('role', %s, true)", [ROLE])
        cursor = await connection.execute("SELECT count(*) AS rows FROM store")
        assert await cursor.fetchone() == {"rows": 0}


async def test_a_standby_that_ends_is_not_searched(
    servers: Servers, store: ExactPostgresStore, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncExitStack() as stack:
        with TemporaryDirectory() as name, standby_of(servers.primary, Path(name)) as standby:
            replica = await stack.enter_async_context(open_replica(standby, store))
        assert await found(replica) is None
    assert "primary" in caplog.text


async def test_a_server_that_is_no_standby_is_rejected(servers: Servers, store: ExactPostgresStore) -> None:
    with pytest.raises(SetupError, match="KEEPSAKE_REPLICA_URL"):
        async with open_replica(servers.primary, store):
            pass


async def test_a_turn_recalls_what_the_standby_does_not_have_yet(servers: Servers) -> None:
    with RunningGateway(make_settings(servers.primary, replica_url=servers.standby)) as gateway:
        async with signed_in(gateway.url) as ada:
            await ada.send("I live in London and my nickname is RS.")
            await ada.flush()
            servers.pause()
            await ada.send("My boat is called Pelican.")
            reply = await ada.send("What is my boat called?")
            assert "Pelican" in reply.text
            assert not reply.degraded
            servers.resume()
            assert "London" in (await ada.send("Where do I live?")).text
