"""Forgotten is forgotten: in every table, for ever, and whoever is at work meanwhile."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from agent.database.row_security import TABLES
from conftest import make_settings, model_settings
from support.client import ApiClient, Json, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI
from support.stored_documents import documents, tables_containing
from support.wall import STATEMENTS

CHAT = "/v1/chat/completions"
ALL_TABLES = {*TABLES, "store", "store_vectors"}


def _rows(database: str, user: str) -> dict[str, int]:
    """Count a user's rows in every table that has any."""
    with psycopg.connect(database) as connection:
        owners = {table: connection.execute(statement).fetchall() for table, statement in STATEMENTS.items()}
    counts = {table: sum(owner == user for (owner,) in rows) for table, rows in owners.items()}
    return {table: count for table, count in counts.items() if count}


async def _id(client: ApiClient) -> str:
    return str((await client.http.get("/me")).json()["user_id"])


async def _forget(client: ApiClient, path: str) -> None:
    assert (await client.http.delete(path)).status_code == 204


async def _deleted(client: ApiClient, path: str) -> Json:
    return dict((await client.http.delete(path)).raise_for_status().json()["deleted"])


async def _talk(client: ApiClient) -> None:
    """Let somebody have something in every table: memories, history, something that waits, a profile."""
    await client.send("I live in Oslo.")
    await client.send("My canary is Pip.")
    await client.flush()
    for memory in await client.memories(kind="user"):
        await client.http.patch(f"/memories/{memory['id']}", json={"text": f"{memory['text']}, or so"})
    await client.send("I have two canaries.")


async def test_an_account_is_erased_from_every_table_with_a_receipt(
    ada: ApiClient, shared_gateway: RunningGateway
) -> None:
    async with signed_in(shared_gateway.url) as bob:
        for somebody in (ada, bob):
            await _talk(somebody)
        user, other = await _id(ada), await _id(bob)
        before, others = _rows(shared_gateway.database, user), _rows(shared_gateway.database, other)
        receipt = await _deleted(ada, "/me")
        assert set(receipt) >= ALL_TABLES
        assert {table: count for table, count in receipt.items() if count} == before
        assert tables_containing(shared_gateway.database, user) == []
        assert _rows(shared_gateway.database, other) == others


async def test_the_same_token_starts_an_empty_account(ada: ApiClient) -> None:
    await ada.send("I live in Oslo.")
    user = await _id(ada)
    await ada.http.patch("/me", json={"memory_enabled": False})
    await _deleted(ada, "/me")
    assert (await ada.http.get("/me")).json() == {"user_id": user, "memory_enabled": True}
    assert (await ada.http.get("/threads")).json()["items"] == []
    assert await ada.memories() == []
    assert (await ada.send("Where do I live?")).recalled == []
    assert (await _deleted(ada, "/me"))["users"] == 1
    assert (await ada.send("Hello.")).names[-1] == "run.finished"  # whatever it is that comes first


async def test_erasing_twice_finds_nothing_the_second_time(ada: ApiClient) -> None:
    await _talk(ada)
    await _deleted(ada, "/me")
    assert {table: count for table, count in (await _deleted(ada, "/me")).items() if count} == {"users": 1}


