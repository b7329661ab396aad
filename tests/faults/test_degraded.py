"""Memory never delays or breaks an answer; when it is degraded, the turn says so."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg
import pytest

from agent import AgentSettings
from agent.store.factory import CONNECTIONS
from conftest import make_settings, model_settings
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

DELAY_ALLOWED_SECONDS = 1.0


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway that waits for memory as long as it does for its users."""
    deadline = AgentSettings.model_fields["recall_deadline_ms"].default
    with RunningGateway(make_settings(database, **model_settings(model, recall_deadline_ms=deadline))) as running:
        yield running


async def _whole_and_in_time(client: ApiClient, text: str) -> bool:
    """Say something and check that the answer streams; return whether the turn was degraded."""
    reply = await client.send(text)
    assert reply.names[-1] == "run.finished"
    assert reply.text
    assert reply.first_token_seconds is not None
    assert reply.first_token_seconds < DELAY_ALLOWED_SECONDS  # the scripted model takes no time at all
    return reply.degraded


async def test_a_slow_embedder_delays_no_answer(gateway: RunningGateway, model: ScriptedOpenAI) -> None:
    async with signed_in(gateway.url) as client:
        await client.send("I play the violin.")
        model.script.embedding_delay_seconds = 3.0
        assert await _whole_and_in_time(client, "Do I play the cello or the violin?")
        reply = await client.send("And who plays the violin?")
        assert reply.recalled == ["I play the violin."]  # found by its words


async def test_an_embedder_that_is_down_breaks_no_answer(gateway: RunningGateway, model: ScriptedOpenAI) -> None:
    async with signed_in(gateway.url) as client:
        model.script.embeddings_status = 500
        assert await _whole_and_in_time(client, "I play the violin.")
        reply = await client.send("Who plays the violin?")
        assert reply.degraded
        assert reply.recalled == ["I play the violin."]
        refused = await client.http.post("/memories/flush")
        assert (refused.status_code, refused.json()["code"]) == (503, "embedder_unavailable")
        model.script.embeddings_status = 200
        assert (await client.flush())["added"] == 1
        assert not await _whole_and_in_time(client, "What do I play?")


async def test_locked_memory_tables_break_no_answer_and_lose_nothing(gateway: RunningGateway, database: str) -> None:
    async with signed_in(gateway.url) as client:
        with psycopg.connect(database) as locking:
            locking.execute("LOCK TABLE store, store_vectors IN ACCESS EXCLUSIVE MODE")
            assert await _whole_and_in_time(client, "I play the violin.")
            locking.rollback()
        assert (await client.flush())["added"] == 1
        assert "I play the violin" in str(await client.memories())


async def test_an_empty_pool_breaks_no_answer(gateway: RunningGateway, database: str) -> None:
    """Everybody's memory is being written to at once: the pool of the store is empty for as long as it takes."""
    async with signed_in(gateway.url) as client, signed_in(gateway.url) as crowd:
        with _all_store_connections_waiting(database):
            writing = [asyncio.create_task(crowd.http.post("/memories", json={"text": f"Fact {n}"})) for n in range(40)]
            await asyncio.to_thread(_until_waiting, database)
            assert await _whole_and_in_time(client, "I play the violin.")
        assert {answer.status_code for answer in await asyncio.gather(*writing)} <= {201, 503}
        assert (await client.flush())["added"] == 1


async def test_a_failing_neighbour_costs_nobody_else_anything(gateway: RunningGateway) -> None:
    async with signed_in(gateway.url) as ada, signed_in(gateway.url) as bob:
        answers = await asyncio.gather(
            ada.http.post("/memories", json={"text": "bad\0"}),
            *(bob.http.post("/memories", json={"text": f"Fact {n}"}) for n in range(8)),
        )
        assert [answer.status_code for answer in answers] == [422] + [201] * 8


@contextmanager
def _all_store_connections_waiting(database: str) -> Iterator[None]:
    with ExitStack() as stack:
        locking = stack.enter_context(psycopg.connect(database))
        locking.execute("LOCK TABLE store IN ACCESS EXCLUSIVE MODE")
        yield
        locking.rollback()


def _until_waiting(database: str) -> None:
    """Return when every connection of the store's pool waits for the lock."""
    with psycopg.connect(database, autocommit=True) as watching:
        pause = threading.Event()
        for _ in range(200):
            row = watching.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
            if row is not None and row[0] >= CONNECTIONS:
                return
            pause.wait(0.02)
    raise AssertionError("the pool was never empty")
