"""Conversion of the vectors to another embedding model, which is required before the model can be used."""

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import sql

from agent import AgentSettings, Progress, SetupError, UnavailableError, diagnose, open_agent, reembed_database
from agent.store.conversion import PAGE_SIZE
from conftest import Databases, make_settings, model_settings
from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import EMBEDDINGS, Gate, ScriptedOpenAI

TEXTS = 2 * PAGE_SIZE + 22
WITHOUT_DELAYS = ((0.0, 64), (0.0, 16), (0.0, 1))


class ClosesAfter(Gate):
    """A gate that closes after a number of requests."""

    def __init__(self, requests: int) -> None:
        super().__init__()
        self._remaining = requests

    async def wait(self) -> None:
        if self._remaining == 0:
            self.close()
        self._remaining -= 1
        await super().wait()


@pytest.fixture
def empty(postgres: str) -> str:
    """An empty database."""
    name = f"empty_{uuid.uuid4().hex}"
    rows(postgres, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return postgres.replace("/postgres?", f"/{name}?")


def rows(database: str, statement: LiteralString | sql.Composed) -> list[tuple[Any, ...]]:
    with psycopg.connect(database, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def fill(database: str) -> None:
    """Write three pages of memories of one user."""
    rows(
        database,
        f"""INSERT INTO store (prefix, key, value)
        SELECT 'users.ada.memories.user', n::text, jsonb_build_object('text', 'Knows number ' || n)
        FROM generate_series(1, {TEXTS}) AS n""",
    )
    rows(
        database,
        """INSERT INTO store_vectors (prefix, key, field_name, embedding)
        SELECT prefix, key, 'text', array_fill(0.1, ARRAY[384])::vector FROM store
        WHERE prefix = 'users.ada.memories.user'""",
    )


async def converted(settings: AgentSettings) -> list[Progress]:
    return [progress async for progress in reembed_database(settings, attempts=WITHOUT_DELAYS)]


async def half_done(settings: AgentSettings) -> None:
    """Start a conversion, and stop it after a page."""
    async with aclosing(reembed_database(settings)) as conversion:
        async for progress in conversion:
            if progress.done == PAGE_SIZE:
                return


async def add(client: ApiClient, *texts: str) -> None:
    for text in texts:
        (await client.http.post("/memories", json={"text": text})).raise_for_status()


@asynccontextmanager
async def held_conversion(model: ScriptedOpenAI, settings: AgentSettings) -> AsyncIterator[None]:
    """Pause a conversion during the second page, until the end of the block."""
    model.script.embeddings_gate = ClosesAfter(1)
    conversion = asyncio.create_task(converted(settings))
    await model.wait_for_request(EMBEDDINGS, 2, timeout_seconds=30)
    try:
        yield
    finally:
        model.script.embeddings_gate.open()
        await conversion


def changed(database: str, model: ScriptedOpenAI, dims: int = 768) -> AgentSettings:
    return make_settings(database, **model_settings(model, embedding_dims=dims))


async def test_memories_are_converted_to_another_model_and_dimensions(
    databases: Databases, model: ScriptedOpenAI
) -> None:
    database = databases.create("minilm")
    with RunningGateway(make_settings(database)) as before:
        async with signed_in(before.url, "ada") as ada:
            await add(ada, "Lives in Oslo", "Plays the violin")
    with pytest.raises(SetupError, match="keepsake reembed"):
        RunningGateway(changed(database, model)).__enter__()
    assert await converted(changed(database, model)) == [Progress(0, 2), Progress(2, 2)]
    with RunningGateway(changed(database, model)) as after:
        async with signed_in(after.url, "ada") as ada:
            found = await ada.memories(q="Plays the violin")
            assert [memory["text"] for memory in found] == ["Plays the violin", "Lives in Oslo"]
            assert found[0]["score"] == pytest.approx(1.0)
    assert await converted(changed(database, model)) == []


async def test_minilm_remains_in_use_after_offline_use_until_its_vectors_are_converted(
    databases: Databases, model: ScriptedOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    database = databases.create("minilm")
    with RunningGateway(make_settings(database)) as offline:
        async with signed_in(offline.url, "ada") as ada:
            await add(ada, "Plays the violin")
    model.script.dims = 768
    with_key = make_settings(database, **model_settings(model, embedding_dims=0))
    with_other_dims = make_settings(database, **model_settings(model, embedding_dims=768))
    with RunningGateway(with_key) as unconverted:
        async with signed_in(unconverted.url, "ada") as ada:
            assert "remains in use until `keepsake reembed`" in caplog.text
            assert "`keepsake reembed`" in (await ada.http.get("/readyz")).json()["detail"]
            assert not (await ada.send("Who plays the violin?")).degraded
            await add(ada, "Lives in Oslo")
            assert (await ada.memories(q="Plays the violin"))[0]["score"] == pytest.approx(1.0)
            assert not model.embedded_texts()
            [finding] = [finding async for finding in diagnose(with_key) if finding.subject == "embedder"][:1]
            assert finding.level == "warning"
            await converted(with_key)
            assert not (await ada.http.get("/readyz")).is_error
    with pytest.raises(SetupError, match="keepsake reembed"):
        RunningGateway(with_other_dims).__enter__()
    with RunningGateway(with_key) as after:
        async with signed_in(after.url, "ada") as ada:
            assert (await ada.http.get("/readyz")).json() == {"status": "ready"}
            found = await ada.memories(q="Lives in Oslo")
            assert [memory["text"] for memory in found] == ["Lives in Oslo", "Plays the violin"]
            assert found[0]["score"] == pytest.approx(1.0)


async def test_vectors_with_other_dimensions_than_configured_prevent_the_start(
    empty: str, database: str, model: ScriptedOpenAI
) -> None:
    model.script.ignores_dims = True
    model.script.dims = 100
    for uri in (empty, database):
        with pytest.raises(SetupError, match=r"have 100 dimensions.*set KEEPSAKE_EMBEDDING_DIMS=100"):
            RunningGateway(make_settings(uri, **model_settings(model))).__enter__()
    assert rows(empty, "SELECT to_regclass('store')") == [(None,)]


@pytest.mark.parametrize("status", [500, 401])
async def test_an_embedder_that_is_down_does_not_prevent_the_start(
    database: str, model: ScriptedOpenAI, status: int
) -> None:
    model.script.embeddings_status = status
    with RunningGateway(make_settings(database, **model_settings(model))) as gateway:
        async with signed_in(gateway.url) as ada:
            assert (await ada.send("I live in Oslo.")).names[-1] == "run.finished"


async def test_a_running_keepsake_reads_and_writes_until_the_swap(databases: Databases, model: ScriptedOpenAI) -> None:
    database = databases.create("minilm")
    with RunningGateway(make_settings(database)) as gateway:
        async with signed_in(gateway.url, "ada") as ada:
            await add(ada, "Plays the violin", "Lives in Oslo", "Has a cat")
            fill_after = "INSERT INTO store (prefix, key, value) VALUES ('users.ada', 'no text', '{}')"
            rows(database, fill_after)
            of_text = {memory["text"]: memory["id"] for memory in await ada.memories()}
            fill(database)
            async with held_conversion(model, changed(database, model)):
                reply = await ada.send("Who plays the violin?")
                assert "Plays the violin" in reply.recalled
                assert not reply.degraded
                await add(ada, "Drinks tea")
                await ada.http.patch(f"/memories/{of_text['Lives in Oslo']}", json={"text": "Lives in Rome"})
                await ada.http.delete(f"/memories/{of_text['Has a cat']}")
                assert (await ada.memories(q="Drinks tea"))[0]["score"] == pytest.approx(1.0, abs=0.01)
            reply = await ada.send("Who plays the violin?", thread=new_thread())
            assert reply.degraded
            assert reply.names[-1] == "run.finished"
    with RunningGateway(changed(database, model)) as after:
        async with signed_in(after.url, "ada") as ada:
            known = {memory["text"] for memory in await ada.memories()}
            assert {"Plays the violin", "Lives in Rome", "Drinks tea"} <= known
            assert "Has a cat" not in known
            for text in known:
                found = await ada.memories(q=text)
                assert (found[0]["text"], found[0]["score"]) == (text, pytest.approx(1.0))
    assert rows(
        database, "SELECT count(*) FROM store_vectors WHERE words IS NULL OR vector_dims(embedding) <> 768"
    ) == [(0,)]


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


async def test_memories_in_a_separate_database_are_converted(databases: Databases, model: ScriptedOpenAI) -> None:
    database, memories = databases.create("minilm"), databases.create("minilm")
    settings = make_settings(database, store_postgres_dsn=memories, **model_settings(model, embedding_dims=768))
    fill(memories)
    await converted(settings)
    assert rows(memories, "SELECT DISTINCT vector_dims(embedding) FROM store_vectors") == [(768,)]
    killed_after_the_swap = """
        UPDATE installation SET value = 'minilm/384' WHERE name = 'embedder';
        INSERT INTO installation VALUES ('reembedding', 'text-embedding-3-small/768')"""
    rows(database, killed_after_the_swap)
    assert await converted(settings) == []
    async with open_agent(settings, start_worker=False):
        pass


async def test_an_empty_database_is_reported(empty: str, model: ScriptedOpenAI) -> None:
    with pytest.raises(SetupError, match="nothing to convert"):
        await converted(changed(empty, model))
