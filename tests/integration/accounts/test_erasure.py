"""Erasure and deletion reach every table, are permanent, and hold against concurrent runs."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from agent.database.row_security import ROW_CONDITIONS
from conftest import make_settings, model_settings
from support.client import ApiClient, Json, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.row_security import OWNERS_BY_TABLE
from support.scripted_openai import ScriptedOpenAI
from support.stored_documents import documents, tables_containing

CHAT = "/v1/chat/completions"
ALL_TABLES = {*ROW_CONDITIONS, "store", "store_vectors", "store_changes"}


def count_rows(database: str, user: str) -> dict[str, int]:
    """Count a user's rows by table, without empty tables."""
    with psycopg.connect(database) as connection:
        owners = {table: connection.execute(statement).fetchall() for table, statement in OWNERS_BY_TABLE.items()}
    counts = {table: sum(owner == user for (owner,) in rows) for table, rows in owners.items()}
    return {table: count for table, count in counts.items() if count}


async def user_id(client: ApiClient) -> str:
    return str((await client.http.get("/me")).json()["user_id"])


async def delete(client: ApiClient, path: str) -> None:
    assert (await client.http.delete(path)).status_code == 204


async def delete_with_receipt(client: ApiClient, path: str) -> Json:
    return dict((await client.http.delete(path)).raise_for_status().json()["deleted"])


async def fill_tables(client: ApiClient) -> None:
    """Create rows in every table: memories, history, an inbox item, a profile and a key."""
    await client.http.post("/me/keys", json={"name": "laptop"})
    await client.http.post("/session")
    await client.send("I live in Oslo.")
    await client.send("My canary is Pip.")
    await client.flush()
    for memory in await client.memories(kind="user"):
        await client.http.patch(f"/memories/{memory['id']}", json={"text": f"{memory['text']}, or so"})
    await client.send("I have two canaries.")


@pytest.mark.parametrize("table", sorted(ROW_CONDITIONS))
def test_rows_of_a_user_are_found_by_index(table: str, shared_gateway: RunningGateway) -> None:
    with psycopg.connect(shared_gateway.database) as connection:
        connection.execute("SET enable_seqscan = off")
        connection.execute("SET keepsake.owner = 'users.ada'")
        plan = connection.execute(f"EXPLAIN DELETE FROM {table} WHERE {ROW_CONDITIONS[table]}").fetchall()
    assert "Index Cond" in str(plan)


async def test_an_account_is_erased_from_every_table_and_the_receipt_counts_the_rows(
    ada: ApiClient, shared_gateway: RunningGateway
) -> None:
    async with signed_in(shared_gateway.url) as bob:
        for client in (ada, bob):
            await fill_tables(client)
        user, other = await user_id(ada), await user_id(bob)
        rows, other_rows = count_rows(shared_gateway.database, user), count_rows(shared_gateway.database, other)
        receipt = await delete_with_receipt(ada, "/me")
        assert set(receipt) >= ALL_TABLES
        assert {table: count for table, count in receipt.items() if count} == rows
        assert tables_containing(shared_gateway.database, user) == []
        assert count_rows(shared_gateway.database, other) == other_rows


async def test_an_erased_user_can_sign_in_again_to_an_empty_account(ada: ApiClient) -> None:
    await ada.send("I live in Oslo.")
    user = await user_id(ada)
    await ada.http.patch("/me", json={"memory_enabled": False})
    await delete_with_receipt(ada, "/me")
    assert (await ada.http.get("/me")).json() == {"user_id": user, "memory_enabled": True, "time_zone": None}
    assert (await ada.http.get("/threads")).json()["items"] == []
    assert await ada.memories() == []
    assert (await ada.send("Where do I live?")).recalled == []
    assert (await delete_with_receipt(ada, "/me"))["users"] == 1
    assert (await ada.send("Hello.")).names[-1] == "run.finished"  # any request creates the account again


async def test_erasing_again_deletes_nothing_else(ada: ApiClient) -> None:
    await fill_tables(ada)
    await delete_with_receipt(ada, "/me")
    assert {table: count for table, count in (await delete_with_receipt(ada, "/me")).items() if count} == {"users": 1}


