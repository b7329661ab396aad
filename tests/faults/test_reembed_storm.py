"""Concurrent writes during a conversion: in the end, each text has exactly its own new vector."""

import asyncio
import random
from collections.abc import Sequence

import psycopg
import pytest
from langgraph.store.base import PutOp
from psycopg.rows import dict_row

from agent import reembed_database
from agent.database import open_pool
from agent.database.row_security import ROLE
from agent.store import ExactPostgresStore
from agent.store.indexing import ExactIndexConfig
from conftest import DIMS, Databases, make_settings, model_settings
from support.example_model import embed
from support.scripted_openai import ScriptedOpenAI

WRITERS = 6
KEYS = 60
WORDS = ["apple", "car", "house", "violin", "red", "green", "tea", "cat", "Oslo", "Rome"]
NEW_DIMS = 64


async def _embed_old(texts: Sequence[str]) -> list[list[float]]:
    return [embed(text, DIMS).tolist() for text in texts]


def _put(pick: random.Random, writer: int) -> PutOp:
    namespace, key = ("users", f"u{writer % 3}", "memories", "user"), str(pick.randrange(KEYS))
    text = " ".join(pick.choices(WORDS, k=pick.randrange(5)))
    value = {"text": text, "indexed": pick.random() < 0.8}
    return PutOp(namespace, key, None if pick.random() < 0.25 else value, index=["text"] if value["indexed"] else False)


async def _write(store: ExactPostgresStore, writer: int, seed: int, ended: asyncio.Event) -> int:
    """Write random items until the conversion has ended; count the batches."""
    pick, batches = random.Random(seed * WRITERS + writer), 0
    while not ended.is_set():
        try:
            await store.abatch([_put(pick, writer) for _ in range(pick.randrange(1, 5))])
        except psycopg.errors.DataException:
            return batches  # vectors of the old dimensions are rejected after the swap
        batches += 1
    return batches


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_concurrent_writes_are_neither_lost_nor_mixed_up(
    databases: Databases, model: ScriptedOpenAI, seed: int
) -> None:
    database = databases.create("minilm")
    index = ExactIndexConfig(dims=DIMS, embed=_embed_old, fields=["text"])
    model.script.embedding_delay_seconds = 0.05
    ended = asyncio.Event()
    async with open_pool(database, size=WRITERS, name="test") as pool, asyncio.TaskGroup() as group:
        store = ExactPostgresStore(pool, index=index, role=ROLE)
        await store.abatch([_put(random.Random(n), n) for n in range(500)])
        writers = [group.create_task(_write(store, n, seed, ended)) for n in range(WRITERS)]
        async for _ in reembed_database(make_settings(database, **model_settings(model, embedding_dims=NEW_DIMS))):
            pass
        ended.set()
    assert sum(writer.result() for writer in writers) > WRITERS
    with psycopg.connect(database, row_factory=dict_row) as connection:
        items = connection.execute("SELECT prefix, key, value FROM store").fetchall()
        vectors = connection.execute("SELECT prefix, key, words::text, embedding::text FROM store_vectors").fetchall()
    texts = {
        (row["prefix"], row["key"]): row["value"]["text"]
        for row in items
        if row["value"]["indexed"] and row["value"]["text"]
    }
    assert {(row["prefix"], row["key"]) for row in vectors} == set(texts)
    for row in vectors:
        text = texts[row["prefix"], row["key"]]
        vector = [float(number) for number in row["embedding"].strip("[]").split(",")]
        assert vector == pytest.approx(embed(text, NEW_DIMS).tolist(), abs=1e-5), text
        assert {word[:3] for word in row["words"].replace("'", "").split()} == {w[:3].lower() for w in text.split()}
