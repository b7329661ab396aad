"""Packing: what users have written in turns is made dense again, while everybody goes on."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from agent import open_agent, service
from agent.store.reindex import IndexRebuild, measure_bloat
from agent.types import MemoryId, UserId
from conftest import make_settings, model_settings
from support.scripted_openai import ScriptedOpenAI

FILL: LiteralString = """
INSERT INTO store (prefix, key, value)
    SELECT 'users.u' || u || '.memories.user', 'key-' || m, '{"text": "tea"}'
    FROM generate_series(10, 39) AS m, generate_series(10, 49) AS u ORDER BY m, u;
INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
    SELECT prefix, key, 'text', array_fill(1, ARRAY[384])::vector, 'tea', '', '' FROM store ORDER BY key, prefix;
"""
LEFT_BEHIND: LiteralString = """
CREATE INDEX store_vectors_together_ccnew ON store_vectors (prefix);
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'store_vectors_together_ccnew'::regclass;
"""


@pytest.fixture
def written_in_turns(database: str) -> str:
    """A database of 40 users, each of whom wrote 30 memories, one after the other's."""
    run(database, FILL, "VACUUM ANALYZE store_vectors")
    return database


async def test_an_index_that_was_written_in_turns_is_packed_once(written_in_turns: str) -> None:
    before = size(written_in_turns)
    packing = IndexRebuild(written_in_turns, least_bytes=0)
    assert await packing.rebuild_if_bloated()
    run(written_in_turns, "ANALYZE store_vectors")
    assert size(written_in_turns) < before / 1.25
    assert not await packing.rebuild_if_bloated()
    assert indexes(written_in_turns) == {"store_vectors_pkey", "store_vectors_together", "store_vectors_wordless"}


async def test_how_large_it_would_be_is_known_before(written_in_turns: str) -> None:
    async with await psycopg.AsyncConnection.connect(written_in_turns, row_factory=psycopg.rows.dict_row) as connection:
        found = await measure_bloat(connection)
    assert found is not None
    assert found.bytes == size(written_in_turns)
    await IndexRebuild(written_in_turns, least_bytes=0).rebuild_if_bloated()
    assert size(written_in_turns) == pytest.approx(found.packed_bytes, rel=0.1)


@pytest.mark.parametrize("limits", [{}, {"least_bytes": 0, "most_bytes": 0}], ids=["small", "large"])
async def test_one_that_is_not_worth_it_or_would_take_long_is_left_alone(
    written_in_turns: str, limits: dict[str, int]
) -> None:
    assert not await IndexRebuild(written_in_turns, **limits).rebuild_if_bloated()


@pytest.mark.parametrize(
    "why",
    [
        "DROP INDEX store_vectors_together",
        "CREATE TABLE store_vectors_next ()",
        "UPDATE pg_class SET reltuples = -1 WHERE relname = 'store_vectors'",
    ],
    ids=["there is none", "a conversion is under way", "nothing is known of it"],
)
async def test_what_cannot_be_packed_now_is_left_alone(written_in_turns: str, why: LiteralString) -> None:
    run(written_in_turns, why)
    assert not await IndexRebuild(written_in_turns, least_bytes=0).rebuild_if_bloated()


async def test_what_a_killed_process_left_behind_stops_no_start_and_is_taken_away(
    database: str, model: ScriptedOpenAI
) -> None:
    run(database, LEFT_BEHIND)
    async with open_agent(make_settings(database, **model_settings(model)), start_worker=False):
        pass
    await IndexRebuild(database).rebuild_if_bloated()
    assert indexes(database) == {"store_vectors_pkey", "store_vectors_together", "store_vectors_wordless"}


async def test_the_worker_packs_while_users_go_on(
    written_in_turns: str, model: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, packings = size(written_in_turns), []

    def packing(uri: str) -> IndexRebuild:
        packings.append(Told(uri, least_bytes=0))
        return packings[0]

    monkeypatch.setattr(service, "IndexRebuild", packing)
    async with open_agent(make_settings(written_in_turns, data_dir=tmp_path, **model_settings(model))) as agent:
        user, added = UserId("somebody"), set[MemoryId]()
        async with asyncio.timeout(30):
            while not packings[0].packed.is_set():
                text = f"Drinks {len(added)} cups of tea"
                added.add((await agent.memories.add(user, kind="user", text=text, category="personal")).id)
        assert {(await agent.memories.get(user, memory)).id for memory in added} == added
    assert size(written_in_turns) < before / 1.25


@dataclass(frozen=True, slots=True)
class Told(IndexRebuild):
    """One that tells when it has packed."""

    packed: asyncio.Event = field(default_factory=asyncio.Event)

    async def pack(self) -> bool:
        try:
            return await IndexRebuild.rebuild_if_bloated(self)
        finally:
            self.packed.set()


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