async def test_erasure_cancels_a_running_answer(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    reply, user = StreamedReply(), await user_id(client)
    with model.script.chat_gate.closed():
        stream = client.stream(reply, "My canary is Pip.")
        await anext(stream)
        await model.wait_for_request(CHAT, 1)
        await delete_with_receipt(client, "/me")
        await consume(stream)
    assert tables_containing(gateway.database, user) == []
    assert tables_containing(gateway.database, "canary") == []


async def test_a_run_in_another_process_restores_nothing(
    model: ScriptedOpenAI, gateway: RunningGateway, database: str
) -> None:
    with RunningGateway(make_settings(database, **model_settings(model))) as other_gateway:
        async with signed_in(gateway.url, "ada") as client, signed_in(other_gateway.url, "ada") as other_client:
            user = await user_id(client)
            with model.script.chat_gate.closed():
                stream = other_client.stream(StreamedReply(), "My canary is Pip.")
                await anext(stream)
                await model.wait_for_request(CHAT, 1)
                await delete_with_receipt(client, "/me")
            await consume(stream)
    assert tables_containing(gateway.database, user) == []
    assert tables_containing(gateway.database, "canary") == []


async def test_deleting_all_memories_counts_them_by_kind_and_keeps_threads(
    ada: ApiClient, shared_gateway: RunningGateway
) -> None:
    await fill_tables(ada)
    user = await user_id(ada)
    with psycopg.connect(shared_gateway.database) as connection:
        rows = connection.execute(
            "SELECT split_part(prefix, '.', -1), count(*) FROM store WHERE split_part(prefix, '.', 2) = %s GROUP BY 1",
            (user,),
        ).fetchall()
        # As if the message could not be added to the inbox.
        connection.execute("UPDATE messages SET enqueued = false WHERE user_id = %s AND role = 'user'", (user,))
    assert await delete_with_receipt(ada, "/memories") == dict(rows)
    assert {"user", "retired", "inbox"} <= {kind for kind, _ in rows}
    assert not {"store", "store_vectors"} & count_rows(shared_gateway.database, user).keys()
    assert len((await ada.http.get("/threads")).json()["items"]) == 3
    assert (await ada.flush())["added"] == 0
    assert await ada.memories() == []
    assert (await ada.send("Do I have a canary?")).recalled == []


async def test_deleting_a_memory_deletes_its_history_and_everything_from_its_messages(
    client: ApiClient, gateway: RunningGateway
) -> None:
    for city in ("Canaria", "Rome"):
        await client.send(f"I live in {city}.")
        await client.flush()
    [memory] = await client.memories(kind="user")
    await client.http.patch(f"/memories/{memory['id']}", json={"text": "Lives in Bergen"})
    await client.http.post("/memories", json={"text": "Plays the violin"})
    assert "Canaria" in str(documents(gateway.database))
    await delete(client, f"/memories/{memory['id']}")
    assert [value["text"] for value in documents(gateway.database).values()] == ["Plays the violin"]
    await client.flush()
    assert [known["text"] for known in await client.memories()] == ["Plays the violin"]
    for action in ("", "/history"):
        assert (await client.http.get(f"/memories/{memory['id']}{action}")).status_code == 404


async def test_a_retired_memory_can_be_deleted_separately(client: ApiClient, gateway: RunningGateway) -> None:
    for city in ("Canaria", "Rome"):
        await client.send(f"I live in {city}.")
        await client.flush()
    [rome] = await client.memories(kind="user")
    [canaria] = (await client.http.get(f"/memories/{rome['id']}/history")).json()["items"]
    await delete(client, f"/memories/{canaria['id']}")
    assert "Canaria" not in str(documents(gateway.database))
    assert [known["text"] for known in await client.memories(kind="user")] == ["Lives in Rome"]
    assert (await client.http.get(f"/memories/{rome['id']}/history")).json()["items"] == []
    assert (await client.http.delete(f"/memories/{canaria['id']}")).status_code == 404


async def test_forgetting_a_thread_deletes_memories_with_no_other_source(
    client: ApiClient, gateway: RunningGateway
) -> None:
    deleted_thread, kept_thread = new_thread(), new_thread()
    for city in ("Canaria", "Rome"):
        await client.send(f"I live in {city}.", thread=deleted_thread)
        await client.flush()
    await client.send("I play the violin.", thread=deleted_thread)
    await client.send("I play the violin.", thread=kept_thread)
    await client.flush()
    await client.send("I am allergic to canaries.", thread=deleted_thread)  # still in the inbox
    (await client.http.delete(f"/threads/{deleted_thread}?forget=true")).raise_for_status()
    assert "anar" not in str(documents(gateway.database))
    assert deleted_thread not in str(documents(gateway.database))
    [violin] = await client.memories(kind="user")
    assert (violin["text"], violin["source_thread"]) == ("Plays the violin", kept_thread)
    assert [source["thread"] for source in violin["sources"]] == [kept_thread]
    assert (await client.memories(q="violin"))[0]["id"] == violin["id"]
    assert (await client.flush())["added"] == 0


async def test_users_cannot_delete_another_users_memories(ada: ApiClient, bob: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    assert (await bob.http.delete(f"/memories/{memory}")).status_code == 404
    assert await delete_with_receipt(bob, "/memories") == {}
    assert len(await ada.memories()) == 1


@pytest.mark.parametrize("flushed", [False, True])
async def test_messages_sent_while_memory_is_paused_are_never_remembered(ada: ApiClient, *, flushed: bool) -> None:
    await ada.http.patch("/me", json={"memory_enabled": False})
    assert "memory.scheduled" not in (await ada.send("I live in Oslo.")).names
    if flushed:
        assert (await ada.flush())["added"] == 0
    await ada.http.patch("/me", json={"memory_enabled": True})
    assert (await ada.flush())["added"] == 0
    assert (await ada.send("Where do I live?")).recalled == []
    assert await ada.memories() == []


async def consume(events: AsyncIterator[str]) -> None:
    async with asyncio.timeout(10):
        async for _ in events:
            pass
