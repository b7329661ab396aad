"""The settings select the memory store: the main database, a separate Postgres or Redis, or process memory."""

import os

import psycopg
import pytest

from agent import AgentSettings, SetupError, open_agent
from conftest import Databases, make_settings, model_settings
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI


async def _check_memory(client: ApiClient) -> None:
    """State a fact in one thread and recall it in the next, before and after formation."""
    await client.send("I play the violin.")
    assert (await client.send("Who plays the violin?")).recalled == ["I play the violin."]
    await client.flush()
    assert "violin" in str((await client.send("And what do I play?")).recalled)
    assert "violin" in str(await client.memories(q="violin"))


def _count(database: str, table: str) -> int:
    with psycopg.connect(database) as connection:
        row = connection.execute(psycopg.sql.SQL("SELECT count(*) FROM {}").format(psycopg.sql.Identifier(table)))
        [(count,)] = row.fetchall()
        return int(count)


async def test_memories_in_process_memory(database: str, model: ScriptedOpenAI) -> None:
    with RunningGateway(make_settings(database, **model_settings(model), store_type="memory")) as gateway:
        async with signed_in(gateway.url) as client:
            await _check_memory(client)
    assert _count(database, "store") == 0


async def test_memories_in_a_separate_database(databases: Databases, database: str, model: ScriptedOpenAI) -> None:
    separate = databases.create("text-embedding-3-small")
    with RunningGateway(make_settings(database, **model_settings(model), store_postgres_dsn=separate)) as gateway:
        async with signed_in(gateway.url) as client:
            await _check_memory(client)
    assert _count(database, "store") == 0
    assert _count(separate, "store") > 0
    assert _count(separate, "messages") == 0


async def test_memories_expire_after_their_ttl(database: str, model: ScriptedOpenAI) -> None:
    with RunningGateway(make_settings(database, **model_settings(model), store_ttl_minutes=60)) as gateway:
        async with signed_in(gateway.url) as client:
            await _check_memory(client)
            with psycopg.connect(database, autocommit=True) as connection:
                minutes = connection.execute(
                    "SELECT DISTINCT ttl_minutes FROM store WHERE expires_at > now()"
                ).fetchall()
                assert minutes == [(60,)]
                connection.execute("UPDATE store SET expires_at = now() - interval '1 second'")
            assert await client.memories() == []
            assert (await client.send("Who plays the violin?")).recalled == []


async def test_redis_without_extra_or_url_is_a_setup_error(database: str, model: ScriptedOpenAI) -> None:
    with pytest.raises(SetupError, match=r"keepsake-agent\[redis\]|LANGGRAPH_STORE_REDIS_URL"):
        async with open_agent(make_settings(database, **model_settings(model), store_type="redis")):
            pass


@pytest.mark.redis
async def test_memories_in_redis(database: str, model: ScriptedOpenAI) -> None:
    settings: AgentSettings = make_settings(
        database,
        **model_settings(model),
        store_type="redis",
        store_redis_url=os.environ["LANGGRAPH_STORE_REDIS_URL"],
    )
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            await _check_memory(client)
    assert _count(database, "store") == 0
