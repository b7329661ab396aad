"""Conversions that are interrupted, fail, or wait for others."""

import asyncio
import threading
from typing import Any

import psycopg
import pytest

from agent import Progress, SetupError, UnavailableError
from agent.store.conversion import PAGE_SIZE
from integration.jobs.conversions import TEXTS, changed, converted, fill, half_done, held_conversion, rows
from support.scripted_openai import Gate, ScriptedOpenAI


async def test_an_interrupted_conversion_resumes(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    await half_done(changed(database, model))
    assert await converted(changed(database, model)) == [
        Progress(done, TEXTS) for done in (PAGE_SIZE, 2 * PAGE_SIZE, TEXTS)
    ]
    assert sorted(model.embedded_texts()) == sorted(f"Knows number {n}" for n in range(1, TEXTS + 1))


async def test_another_target_discards_an_unfinished_conversion(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    await half_done(changed(database, model))
    progress = await converted(changed(database, model, dims=512))
    assert progress[0] == Progress(0, TEXTS, dropped="text-embedding-3-small/768")
    assert rows(database, "SELECT DISTINCT vector_dims(embedding) FROM store_vectors") == [(512,)]


async def test_an_item_without_text_gets_no_vector(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    rows(database, """UPDATE store SET value = '{"text": " "}' WHERE key IN ('1', '2')""")
    assert (await converted(changed(database, model)))[-1] == Progress(TEXTS, TEXTS)
    assert rows(database, "SELECT count(*) FROM store_vectors") == [(TEXTS - 2,)]


async def test_a_failed_request_is_repeated_in_smaller_batches(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    model.script.embeddings_gate = RejectsLargeBatches(model, max_texts=20)
    await converted(changed(database, model))
    assert rows(database, "SELECT count(*) FROM store_vectors WHERE vector_dims(embedding) = 768") == [(TEXTS,)]


class RejectsLargeBatches(Gate):
    """Makes the server reject requests with more than `max_texts` texts."""

    def __init__(self, model: ScriptedOpenAI, max_texts: int) -> None:
        super().__init__()
        self._model, self._max_texts = model, max_texts

    async def wait(self) -> None:
        texts = self._model.requests[-1].body["input"]
        self._model.script.embeddings_status = 200 if len(texts) <= self._max_texts else 400


async def test_converted_vectors_are_kept_if_the_model_is_unavailable(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    await half_done(changed(database, model))
    model.script.embeddings_status = 500
    with pytest.raises(UnavailableError, match="run `keepsake reembed` again"):
        await converted(changed(database, model))
    model.script.embeddings_status = 200
    assert (await converted(changed(database, model)))[0] == Progress(PAGE_SIZE, TEXTS)


async def test_a_second_conversion_is_rejected(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    async with held_conversion(model, changed(database, model)):
        with pytest.raises(SetupError, match="already"):
            await converted(changed(database, model))


async def test_the_swap_waits_for_a_reader_without_blocking_others(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    with psycopg.connect(database) as reader, psycopg.connect(database, autocommit=True) as other:
        reader.execute("SELECT FROM store_vectors")
        conversion = asyncio.create_task(converted(changed(database, model)))
        await asyncio.to_thread(until_locking, other)
        other.execute("SELECT FROM store JOIN store_vectors USING (prefix, key)")
        other.execute("UPDATE store_vectors SET updated_at = now() WHERE key = '7'")
        reader.rollback()
        await conversion
        assert rows(database, "SELECT DISTINCT vector_dims(embedding) FROM store_vectors") == [(768,)]


def until_locking(connection: psycopg.Connection[Any]) -> None:
    """Wait until a session requests an exclusive lock."""
    pause = threading.Event()
    while not connection.execute("SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted").fetchall():
        pause.wait(0.01)
