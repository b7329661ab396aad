"""The store's tables as hash partitions: each is complete, searched through its table, and inaccessible to users."""

from collections.abc import Sequence
from typing import LiteralString

import psycopg
import pytest
from langgraph.store.base import PutOp
from psycopg.rows import dict_row

from agent.accounts.scrub import SQL as SCRUB
from agent.database.row_security import ROLE
from agent.store import ExactPostgresStore
from agent.store.operations import UnindexedSearchOp, WordSearchOp
from agent.store.partitions import partition_counts
from agent.store.reindex import IndexRebuild, measure_bloat
from integration.store.embedder import WordEmbedder
from integration.store.stores import EXACT, PARTITIONED, STOCK, PartitionedStore, indexed, keys_of, opened, rows

USERS = [("users", f"u{n}", "memories", "user") for n in range(20)]
PARTITIONS: LiteralString = """
    SELECT inhrelid::regclass::text FROM pg_inherits
    WHERE inhparent IN ('store'::regclass, 'store_vectors'::regclass) ORDER BY 1"""
INDEXES: LiteralString = """
    SELECT count(*), bool_and(indisvalid AND relispartition AND relname ~ '_p\\d$')
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = %s::regclass"""
NAMES = [f"{table}_p{n}" for table in ("store", "store_vectors") for n in range(3)]
# Users in turns, so that each partition's index has half-filled pages.
FILL: LiteralString = """
    INSERT INTO store (prefix, key, value)
    SELECT 'users.v' || u || '.memories.user', 'key-' || m, '{"text": "tea"}'
    FROM generate_series(1001, 1000 + %s) AS m, generate_series(1001, 1000 + %s) AS u ORDER BY m, u"""
FILL_VECTORS: LiteralString = """
    INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
    SELECT prefix, key, 'text', array_fill(1, ARRAY[8])::vector, 'tea', repeat('s', 60), '' FROM store
    WHERE key <> 'a' ORDER BY key, prefix"""
SEQUENTIAL_SCANS: LiteralString = """
    SELECT relname, seq_scan FROM pg_stat_xact_user_tables WHERE starts_with(relname, 'store') AND seq_scan > 0"""
ABANDONED: LiteralString = """
CREATE INDEX store_vectors_together_p1_ccnew ON store_vectors_p1 (prefix);
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'store_vectors_together_p1_ccnew'::regclass;
"""


@pytest.fixture
async def database(new_database: str) -> str:
    """A database with 3 partitions and a memory of each of 20 users, protected by row-level security."""
    async with await psycopg.AsyncConnection.connect(new_database, autocommit=True, row_factory=dict_row) as connection:
        store = PartitionedStore(connection, index=indexed(WordEmbedder()), role=ROLE)
        await store.setup()
        await store.abatch([PutOp(user, "a", {"text": "car"}) for user in USERS])
    return new_database


async def fill(database: str, *, memories: int, users: int) -> None:
    await rows(database, FILL, memories, users)
    await rows(database, FILL_VECTORS)


async def test_a_new_database_has_partitions_with_all_indexes(database: str) -> None:
    assert await rows(database, PARTITIONS) == [(name,) for name in NAMES]
    await rows(database, "ANALYZE")
    for name in NAMES:
        assert await rows(database, INDEXES, name) == [(3, True)]
        assert await rows(database, "SELECT reltuples > 0 FROM pg_class WHERE relname = %s", name) == [(True,)]


async def test_users_cannot_access_partitions_directly(database: str) -> None:
    for name in NAMES:
        for statement in (f"SELECT FROM {name}", f"DELETE FROM {name}", f"TRUNCATE {name}"):
            async with await psycopg.AsyncConnection.connect(database) as connection:
                await connection.execute("SELECT set_config('keepsake.owner', 'users.u1', false)")
                await connection.execute(f"SET ROLE {ROLE}")
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    await connection.execute(statement.encode())


async def test_a_privilege_on_a_partition_reveals_nothing(database: str) -> None:
    await rows(database, f"GRANT ALL ON {', '.join(NAMES)} TO {ROLE}")
    async with await psycopg.AsyncConnection.connect(database) as connection:
        await connection.execute("SELECT set_config('keepsake.owner', 'users.u1', false)")
        await connection.execute(f"SET ROLE {ROLE}")
        for name in NAMES:
            assert (await connection.execute(f"SELECT FROM {name}".encode())).rowcount == 0
        assert (await connection.execute("SELECT FROM store_vectors")).rowcount == 1


