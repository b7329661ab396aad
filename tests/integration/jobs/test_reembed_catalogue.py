"""A converted database has the same schema as a new one."""

from typing import Any

from agent import AgentSettings, open_agent
from conftest import Databases, make_settings, model_settings
from integration.jobs.conversions import changed, converted, fill, half_done, rows
from integration.store.embedder import WordEmbedder
from integration.store.stores import STOCK, indexed, opened
from support.catalogue import catalogue
from support.scripted_openai import ScriptedOpenAI


async def test_the_old_model_discards_an_unfinished_conversion(databases: Databases, model: ScriptedOpenAI) -> None:
    database, untouched = databases.create("minilm"), databases.create("minilm")
    fill(database)
    await half_done(changed(database, model))
    assert await converted(make_settings(database)) == []
    assert catalogue(database) == catalogue(untouched)
    async with open_agent(make_settings(database), start_worker=False):
        pass


async def test_a_converted_database_has_the_schema_of_a_new_one(
    databases: Databases, empty_database: str, model: ScriptedOpenAI
) -> None:
    """1,536 dimensions do not fit into a covering index, 384 do."""
    database, small, large = databases.create("minilm"), databases.create("minilm"), empty_database
    async with open_agent(changed(large, model, dims=1536), start_worker=False):
        pass
    fill(database)
    async with open_agent(make_settings(database), start_worker=False):
        before = columns_without_vectors(database)
    await converted(changed(database, model, dims=1536))
    assert catalogue(database) == catalogue(large)
    assert columns_without_vectors(database) == before
    await converted(make_settings(database))
    assert catalogue(database) == catalogue(small)
    assert columns_without_vectors(database) == before


async def test_a_converted_database_keeps_its_partitions(
    databases: Databases, empty_database: str, model: ScriptedOpenAI
) -> None:
    database, new = databases.create_empty(), empty_database
    for settings in (make_settings(database, store_partitions=3), partitioned(new, model)):
        async with open_agent(settings, start_worker=False):
            pass
    fill(database)
    async with open_agent(make_settings(database), start_worker=False):
        before = columns_without_vectors(database)
    await half_done(partitioned(database, model))
    await converted(partitioned(database, model))
    assert catalogue(database) == catalogue(new)
    assert columns_without_vectors(database) == before


async def test_items_of_the_stock_store_are_converted(empty_database: str, model: ScriptedOpenAI) -> None:
    async with opened(STOCK, empty_database, index=indexed(WordEmbedder())) as store:
        await store.setup()
        await store.aput(("users", "ada", "memories", "user"), "a", {"text": "red apple"})
    await converted(changed(empty_database, model))
    assert rows(empty_database, "SELECT words::text, vector_dims(embedding) FROM store_vectors") == [
        ("'appl' 'red'", 768)
    ]
    async with open_agent(changed(empty_database, model), start_worker=False):
        pass


def partitioned(database: str, model: ScriptedOpenAI) -> AgentSettings:
    return make_settings(database, store_partitions=3, **model_settings(model, embedding_dims=768))


def columns_without_vectors(database: str) -> list[tuple[Any, ...]]:
    return rows(
        database,
        "SELECT prefix, key, field_name, words::text, sequence, moment, created_at, updated_at FROM store_vectors "
        "ORDER BY prefix, key, field_name",
    )