async def test_an_answer_that_is_being_given_is_stopped_and_erased(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    reply, user = StreamedReply(), await _id(client)
    with model.script.chat_gate.closed():
        saying = client.stream(reply, "My canary is Pip.")
        await anext(saying)
        await model.wait_for_request(CHAT, 1)
        await _deleted(client, "/me")
        await _to_the_end(saying)
    assert tables_containing(gateway.database, user) == []
    assert tables_containing(gateway.database, "canary") == []


async def test_an_answer_of_another_process_brings_nothing_back(
    model: ScriptedOpenAI, gateway: RunningGateway, database: str
) -> None:
    with RunningGateway(make_settings(database, **model_settings(model))) as elsewhere:
        async with signed_in(gateway.url, "ada") as here, signed_in(elsewhere.url, "ada") as there:
            user = await _id(here)
            with model.script.chat_gate.closed():
                saying = there.stream(StreamedReply(), "My canary is Pip.")
                await anext(saying)
                await model.wait_for_request(CHAT, 1)
                await _deleted(here, "/me")
            await _to_the_end(saying)
    assert tables_containing(gateway.database, user) == []
    assert tables_containing(gateway.database, "canary") == []


async def test_everything_is_forgotten_and_counted_by_kind_and_threads_stay(
    ada: ApiClient, shared_gateway: RunningGateway
) -> None:
    await _talk(ada)
    user = await _id(ada)
    with psycopg.connect(shared_gateway.database) as connection:
        rows = connection.execute(
            "SELECT split_part(prefix, '.', -1), count(*) FROM store WHERE split_part(prefix, '.', 2) = %s GROUP BY 1",
            (user,),
        ).fetchall()
        # As if their inbox had been out of reach.
        connection.execute("UPDATE messages SET noted = false WHERE user_id = %s AND role = 'user'", (user,))
    assert await _deleted(ada, "/memories") == dict(rows)
    assert {"user", "retired", "inbox"} <= {kind for kind, _ in rows}
    assert not {"store", "store_vectors"} & _rows(shared_gateway.database, user).keys()
    assert len((await ada.http.get("/threads")).json()["items"]) == 3
    assert (await ada.flush())["added"] == 0
    assert await ada.memories() == []
    assert (await ada.send("Do I have a canary?")).recalled == []


async def test_a_memory_is_forgotten_with_its_history_and_all_that_came_from_its_messages(
    client: ApiClient, gateway: RunningGateway
) -> None:
    for city in ("Canaria", "Rome"):
        await client.send(f"I live in {city}.")
        await client.flush()
    [memory] = await client.memories(kind="user")
    await client.http.patch(f"/memories/{memory['id']}", json={"text": "Lives in Bergen"})
    await client.http.post("/memories", json={"text": "Plays the violin"})
    assert "Canaria" in str(documents(gateway.database))
    await _forget(client, f"/memories/{memory['id']}")
    assert [value["text"] for value in documents(gateway.database).values()] == ["Plays the violin"]
    await client.flush()
    assert [known["text"] for known in await client.memories()] == ["Plays the violin"]
    for action in ("", "/history"):
        assert (await client.http.get(f"/memories/{memory['id']}{action}")).status_code == 404


async def test_what_has_retired_is_forgotten_by_itself(client: ApiClient, gateway: RunningGateway) -> None:
    for city in ("Canaria", "Rome"):
        await client.send(f"I live in {city}.")
        await client.flush()
    [rome] = await client.memories(kind="user")
    [canaria] = (await client.http.get(f"/memories/{rome['id']}/history")).json()["items"]
    await _forget(client, f"/memories/{canaria['id']}")
    assert "Canaria" not in str(documents(gateway.database))
    assert [known["text"] for known in await client.memories(kind="user")] == ["Lives in Rome"]
    assert (await client.http.get(f"/memories/{rome['id']}/history")).json()["items"] == []
    assert (await client.http.delete(f"/memories/{canaria['id']}")).status_code == 404


async def test_a_thread_is_forgotten_with_the_history_of_what_only_it_has_taught(
    client: ApiClient, gateway: RunningGateway
) -> None:
    gone, kept = new_thread(), new_thread()
    for city in ("Canaria", "Rome"):
        await client.send(f"I live in {city}.", thread=gone)
        await client.flush()
    await client.send("I play the violin.", thread=gone)
    await client.send("I play the violin.", thread=kept)
    await client.flush()
    await client.send("I am allergic to canaries.", thread=gone)  # still in the inbox
    (await client.http.delete(f"/threads/{gone}?forget=true")).raise_for_status()
    assert "anar" not in str(documents(gateway.database))
    assert gone not in str(documents(gateway.database))
    [violin] = await client.memories(kind="user")
    assert (violin["text"], violin["source_thread"]) == ("Plays the violin", kept)
    assert [source["thread"] for source in violin["sources"]] == [kept]
    assert (await client.memories(q="violin"))[0]["id"] == violin["id"]
    assert (await client.flush())["added"] == 0


async def test_nobody_forgets_for_another(ada: ApiClient, bob: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    assert (await bob.http.delete(f"/memories/{memory}")).status_code == 404
    assert await _deleted(bob, "/memories") == {}
    assert len(await ada.memories()) == 1


@pytest.mark.parametrize("flushed", [False, True])
async def test_what_is_said_while_memory_is_paused_is_never_kept(ada: ApiClient, *, flushed: bool) -> None:
    await ada.http.patch("/me", json={"memory_enabled": False})
    assert "memory.scheduled" not in (await ada.send("I live in Oslo.")).names
    if flushed:
        assert (await ada.flush())["added"] == 0
    await ada.http.patch("/me", json={"memory_enabled": True})
    assert (await ada.flush())["added"] == 0
    assert (await ada.send("Where do I live?")).recalled == []
    assert await ada.memories() == []


async def _to_the_end(events: AsyncIterator[str]) -> None:
    async with asyncio.timeout(10):
        async for _ in events:
            pass