async def test_existing_tables_keep_their_number_of_partitions(database: str) -> None:
    async with opened(EXACT, database, index=indexed(WordEmbedder())) as store:
        await store.setup()
    assert await rows(database, PARTITIONS) == [(name,) for name in NAMES]


async def test_vectors_that_are_added_later_get_as_many_partitions(new_database: str) -> None:
    for kind, index in ((PARTITIONED, None), (EXACT, indexed(WordEmbedder()))):
        async with opened(kind, new_database, index=index) as store:
            await store.setup()
    async with await psycopg.AsyncConnection.connect(new_database, row_factory=dict_row) as connection:
        assert await partition_counts(connection) == {"store": 3, "store_vectors": 3}


async def test_langgraphs_store_works_on_partitions(database: str) -> None:
    async with opened(STOCK, database, index=indexed(WordEmbedder())) as store:
        await store.setup()
        await store.aput(USERS[0], "b", {"text": "house"})
        assert keys_of(await store.asearch(USERS[0], query="house")) == ["b", "a"]
        assert keys_of(await store.asearch(("users",), query="car", limit=100)).count("a") == len(USERS)
        await store.adelete(USERS[0], "a")
        assert await store.aget(USERS[0], "a") is None


async def test_deleting_an_item_deletes_its_vectors_in_the_partition(database: str) -> None:
    async with opened(EXACT, database, index=indexed(WordEmbedder())) as store:
        for user in USERS:
            await store.adelete(user, "a")
    assert await rows(database, "SELECT count(*) FROM store_vectors") == [(0,)]


@pytest.mark.parametrize("analyzed", [NAMES, ["store", "store_vectors"]], ids=["partitions", "tables"])
async def test_no_search_and_no_write_reads_whole_tables(database: str, analyzed: Sequence[str]) -> None:
    """Autovacuum collects statistics of partitions only, an operator's ANALYZE also those of the tables."""
    await fill(database, memories=30, users=300)
    await rows(database, "DELETE FROM pg_statistic")
    await rows(database, f"ANALYZE {', '.join(analyzed)}")
    place = ("users", "v1001", "memories", "user")
    async with await psycopg.AsyncConnection.connect(database, row_factory=dict_row) as connection:
        store = ExactPostgresStore(connection, index=indexed(WordEmbedder()))
        for namespace in (place, place[:2]):
            assert len(await store.asearch(namespace, query="tea", limit=30)) == 30
            assert len(await store.asearch(namespace, limit=30)) == 30
        for search, expected in ((WordSearchOp, 30), (UnindexedSearchOp, 0)):
            [found] = await store.abatch([search(place, query="tea", limit=30)])
            assert isinstance(found, list)
            assert len(found) == expected
        await store.abatch([PutOp(place, "key-1001", {"text": "car"}), PutOp(place, "key-1002", None)])
        assert (await store.aerase(place[:2]))["store"] == {place: 29}
        assert await (await connection.execute(SEQUENTIAL_SCANS)).fetchall() == []


async def test_the_index_of_each_partition_is_rebuilt(database: str) -> None:
    await fill(database, memories=100, users=60)
    await rows(database, "VACUUM ANALYZE store_vectors")
    async with await psycopg.AsyncConnection.connect(database, row_factory=dict_row) as connection:
        before = await measure_bloat(connection)
        assert [index.name for index in before] == [f"store_vectors_together_p{n}" for n in range(3)]
        assert all(index.is_bloated for index in before)
        assert await IndexRebuild(database, min_bytes=0).rebuild_if_bloated()
        await rows(database, "ANALYZE store_vectors")
        after = await measure_bloat(connection)
    assert [index.packed_bytes for index in before] == pytest.approx([index.bytes for index in after], rel=0.1)
    assert not any(index.is_bloated for index in after)


async def test_the_index_of_a_killed_rebuild_of_a_partition_is_removed(database: str) -> None:
    await rows(database, ABANDONED)
    async with opened(EXACT, database, index=indexed(WordEmbedder())) as store:
        await store.setup()
    await IndexRebuild(database).rebuild_if_bloated()
    assert await rows(database, "SELECT FROM pg_index WHERE NOT indisvalid") == []


async def test_scrubbing_rewrites_all_partitions(database: str) -> None:
    async with await psycopg.AsyncConnection.connect(database, row_factory=dict_row) as connection:
        parameters = {"tables": ["store", "store_vectors", "store_changes"]}
        rewritten = await (await connection.execute(SCRUB.tables, parameters)).fetchall()
    assert [row["name"] for row in rewritten] == sorted([*NAMES, "store_changes"])
