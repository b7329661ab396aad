"""`keepsake repartition` converts the tables of memories, completely or not at all."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any, LiteralString

import psycopg
import pytest
from click.testing import CliRunner
from langgraph.store.base import PutOp
from psycopg.rows import dict_row

from agent import AgentSettings, Finding, SetupError, diagnose, open_agent, repartition_database
from agent.database.row_security import ROLE
from agent.jobs.repartition import Repartition
from agent.store import ExactPostgresStore
from conftest import Databases, make_settings
from gateway.cli import keepsake
from integration.store.embedder import WordEmbedder
from integration.store.stores import PARTITIONED, expire, indexed, opened, rows
from support.catalogue import catalogue, digests
from support.client import new_thread, signed_in
from support.gateway import RunningGateway

WORDS = ("car", "boat", "house", "garden", "river", "violin", "train")
USERS = [("users", f"u{n}", "memories", "user") for n in range(12)]
WAITS_FOR_TABLE: LiteralString = """
    SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'store'::regclass"""
FAILURES: dict[str, tuple[LiteralString, str]] = {
    "a view": ("CREATE VIEW mine AS SELECT * FROM store_vectors", "view mine depends on"),
    "a table of that name": ("CREATE TABLE store_vectors_p3 ()", 'relation "store_vectors_p3" already exists'),
    "a conversion": ("CREATE TABLE store_vectors_next ()", "run `keepsake reembed`"),
}


def settings_of(database: str, partitions: int) -> AgentSettings:
    return make_settings(database, store_partitions=partitions)


async def repartitioned(database: str, partitions: int) -> Repartition:
    return await repartition_database(settings_of(database, partitions), lock_timeout="100ms")


async def partition_faults(database: str, partitions: int) -> list[Finding]:
    findings = [finding async for finding in diagnose(settings_of(database, partitions))]
    return [finding for finding in findings if finding.level != "ok"]


@pytest.fixture
async def database(new_database: str) -> str:
    """A database without partitions: 12 users with 30 memories each in conversations, some of which expire."""
    async with await psycopg.AsyncConnection.connect(new_database, autocommit=True, row_factory=dict_row) as connection:
        config = indexed(WordEmbedder(), conversation=("thread", "ts"))
        store = ExactPostgresStore(connection, index=config, role=ROLE)
        await store.setup()
        await store.abatch([PutOp(user, str(n), _memory(n)) for user in USERS for n in range(30)])
    await expire(new_database, USERS[0], "0", "1")
    return new_database


def _memory(n: int) -> dict[str, Any]:
    text = f"{WORDS[n % 7]} and {WORDS[n % 5]} {n}"
    return {"text": text, "thread": f"t{n % 3}", "ts": f"2026-01-{n + 1:02}", "n": [n, None, "ä"]}


async def search_results(database: str) -> list[Sequence[object]]:
    """The results of searches by vectors and words, in and below namespaces, with scores and ranks."""
    async with opened(PARTITIONED, database, index=indexed(WordEmbedder(), conversation=("thread", "ts"))) as store:
        searches = [(USERS[3], "violin boat", 10), (USERS[7][:2], "garden", 30), (("users",), "river train", 50)]
        found = [await store.asearch(place, query=query, limit=limit) for place, query, limit in searches]
        return [(item.namespace, item.key, item.value, item.score, item.updated_at) for page in found for item in page]


async def test_rows_and_search_results_survive_every_conversion(database: str) -> None:
    stored, found = digests(database), await search_results(database)
    assert len(found) == 90
    definitions = {0: catalogue(database, "columns", "indexes", "constraints", "policies", "functions", "tables")}
    for partitions in (4, 8, 0):
        counts = {"store": 360, "store_vectors": 360}
        assert await repartitioned(database, partitions) == Repartition(partitions, counts)
        assert digests(database) == stored
        assert await search_results(database) == found
        assert await rows(database, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'store'::regclass") == [
            (partitions,)
        ]
        assert await repartitioned(database, partitions) == Repartition(partitions, {})
    assert catalogue(database, *definitions[0]) == definitions[0]


async def test_a_converted_database_has_the_schema_of_a_new_one(databases: Databases) -> None:
    converted, new = databases.create("minilm"), databases.create_empty()
    async with open_agent(settings_of(new, 3), start_worker=False):
        pass
    await repartitioned(converted, 3)
    assert catalogue(converted) == catalogue(new)
    assert await partition_faults(converted, 3) == []
    await repartitioned(converted, 0)
    assert catalogue(converted) == catalogue(databases.create("minilm"))
    for uri in (converted, new):
        databases.drop(uri)


async def test_indexes_and_triggers_of_the_operator_survive(database: str) -> None:
    await rows(
        database,
        """CREATE INDEX mine ON store (created_at);
        CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
        CREATE TRIGGER mine BEFORE UPDATE ON store FOR EACH ROW EXECUTE FUNCTION mine()""",
    )
    before = catalogue(database, "indexes", "triggers")
    await repartitioned(database, 2)
    await repartitioned(database, 0)
    assert catalogue(database, "indexes", "triggers") == before


async def test_tables_in_use_are_not_converted(database: str) -> None:
    before = catalogue(database, "tables", "columns")
    async with await psycopg.AsyncConnection.connect(database) as reader:
        await reader.execute("SELECT FROM store_vectors")
        with pytest.raises(SetupError, match=r"other processes use the tables.*nothing has changed"):
            await repartitioned(database, 4)
    assert catalogue(database, "tables", "columns") == before
    assert (await repartitioned(database, 4)).partitions == 4


@pytest.mark.parametrize("isolation", ["read committed", "repeatable read"])
async def test_rows_that_are_committed_before_the_lock_are_copied(database: str, isolation: str) -> None:
    name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
    async with await psycopg.AsyncConnection.connect(database) as writer:
        await writer.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = '{isolation}'".encode())
        await writer.commit()
        await writer.execute("INSERT INTO store (prefix, key, value) VALUES ('users.u1.items', 'late', '{}')")
        conversion = asyncio.create_task(repartition_database(settings_of(database, 4), lock_timeout="30s"))
        while await rows(database, WAITS_FOR_TABLE) == [(0,)]:
            pass
        await writer.commit()
    assert (await conversion).rows == {"store": 361, "store_vectors": 360}


@pytest.mark.parametrize(("obstacle", "message"), FAILURES.values(), ids=FAILURES)
async def test_a_failure_changes_nothing(database: str, obstacle: LiteralString, message: str) -> None:
    await rows(database, obstacle)
    kinds = ("tables", "columns", "indexes", "constraints", "policies")
    stored, before = digests(database), catalogue(database, *kinds)
    with pytest.raises(SetupError, match=re.escape(message)):
        await repartitioned(database, 4)
    assert (digests(database), catalogue(database, *kinds)) == (stored, before)


async def test_there_must_be_tables(new_database: str) -> None:
    with pytest.raises(SetupError, match="there are no tables yet"):
        await repartitioned(new_database, 4)
    with pytest.raises(SetupError, match="type memory, which has no partitions"):
        await repartition_database(make_settings(new_database, store_type="memory"))


async def test_users_see_only_their_rows_after_a_conversion(database: str) -> None:
    await repartitioned(database, 4)
    async with await psycopg.AsyncConnection.connect(database) as connection:
        await connection.execute("SELECT set_config('keepsake.owner', 'users.u1', false)")
        await connection.execute(f"SET ROLE {ROLE}")
        for table in ("store", "store_vectors"):
            assert (await connection.execute(f"SELECT FROM {table}")).rowcount == 30
            assert (await connection.execute(f"DELETE FROM {table} WHERE prefix NOT LIKE 'users.u1.%'")).rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute("SELECT FROM store_vectors_p0")


def test_doctor_names_the_command_which_prints_the_counts(databases: Databases) -> None:
    database = databases.create("minilm")
    run = CliRunner(env={"DATABASE_URL": database, "KEEPSAKE_STORE_PARTITIONS": "4"}).invoke
    doctor = run(keepsake, ["doctor"])
    assert doctor.exit_code == 0
    assert "the tables of memories have no partitions, and KEEPSAKE_STORE_PARTITIONS is 4" in doctor.output
    assert "run `keepsake repartition`" in doctor.output
    command = run(keepsake, ["repartition"])
    assert command.exit_code == 0
    assert command.output == "store: 0 rows in 4 partitions\nstore_vectors: 0 rows in 4 partitions\n"
    assert "ok       partitions: the tables of memories have 4 partitions" in run(keepsake, ["doctor"]).output
    assert run(keepsake, ["repartition"]).output == "Nothing to do: the memories are in 4 partitions.\n"
    unset = CliRunner(env={"DATABASE_URL": database}).invoke(keepsake, ["doctor"])
    assert "or set KEEPSAKE_STORE_PARTITIONS=4" in unset.output


async def test_a_turn_recalls_from_partitions_and_after_a_conversion(empty_database: str) -> None:
    """A running gateway prepares statements and caches plans, which must remain valid."""
    with RunningGateway(settings_of(empty_database, 4)) as gateway:
        async with signed_in(gateway.url) as ada, signed_in(gateway.url) as bob:
            await ada.send("I live in London and my nickname is RS.")
            await ada.flush()
            assert await rows(empty_database, "SELECT count(*) > 0 FROM store_vectors") == [(True,)]
            for partitions in (4, 0, 2):
                await repartitioned(empty_database, partitions)
                assert "London" in (await ada.send("Where do I live?", thread=new_thread())).text
                assert "London" not in (await bob.send("Where do I live?", thread=new_thread())).text
