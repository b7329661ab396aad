"""Temporary chats: not remembered, not listed, not searchable, and deleted after an hour."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from agent.conversations.checkpoints import ScopedSaver
from agent.conversations.temporary import TemporaryThreads
from agent.database import open_pool
from agent.database.row_security import ScopedPool
from conftest import make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI
from support.stored_documents import tables_containing

CHAT = "/v1/chat/completions"
SHORT_TERM = {"messages", "run_events", "checkpoint_blobs", "threads"}


def _sql(database: str, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def _expire(database: str, thread: str) -> None:
    _sql(database, f"UPDATE threads SET expires_at = now() WHERE id = '{thread}'")


async def _sweep(database: str) -> None:
    async with open_pool(database, size=2, name="sweep") as pool:
        await TemporaryThreads(ScopedPool(pool), ScopedSaver(pool)).sweep()


async def _statuses(client: ApiClient, thread: str) -> dict[str, int]:
    """The status codes of all requests that name a thread."""
    path = f"/threads/{thread}"
    answers = {
        "get": client.http.get(path),
        "messages": client.http.get(f"{path}/messages"),
        "stream": client.http.get(f"{path}/stream"),
        "cancel": client.http.post(f"{path}/cancel"),
        "rename": client.http.patch(path, json={"title": "Mine"}),
        "send temporary": client.http.post(f"{path}/messages", json={"text": "I keep bees.", "temporary": True}),
        "send": client.http.post(f"{path}/messages", json={"text": "I keep bees."}),
        "delete": client.http.delete(path),
    }
    return {name: (await answer).status_code for name, answer in answers.items()}


def _is_inaccessible(statuses: dict[str, int]) -> bool:
    return set(statuses.values()) == {404}


async def _drain(events: AsyncIterator[str]) -> None:
    async for _ in events:
        pass


async def test_a_temporary_chat_writes_no_memory(client: ApiClient, gateway: RunningGateway) -> None:
    reply = await client.send("I keep bees.", temporary=True)
    assert "memory.scheduled" not in reply.names
    assert not any((await client.flush()).values())
    assert await client.memories() == []
    assert (await client.send("Do I keep bees?")).recalled == []
    assert (await client.http.get("/memories/formation")).json()["pending"] == 1  # the question
    assert "bees." not in (await client.http.get("/memories/export")).text
    assert set(tables_containing(gateway.database, "keep bees.")) <= SHORT_TERM


async def test_a_temporary_chat_reads_no_memory(client: ApiClient, model: ScriptedOpenAI) -> None:
    await client.http.post("/memories", json={"text": "Plays the violin"})
    reply = await client.send("Do I play the violin?", temporary=True)
    assert reply.recalled == []
    request = model.chat_requests()[-1]
    base_prompt, message = request.messages
    assert "Memory is off" in base_prompt["content"]
    assert "violin" not in base_prompt["content"]
    assert message["role"] == "user"
    assert "tools" not in request.body
    assert "Do I play the violin?" not in model.embedded_texts()


async def test_a_temporary_chat_has_its_own_history(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread, temporary=True)
    await client.send("What do I keep?", thread=thread, temporary=True)
    _, *conversation = [message["content"] for message in model.chat_requests()[-1].messages]
    assert conversation == ["I keep bees.", "I do not know.", "What do I keep?"]
    page = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert [message["role"] for message in page] == ["user", "assistant"] * 2
    assert (await client.http.get(f"/threads/{thread}")).json()["temporary"] is True


async def test_a_temporary_chat_is_neither_listed_nor_found(client: ApiClient) -> None:
    await client.send("I keep bees.", temporary=True)
    await client.http.post("/threads", json={"temporary": True, "title": "Bees"})
    await client.send("I keep ants.")
    for query in ({}, {"q": "keep"}, {"q": "bees"}):
        items = (await client.http.get("/threads", params=query)).json()["items"]
        assert all("ees" not in str(item) for item in items)
        assert len(items) == ("bees" not in query.values())


async def test_every_message_in_a_temporary_chat_is_temporary(client: ApiClient, gateway: RunningGateway) -> None:
    thread = (await client.http.post("/threads", json={"temporary": True})).json()["thread_id"]
    reply = await client.send("I keep bees.", thread=thread)
    assert "memory.scheduled" not in reply.names
    assert (await client.http.get("/memories/formation")).json()["pending"] == 0
    assert _sql(gateway.database, "SELECT temporary, expires_at > now() FROM threads") == [(True, True)]
    await client.http.delete(f"/threads/{thread}")
    assert tables_containing(gateway.database, "bees") == []


async def test_a_permanent_thread_does_not_become_temporary(client: ApiClient) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread)
    body = {"text": "I keep ants.", "temporary": True}
    rejected = await client.http.post(f"/threads/{thread}/messages", json=body)
    assert (rejected.status_code, rejected.json()["code"]) == (409, "thread_not_temporary")
    assert len((await client.http.get(f"/threads/{thread}/messages")).json()["items"]) == 2


async def test_a_repeated_message_is_answered_once(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread, message = new_thread(), new_thread()
    for temporary in (True, True, False):
        reply = await client.send("I keep bees.", thread=thread, id=message, temporary=temporary)
        assert reply.names[-1] == "run.finished"
    assert len(model.chat_requests()) == 1


async def test_deleting_a_temporary_chat_deletes_all_its_data(client: ApiClient, gateway: RunningGateway) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread, temporary=True)
    await client.http.patch(f"/threads/{thread}", json={"title": "bees"})
    assert (await client.http.delete(f"/threads/{thread}")).status_code == 204
    assert tables_containing(gateway.database, "bees") == []
    assert _sql(gateway.database, "SELECT count(*) FROM checkpoints") == [(0,)]
    assert _is_inaccessible(await _statuses(client, thread))
    assert _sql(gateway.database, "SELECT count(*) FROM messages") == [(0,)]


async def test_deleting_a_temporary_chat_with_forget_reports_zero_memories(client: ApiClient) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread, temporary=True)
    answer = await client.http.delete(f"/threads/{thread}?forget=true")
    assert (answer.status_code, answer.json()) == (200, {"forgotten": 0})


async def test_an_expired_temporary_chat_is_inaccessible_before_the_sweep(
    client: ApiClient, gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread, temporary=True)
    _expire(gateway.database, thread)
    assert _is_inaccessible(await _statuses(client, thread))
    with RunningGateway(make_settings(gateway.database, **model_settings(model))):  # sweeps at once
        async with asyncio.timeout(5):
            while tables_containing(gateway.database, "bees"):  # noqa: ASYNC110 - it is another thread's work
                await asyncio.sleep(0)
    assert _sql(gateway.database, "SELECT count(*) FROM checkpoints") == [(0,)]
    assert _is_inaccessible(await _statuses(client, thread))


async def test_every_message_extends_a_temporary_chat_by_an_hour(client: ApiClient, gateway: RunningGateway) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread, temporary=True)
    _sql(gateway.database, "UPDATE threads SET expires_at = now() + interval '1 minute'")
    await client.send("And ants.", thread=thread)
    [(left,)] = _sql(gateway.database, "SELECT extract(epoch FROM expires_at - now())::int FROM threads")
    assert 3_500 < left <= 3_600


async def test_the_sweep_deletes_only_expired_threads(client: ApiClient, gateway: RunningGateway) -> None:
    expired, active, permanent = new_thread(), new_thread(), new_thread()
    await client.send("I keep bees.", thread=expired, temporary=True)
    _expire(gateway.database, expired)
    await client.send("I keep ants.", thread=active, temporary=True)
    await client.send("I keep cats.", thread=permanent)
    await _sweep(gateway.database)
    assert tables_containing(gateway.database, "bees") == []
    for thread, text in ((active, "ants"), (permanent, "cats")):
        page = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
        assert text in page[0]["text"]


async def test_the_id_of_a_deleted_chat_is_released_after_a_day(client: ApiClient, gateway: RunningGateway) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread, temporary=True)
    await client.http.delete(f"/threads/{thread}")
    _sql(gateway.database, "UPDATE threads SET updated_at = now() - interval '25 hours'")
    await _sweep(gateway.database)
    await client.send("I keep cats.", thread=thread)
    assert (await client.http.get(f"/threads/{thread}")).json()["temporary"] is False


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_deleting_a_temporary_chat_cancels_its_run(
    gateway: RunningGateway, model: ScriptedOpenAI, *, elsewhere: bool
) -> None:
    with RunningGateway(make_settings(gateway.database, **model_settings(model))) as other:
        async with signed_in(gateway.url, "ada") as here, signed_in(other.url, "ada") as there:
            thread, reply = new_thread(), StreamedReply()
            with model.script.chat_gate.closed():
                events = here.stream(reply, "I keep bees.", thread=thread, temporary=True)
                await anext(events)
                await model.wait_for_request(CHAT, 1)
                assert (await (there if elsewhere else here).http.delete(f"/threads/{thread}")).status_code == 204
                await _drain(events)
            assert reply.data("run.finished") == {"status": "cancelled"}
            assert tables_containing(gateway.database, "bees") == []


async def test_another_users_temporary_chat_is_inaccessible(client: ApiClient, gateway: RunningGateway) -> None:
    thread = new_thread()
    await client.send("I keep bees.", thread=thread, temporary=True)
    async with signed_in(gateway.url) as other:
        assert _is_inaccessible(await _statuses(other, thread))
        await client.http.delete(f"/threads/{thread}")
        assert _is_inaccessible(await _statuses(other, thread))


async def test_erasing_an_account_deletes_its_temporary_chats(client: ApiClient, gateway: RunningGateway) -> None:
    closed = new_thread()
    for thread in (closed, new_thread()):
        await client.send("I keep bees.", thread=thread, temporary=True)
    await client.http.delete(f"/threads/{closed}")
    user = (await client.http.get("/me")).json()["user_id"]
    await client.http.delete("/me")
    assert tables_containing(gateway.database, user) == []
    assert tables_containing(gateway.database, "bees") == []
