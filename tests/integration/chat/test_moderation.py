"""Moderation: a flagged message is rejected and stored nowhere, and an accepted one is not delayed."""

import asyncio
import re
import uuid
from collections.abc import AsyncIterator, Iterator

import psycopg
import pytest
from pydantic import ValidationError

from conftest import make_settings, model_settings
from support.client import ApiClient, Json, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import EMBEDDINGS, MODERATIONS, ScriptedOpenAI
from support.stored_documents import tables_containing

CHAT = "/v1/chat/completions"
BAD = "How do I build a grenade for Ursula?"


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    model.script.flagged = lambda text: "grenade" in text
    with RunningGateway(make_settings(database, **model_settings(model, moderation="openai"))) as running:
        yield running


@pytest.fixture
async def strict_client(database: str, model: ScriptedOpenAI) -> AsyncIterator[ApiClient]:
    """A client of a gateway that rejects messages while moderation is unavailable."""
    settings = make_settings(database, **model_settings(model, moderation="openai", moderation_fails="closed"))
    with RunningGateway(settings) as running:
        async with signed_in(running.url) as api:
            yield api


async def test_a_flagged_message_is_rejected_and_stored_nowhere(
    client: ApiClient, model: ScriptedOpenAI, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    thread = new_thread()
    with model.script.moderations_gate.closed():
        sending = asyncio.create_task(_post(client, BAD, thread))
        await model.wait_for_request(MODERATIONS)
        await model.wait_for_request(EMBEDDINGS)
    status, problem = await sending
    assert (status, problem["code"]) == (422, "content_flagged")
    assert tables_containing(database, "grenade") == []
    assert (await client.http.get("/threads")).json()["items"] == []
    assert (await client.http.get(f"/threads/{thread}/messages")).status_code == 404
    assert (await client.http.get("/memories/formation")).json()["pending"] == 0
    assert model.count(CHAT) == 0
    assert "grenade" not in caplog.text


async def test_a_flagged_message_leaves_its_thread_as_it_was(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    thread = new_thread()
    await client.send("I play the violin.", thread=thread)
    assert (await _post(client, BAD, thread))[0] == 422
    assert tables_containing(database, "grenade") == []
    reply = await client.send("What do I play?", thread=thread)  # the thread is free
    assert reply.data("run.finished") == {"status": "completed"}
    asked = model.chat_requests()[-1].messages
    assert [message["content"] for message in asked if message["role"] == "user"] == [
        "I play the violin.",
        "What do I play?",
    ]
    assert [m["text"] for m in (await client.http.get(f"/threads/{thread}/messages")).json()["items"]][::2] == [
        "I play the violin.",
        "What do I play?",
    ]


async def test_nothing_is_stored_after_the_rejection_either(database: str, model: ScriptedOpenAI) -> None:
    model.script.flagged = lambda text: "grenade" in text
    with RunningGateway(make_settings(database, **model_settings(model, moderation="openai"))) as running:
        async with signed_in(running.url) as client:
            before = await _pool_requests(client)
            with model.script.moderations_gate.closed():
                sending = asyncio.create_task(_post(client, BAD, new_thread()))
                await _wait_for_recall(client, before)
            assert (await sending)[0] == 422
    assert tables_containing(database, "grenade") == []  # all tasks have ended


async def test_a_flagged_request_to_remember_is_not_executed(client: ApiClient, database: str) -> None:
    assert (await _post(client, "Remember that I own a grenade.", new_thread()))[0] == 422
    assert tables_containing(database, "grenade") == []


async def test_a_flagged_temporary_message_is_rejected(client: ApiClient, database: str) -> None:
    assert (await _post(client, BAD, new_thread(), temporary=True))[0] == 422
    assert tables_containing(database, "grenade") == []


async def test_memories_are_recalled_while_the_message_is_moderated(client: ApiClient, model: ScriptedOpenAI) -> None:
    await client.send("I play the violin.")
    reply = StreamedReply()
    before = await _pool_requests(client)
    with model.script.moderations_gate.closed():
        events = client.stream(reply, "Which instrument: the violin?")
        first = asyncio.ensure_future(anext(events))
        await _wait_for_recall(client, before)
        assert not first.done()  # nothing is answered before the verdict
        assert model.count(CHAT) == 1
    assert await first == "run.started"
    async for _ in events:
        pass
    assert reply.recalled == ["I play the violin."]
    assert not reply.degraded
    assert reply.data("run.finished") == {"status": "completed"}


async def test_an_accepted_message_is_answered_while_it_is_committed(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    reply = StreamedReply()
    await client.http.get("/me")  # creates the account
    with psycopg.connect(database) as locking:
        locking.execute("SELECT id FROM users FOR UPDATE")  # the turn waits
        events = client.stream(reply, "I play the violin.")
        first = asyncio.ensure_future(anext(events))
        await model.wait_for_request(CHAT)
        assert tables_containing(database, "violin") == []
        assert not first.done()  # nothing is sent before the commit
    assert await first == "run.started"
    async for _ in events:
        pass
    assert reply.data("run.finished") == {"status": "completed"}
    assert (await client.http.get("/memories/formation")).json()["pending"] == 1
    assert model.count(CHAT) == 1


async def test_the_model_is_not_called_for_a_message_above_a_limit(database: str, model: ScriptedOpenAI) -> None:
    settings = model_settings(model, moderation="openai", limit_messages_per_minute=1)
    with RunningGateway(make_settings(database, **settings)) as gateway:
        async with signed_in(gateway.url) as client:
            await client.send("I play the violin.")
            status, problem = await _post(client, "I play the harpsichord.", new_thread())
            assert (status, problem["code"]) == (429, "rate_limited")
            assert model.count(CHAT) == 1


@pytest.mark.parametrize("limit", ["limit_runs", "limit_threads"])
async def test_the_model_is_not_called_for_a_run_or_thread_too_many(
    database: str, model: ScriptedOpenAI, limit: str
) -> None:
    settings = model_settings(model, moderation="openai", **{limit: 1})
    with RunningGateway(make_settings(database, **settings)) as gateway:
        async with signed_in(gateway.url) as client:
            with model.script.chat_gate.closed():
                events = client.stream(StreamedReply(), "I play the violin.")
                await anext(events)
                await model.wait_for_request(CHAT)
                assert (await _post(client, "I play the harpsichord.", new_thread()))[0] == 429
            async for _ in events:
                pass
            assert model.count(CHAT) == 1


async def test_an_accepted_message_is_moderated_once_and_retried_like_any_other(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread, message = new_thread(), str(uuid.uuid4())
    model.script.chat_status = 400
    failed = await client.send("I play the violin.", thread=thread, id=message)
    assert failed.names[-1] == "run.failed"
    assert model.count(MODERATIONS) == 1
    model.script.chat_status = 200
    retried = await client.send("I play the violin.", thread=thread, id=message)
    assert retried.data("run.finished") == {"status": "completed"}
    replayed = await client.send("I play the violin.", thread=thread, id=message)
    assert replayed.text == retried.text
    assert model.count(CHAT) == 2
    items = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert [item["role"] for item in items] == ["user", "assistant"]


async def test_a_message_to_a_busy_thread_is_rejected_without_a_trace(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    thread = new_thread()
    with model.script.chat_gate.closed():
        events = client.stream(StreamedReply(), "I play the violin.", thread=thread)
        await anext(events)
        await model.wait_for_request(CHAT)
        status, problem = await _post(client, "I play the harpsichord.", thread)
        assert (status, problem["code"]) == (409, "thread_busy")
    async for _ in events:
        pass
    assert model.count(CHAT) == 1
    assert tables_containing(database, "harpsichord") == []


@pytest.mark.parametrize("status", [404, 500])
async def test_while_moderation_is_unavailable_messages_are_accepted_by_default(
    client: ApiClient, model: ScriptedOpenAI, status: int
) -> None:
    model.script.moderations_status = status
    reply = await client.send(BAD)
    assert reply.data("run.finished") == {"status": "completed"}
    metrics = (await client.http.get("/metrics")).text
    assert 'keepsake_moderated_messages_total{outcome="unavailable"} 1.0' in metrics


async def test_while_moderation_is_unavailable_messages_are_rejected_if_so_set(
    strict_client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    model.script.moderations_status = 500
    status, problem = await _post(strict_client, "I play the violin.", new_thread())
    assert (status, problem["code"]) == (503, "moderation_unavailable")
    assert tables_containing(database, "violin") == []
    model.script.moderations_status = 200
    reply = await strict_client.send("I play the violin.")
    assert reply.data("run.finished") == {"status": "completed"}


def test_moderation_requires_a_model_server() -> None:
    with pytest.raises(ValidationError, match="KEEPSAKE_MODERATION=openai requires OPENAI_API_KEY"):
        make_settings("postgresql://x", moderation="openai")


async def _post(client: ApiClient, text: str, thread: str, **body: object) -> tuple[int, Json]:
    response = await client.http.post(f"/threads/{thread}/messages", json={"text": text, **body})
    return response.status_code, response.json()


async def _pool_requests(client: ApiClient) -> dict[str, float]:
    """The number of connections requested so far, by pool."""
    text = (await client.http.get("/metrics")).text
    return {pool: float(n) for pool, n in re.findall(r'keepsake_db_pool_requests_total\{pool="(\w+)"\} (\S+)', text)}


async def _wait_for_recall(client: ApiClient, before: dict[str, float]) -> None:
    """Wait until the graph has loaded its checkpoint and searched memory: the standing memories, and by vector."""
    async with asyncio.timeout(10):
        while True:
            now = await _pool_requests(client)
            if now["checkpoints"] > before["checkpoints"] and now["memory"] >= before["memory"] + 2:
                return
