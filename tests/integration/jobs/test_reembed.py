"""Conversion of the vectors to another embedding model, which is required before the model can be used."""

import pytest

from agent import Progress, SetupError, diagnose, open_agent, repartition_database
from conftest import Databases, make_settings, model_settings
from integration.jobs.conversions import add, changed, converted, fill, held_conversion, rows
from support.client import new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI


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
    empty_database: str, database: str, model: ScriptedOpenAI
) -> None:
    model.script.ignores_dims = True
    model.script.dims = 100
    for uri in (empty_database, database):
        with pytest.raises(SetupError, match=r"have 100 dimensions.*set KEEPSAKE_EMBEDDING_DIMS=100"):
            RunningGateway(make_settings(uri, **model_settings(model))).__enter__()
    assert rows(empty_database, "SELECT to_regclass('store')") == [(None,)]


@pytest.mark.parametrize("status", [500, 401])
async def test_an_embedder_that_is_down_does_not_prevent_the_start(
    database: str, model: ScriptedOpenAI, status: int
) -> None:
    model.script.embeddings_status = status
    with RunningGateway(make_settings(database, **model_settings(model))) as gateway:
        async with signed_in(gateway.url) as ada:
            assert (await ada.send("I live in Oslo.")).names[-1] == "run.finished"


@pytest.mark.parametrize("partitions", [0, 3])
async def test_a_running_keepsake_reads_and_writes_until_the_swap(
    databases: Databases, model: ScriptedOpenAI, partitions: int
) -> None:
    database = databases.create("minilm")
    await repartition_database(make_settings(database, store_partitions=partitions))
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


async def test_an_empty_database_is_reported(empty_database: str, model: ScriptedOpenAI) -> None:
    with pytest.raises(SetupError, match="nothing to convert"):
        await converted(changed(empty_database, model))
