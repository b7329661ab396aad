"""Memory never delays or breaks a reply; if it is degraded, the turn reports it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager

import psycopg
import pytest

from agent import AgentSettings
from agent.store.factory import CONNECTIONS
from conftest import make_settings, model_settings
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

MAX_FIRST_TOKEN_SECONDS = 2.5  # the deadlines add up to 0.9; what is slow or locked takes 3 seconds or longer


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway with the default recall deadline."""
    deadline = AgentSettings.model_fields["recall_deadline_ms"].default
    with RunningGateway(make_settings(database, **model_settings(model, recall_deadline_ms=deadline))) as running:
        yield running


async def _check_reply(client: ApiClient, text: str) -> bool:
    """Send a message and check that the reply is complete and on time.

    Returns:
        True if the turn was degraded.
    """
    reply = await client.send(text)
    assert reply.names[-1] == "run.finished"
    assert reply.text
    assert reply.first_token_seconds is not None
    assert reply.first_token_seconds < MAX_FIRST_TOKEN_SECONDS  # the scripted model replies immediately
    return reply.degraded


async def test_a_slow_embedder_does_not_delay_replies(gateway: RunningGateway, model: ScriptedOpenAI) -> None:
    async with signed_in(gateway.url) as client:
        await client.send("I play the violin.")
        model.script.embedding_delay_seconds = 3.0
        assert await _check_reply(client, "Do I play the cello or the violin?")
        reply = await client.send("And who plays the violin?")
        assert reply.recalled == ["I play the violin."]  # found by full-text search


async def test_a_failing_embedder_does_not_break_replies(gateway: RunningGateway, model: ScriptedOpenAI) -> None:
    async with signed_in(gateway.url) as client:
        model.script.embeddings_status = 500
        assert await _check_reply(client, "I play the violin.")
        reply = await client.send("Who plays the violin?")
        assert reply.degraded
        assert reply.recalled == ["I play the violin."]
        await client.http.post("/memories/flush")
        state = (await client.http.get("/memories/formation")).json()
        assert (state["pending"], state["last_error"][:20]) == (1, "embedder_unavailable")
        model.script.embeddings_status = 200
        assert (await client.flush())["added"] == 1
        assert not await _check_reply(client, "What do I play?")


async def test_locked_memory_tables_do_not_break_replies_or_lose_messages(
    gateway: RunningGateway, database: str
) -> None:
    async with signed_in(gateway.url) as client:
        with psycopg.connect(database) as locking:
            locking.execute("LOCK TABLE store, store_vectors IN ACCESS EXCLUSIVE MODE")
            assert await _check_reply(client, "I play the violin.")
            locking.rollback()
        assert (await client.flush())["added"] == 1
        assert "I play the violin" in str(await client.memories())


async def test_an_exhausted_pool_does_not_break_replies(gateway: RunningGateway, database: str) -> None:
    """Writes of many users use all connections of the store's pool while the reply is generated."""
    async with AsyncExitStack() as stack:
        client, *others = [await stack.enter_async_context(signed_in(gateway.url)) for _ in range(CONNECTIONS + 2)]
        with _locked_store_table(database):
            writes = [asyncio.create_task(other.http.post("/memories", json={"text": "Is deaf"})) for other in others]
            await asyncio.to_thread(_wait_until_pool_is_exhausted, database)
            assert await _check_reply(client, "I play the violin.")
        assert {response.status_code for response in await asyncio.gather(*writes)} <= {201, 503}
        assert (await client.flush())["added"] == 1


async def test_a_failing_write_in_a_batch_does_not_affect_other_users(gateway: RunningGateway) -> None:
    async with signed_in(gateway.url) as ada, signed_in(gateway.url) as bob:
        responses = await asyncio.gather(
            ada.http.post("/memories", json={"text": "bad\0"}),
            *(bob.http.post("/memories", json={"text": f"Fact {n}"}) for n in range(8)),
        )
        assert [response.status_code for response in responses] == [422] + [201] * 8


@contextmanager
def _locked_store_table(database: str) -> Iterator[None]:
    with ExitStack() as stack:
        locking = stack.enter_context(psycopg.connect(database))
        locking.execute("LOCK TABLE store IN ACCESS EXCLUSIVE MODE")
        yield
        locking.rollback()


def _wait_until_pool_is_exhausted(database: str) -> None:
    """Wait until every connection of the store's pool waits for the lock."""
    with psycopg.connect(database, autocommit=True) as connection:
        pause = threading.Event()
        for _ in range(200):
            row = connection.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
            if row is not None and row[0] >= CONNECTIONS:
                return
            pause.wait(0.02)
    raise AssertionError("the pool was never exhausted")
