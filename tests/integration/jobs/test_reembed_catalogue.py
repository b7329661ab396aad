"""A converted database has the same schema as a new one."""

from typing import Any, LiteralString

from agent import open_agent
from conftest import Databases, make_settings
from integration.jobs.conversions import changed, converted, fill, half_done, rows
from integration.store.embedder import WordEmbedder
from integration.store.stores import STOCK, indexed, opened
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


def columns_without_vectors(database: str) -> list[tuple[Any, ...]]:
    return rows(
        database,
        "SELECT prefix, key, field_name, words::text, sequence, moment, created_at, updated_at FROM store_vectors "
        "ORDER BY prefix, key, field_name",
    )


def catalogue(database: str) -> dict[str, list[tuple[Any, ...]]]:
    """Read the definitions of all tables, indexes, constraints, policies, triggers and functions."""
    return {name: rows(database, statement) for name, statement in CATALOGUE.items()}


CATALOGUE: dict[str, LiteralString] = {
    "tables": """
        SELECT relname, relkind::text, relrowsecurity, relforcerowsecurity, relacl::text, relowner FROM pg_class
        WHERE relnamespace = 'public'::regnamespace ORDER BY relname""",
    "columns": """
        SELECT attname, attnum, format_type(atttypid, atttypmod), attnotnull, attgenerated::text, attstorage::text,
            attcollation::regcollation::text, pg_get_expr(adbin, adrelid), col_description(attrelid, attnum)
        FROM pg_attribute LEFT JOIN pg_attrdef ON (attrelid, attnum) = (adrelid, adnum)
        WHERE attrelid = 'store_vectors'::regclass ORDER BY attnum""",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
    "constraints": """
        SELECT conname, contype::text, pg_get_constraintdef(oid), convalidated FROM pg_constraint
        WHERE conrelid = 'store_vectors'::regclass ORDER BY conname""",
    "policies": """
        SELECT polname, polcmd::text, polpermissive, polroles::regrole[]::text, pg_get_expr(polqual, polrelid),
            pg_get_expr(polwithcheck, polrelid), obj_description(oid, 'pg_policy')
        FROM pg_policy WHERE polrelid = 'store_vectors'::regclass""",
    "triggers": """
        SELECT tgrelid::regclass::text, tgtype, tgfoid::regproc::text FROM pg_trigger
        WHERE tgrelid IN ('store'::regclass, 'store_vectors'::regclass) ORDER BY 1, 2, 3""",
    "functions": "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
    "migrations": """
        SELECT name FROM keepsake_migrations UNION ALL SELECT v::text FROM vector_migrations ORDER BY 1""",
    "installation": "SELECT name FROM installation ORDER BY name",
}
