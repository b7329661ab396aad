"""Temporary chats: nothing of them is remembered, listed or found, and nothing of them lasts."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from agent.conversations.checkpoints import ScopedSaver
from agent.conversations.temporary import TemporaryThreads
from agent.database import open_pool
from agent.database.row_security import ScopedPool
from conftest import scripted, settings_for
from support.client import Heard, Person, new_thread, signed_in
from support.contents import tables_with
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

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


async def _statuses(person: Person, thread: str) -> dict[str, int]:
    """Return what every way to a thread answers."""
    path = f"/threads/{thread}"
    answers = {
        "get": person.http.get(path),
        "messages": person.http.get(f"{path}/messages"),
        "stream": person.http.get(f"{path}/stream"),
        "cancel": person.http.post(f"{path}/cancel"),
        "rename": person.http.patch(path, json={"title": "Mine"}),
        "say": person.http.post(f"{path}/messages", json={"text": "I keep bees.", "temporary": True}),
        "say on": person.http.post(f"{path}/messages", json={"text": "I keep bees."}),
        "delete": person.http.delete(path),
    }
    return {name: (await answer).status_code for name, answer in answers.items()}


def _gone(statuses: dict[str, int]) -> bool:
    return set(statuses.values()) == {404}


async def _to_the_end(saying: AsyncIterator[str]) -> None:
    async for _ in saying:
        pass


async def test_a_temporary_chat_writes_no_memory(person: Person, gateway: RunningGateway) -> None:
    heard = await person.say("I keep bees.", temporary=True)
    assert "memory.scheduled" not in heard.names
    assert not any((await person.flush()).values())
    assert await person.memories() == []
    assert (await person.say("Do I keep bees?")).recalled == []
    assert (await person.http.get("/memories/formation")).json()["pending"] == 1  # the question, which is kept
    assert "bees." not in (await person.http.get("/memories/export")).text
    assert set(tables_with(gateway.database, "keep bees.")) <= SHORT_TERM


async def test_a_temporary_chat_reads_no_memory(person: Person, model: ScriptedOpenAI) -> None:
    await person.http.post("/memories", json={"text": "Plays the violin"})
    heard = await person.say("Do I play the violin?", temporary=True)
    assert heard.recalled == []
    asked = model.chat_requests()[-1]
    assert [message["role"] for message in asked.messages] == ["user"]
    assert "tools" not in asked.body
    assert "Do I play the violin?" not in model.embedded_texts()


async def test_a_temporary_chat_knows_what_was_said_in_it(person: Person, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread, temporary=True)
    await person.say("What do I keep?", thread=thread, temporary=True)
    prompt = [message["content"] for message in model.chat_requests()[-1].messages]
    assert prompt == ["I keep bees.", "I do not know.", "What do I keep?"]
    page = (await person.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert [message["role"] for message in page] == ["user", "assistant"] * 2
    assert (await person.http.get(f"/threads/{thread}")).json()["temporary"] is True


async def test_a_temporary_chat_is_neither_listed_nor_found(person: Person) -> None:
    await person.say("I keep bees.", temporary=True)
    await person.http.post("/threads", json={"temporary": True, "title": "Bees"})
    await person.say("I keep ants.")
    for query in ({}, {"q": "keep"}, {"q": "bees"}):
        items = (await person.http.get("/threads", params=query)).json()["items"]
        assert all("ees" not in str(item) for item in items)
        assert len(items) == ("bees" not in query.values())


async def test_what_is_said_in_a_temporary_chat_is_temporary_whatever_it_says(
    person: Person, gateway: RunningGateway
) -> None:
    thread = (await person.http.post("/threads", json={"temporary": True})).json()["thread_id"]
    heard = await person.say("I keep bees.", thread=thread)
    assert "memory.scheduled" not in heard.names
    assert (await person.http.get("/memories/formation")).json()["pending"] == 0
    assert _sql(gateway.database, "SELECT temporary, expires_at > now() FROM threads") == [(True, True)]
    await person.http.delete(f"/threads/{thread}")
    assert tables_with(gateway.database, "bees") == []


async def test_a_lasting_thread_does_not_become_temporary(person: Person) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread)
    body = {"text": "I keep ants.", "temporary": True}
    refused = await person.http.post(f"/threads/{thread}/messages", json=body)
    assert (refused.status_code, refused.json()["code"]) == (409, "thread_not_temporary")
    assert len((await person.http.get(f"/threads/{thread}/messages")).json()["items"]) == 2


async def test_a_repeated_message_is_answered_once(person: Person, model: ScriptedOpenAI) -> None:
    thread, message = new_thread(), new_thread()
    for temporary in (True, True, False):
        heard = await person.say("I keep bees.", thread=thread, id=message, temporary=temporary)
        assert heard.names[-1] == "run.finished"
    assert len(model.chat_requests()) == 1


async def test_closing_a_temporary_chat_leaves_nothing_of_it(person: Person, gateway: RunningGateway) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread, temporary=True)
    await person.http.patch(f"/threads/{thread}", json={"title": "bees"})
    assert (await person.http.delete(f"/threads/{thread}")).status_code == 204
    assert tables_with(gateway.database, "bees") == []
    assert _sql(gateway.database, "SELECT count(*) FROM checkpoints") == [(0,)]
    assert _gone(await _statuses(person, thread))
    assert _sql(gateway.database, "SELECT count(*) FROM messages") == [(0,)]


async def test_closing_a_temporary_chat_has_nothing_to_forget(person: Person) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread, temporary=True)
    answer = await person.http.delete(f"/threads/{thread}?forget=true")
    assert (answer.status_code, answer.json()) == (200, {"forgotten": 0})


async def test_a_temporary_chat_is_gone_with_its_last_second(
    person: Person, gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread, temporary=True)
    _expire(gateway.database, thread)
    assert _gone(await _statuses(person, thread))
    with RunningGateway(settings_for(gateway.database, **scripted(model))):  # sweeps at once
        async with asyncio.timeout(5):
            while tables_with(gateway.database, "bees"):  # noqa: ASYNC110 - it is another thread's work
                await asyncio.sleep(0)
    assert _sql(gateway.database, "SELECT count(*) FROM checkpoints") == [(0,)]
    assert _gone(await _statuses(person, thread))


async def test_every_message_gives_a_temporary_chat_another_hour(person: Person, gateway: RunningGateway) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread, temporary=True)
    _sql(gateway.database, "UPDATE threads SET expires_at = now() + interval '1 minute'")
    await person.say("And ants.", thread=thread)
    [(left,)] = _sql(gateway.database, "SELECT extract(epoch FROM expires_at - now())::int FROM threads")
    assert 3_500 < left <= 3_600


async def test_the_sweep_leaves_what_has_not_expired(person: Person, gateway: RunningGateway) -> None:
    expired, living, lasting = new_thread(), new_thread(), new_thread()
    await person.say("I keep bees.", thread=expired, temporary=True)
    _expire(gateway.database, expired)
    await person.say("I keep ants.", thread=living, temporary=True)
    await person.say("I keep cats.", thread=lasting)
    await _sweep(gateway.database)
    assert tables_with(gateway.database, "bees") == []
    for thread, known in ((living, "ants"), (lasting, "cats")):
        page = (await person.http.get(f"/threads/{thread}/messages")).json()["items"]
        assert known in page[0]["text"]


async def test_the_id_of_a_closed_chat_is_free_again_after_a_day(person: Person, gateway: RunningGateway) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread, temporary=True)
    await person.http.delete(f"/threads/{thread}")
    _sql(gateway.database, "UPDATE threads SET updated_at = now() - interval '25 hours'")
    await _sweep(gateway.database)
    await person.say("I keep cats.", thread=thread)
    assert (await person.http.get(f"/threads/{thread}")).json()["temporary"] is False


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_an_answer_that_is_being_given_ends_with_its_chat(
    gateway: RunningGateway, model: ScriptedOpenAI, *, elsewhere: bool
) -> None:
    with RunningGateway(settings_for(gateway.database, **scripted(model))) as other:
        async with signed_in(gateway.url, "ada") as here, signed_in(other.url, "ada") as there:
            thread, heard = new_thread(), Heard()
            with model.script.chat_gate.closed():
                saying = here.hear(heard, "I keep bees.", thread=thread, temporary=True)
                await anext(saying)
                await model.arrival(CHAT, 1)
                assert (await (there if elsewhere else here).http.delete(f"/threads/{thread}")).status_code == 204
                await _to_the_end(saying)
            assert heard.data("run.finished") == {"status": "cancelled"}
            assert tables_with(gateway.database, "bees") == []


async def test_nobody_gets_at_anothers_temporary_chat(person: Person, gateway: RunningGateway) -> None:
    thread = new_thread()
    await person.say("I keep bees.", thread=thread, temporary=True)
    async with signed_in(gateway.url) as other:
        assert _gone(await _statuses(other, thread))
        await person.http.delete(f"/threads/{thread}")
        assert _gone(await _statuses(other, thread))


async def test_an_account_is_erased_with_its_temporary_chats(person: Person, gateway: RunningGateway) -> None:
    closed = new_thread()
    for thread in (closed, new_thread()):
        await person.say("I keep bees.", thread=thread, temporary=True)
    await person.http.delete(f"/threads/{closed}")
    user = (await person.http.get("/me")).json()["user_id"]
    await person.http.delete("/me")
    assert tables_with(gateway.database, user) == []
    assert tables_with(gateway.database, "bees") == []
