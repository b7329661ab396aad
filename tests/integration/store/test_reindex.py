"""The covering index is rebuilt when it is bloated, while searches and writes continue."""

import asyncio
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from agent import open_agent
from agent.store.reindex import MIN_BYTES, IndexRebuild, measure_bloat
from agent.types import MemoryId, UserId
from conftest import make_settings, model_settings
from support.scripted_openai import ScriptedOpenAI

INDEXES = {"store_vectors_pkey", "store_vectors_together", "store_vectors_wordless"}
FILL: LiteralString = """
INSERT INTO store (prefix, key, value)
    SELECT 'users.u' || u || '.memories.user', 'key-' || m, '{"text": "tea"}'
    FROM generate_series(1000, 999 + %s) AS m, generate_series(10, 49) AS u ORDER BY m, u
"""
FILL_VECTORS: LiteralString = """
INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
    SELECT prefix, key, 'text', array_fill(1, ARRAY[384])::vector, 'tea', '', '' FROM store ORDER BY key, prefix
"""
ABANDONED: LiteralString = """
CREATE INDEX store_vectors_together_ccnew ON store_vectors (prefix);
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'store_vectors_together_ccnew'::regclass;
"""


@pytest.fixture
def bloated(database: str) -> str:
    """A database of 40 users who wrote 30 memories each, in turns."""
    fill(database, memories=30)
    return database


async def test_a_bloated_index_is_rebuilt_once(bloated: str) -> None:
    before = size(bloated)
    rebuild = IndexRebuild(bloated, min_bytes=0)
    assert await rebuild.rebuild_if_bloated()
    run(bloated, "ANALYZE store_vectors")
    assert size(bloated) < before / 1.25
    assert not await rebuild.rebuild_if_bloated()
    assert indexes(bloated) == INDEXES


async def test_the_size_after_a_rebuild_is_estimated(bloated: str) -> None:
    async with await psycopg.AsyncConnection.connect(bloated, row_factory=psycopg.rows.dict_row) as connection:
        [bloat] = await measure_bloat(connection)
    assert bloat.bytes == size(bloated)
    await IndexRebuild(bloated, min_bytes=0).rebuild_if_bloated()
    assert size(bloated) == pytest.approx(bloat.packed_bytes, rel=0.1)


@pytest.mark.parametrize("limits", [{}, {"min_bytes": 0, "max_bytes": 0}], ids=["too small", "too large"])
async def test_an_index_outside_the_size_limits_is_not_rebuilt(bloated: str, limits: dict[str, int]) -> None:
    assert not await IndexRebuild(bloated, **limits).rebuild_if_bloated()


@pytest.mark.parametrize(
    "obstacle",
    [
        "DROP INDEX store_vectors_together",
        "CREATE TABLE store_vectors_next ()",
        "UPDATE pg_class SET reltuples = -1 WHERE relname = 'store_vectors'",
    ],
    ids=["no index", "conversion under way", "no statistics"],
)
async def test_the_index_is_not_rebuilt_while_it_cannot_be_measured(bloated: str, obstacle: LiteralString) -> None:
    run(bloated, obstacle)
    assert not await IndexRebuild(bloated, min_bytes=0).rebuild_if_bloated()


async def test_the_index_of_a_killed_rebuild_is_tolerated_and_removed(database: str, model: ScriptedOpenAI) -> None:
    run(database, ABANDONED)
    async with open_agent(make_settings(database, **model_settings(model)), start_worker=False):
        pass
    await IndexRebuild(database).rebuild_if_bloated()
    assert indexes(database) == INDEXES


async def test_the_worker_rebuilds_the_index_while_users_write(
    database: str, model: ScriptedOpenAI, tmp_path: Path
) -> None:
    fill(database, memories=250)
    before = size(database)
    assert before > MIN_BYTES
    async with open_agent(make_settings(database, data_dir=tmp_path, **model_settings(model))) as agent:
        user, added = UserId("ada"), set[MemoryId]()
        async with asyncio.timeout(30):
            while size(database) > before / 1.25:
                text = f"Drinks {len(added)} cups of tea"
                added.add((await agent.memories.add(user, kind="user", text=text, category="personal")).id)
        assert {(await agent.memories.get(user, memory)).id for memory in added} == added


def fill(uri: str, *, memories: int) -> None:
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(FILL, (memories,))
        connection.execute(FILL_VECTORS)
        connection.execute("VACUUM ANALYZE store_vectors")


def run(uri: str, *statements: LiteralString) -> None:
    with psycopg.connect(uri, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def size(uri: str) -> int:
    with psycopg.connect(uri) as connection:
        [bytes_] = connection.execute("SELECT pg_relation_size('store_vectors_together')").fetchone() or (0,)
    return int(bytes_)


def indexes(uri: str) -> set[str]:
    with psycopg.connect(uri) as connection:
        rows = connection.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'store_vectors'").fetchall()
    return {name for (name,) in rows}
