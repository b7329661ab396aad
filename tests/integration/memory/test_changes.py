"""The stream and the list of changes to memories."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from httpx_sse import ServerSentEvent, aconnect_sse

from conftest import Databases, make_settings
from support.client import ApiClient, Json, new_thread, signed_in
from support.gateway import RunningGateway
from support.stored_documents import tables_containing

OSLO, YORK = "I live in Oslo.", "I live in York now."


class Changes:
    """An open stream of changes."""

    def __init__(self, events: AsyncIterator[ServerSentEvent]) -> None:
        self._events = events
        self.last_id = ""

    async def next(self) -> Json:
        event = await asyncio.wait_for(anext(self._events), 20)
        data = dict(json.loads(event.data))
        assert (event.event, event.id) == (data["type"], data["id"])
        self.last_id = event.id
        return data

    async def texts(self, count: int) -> list[tuple[str, str | None]]:
        changes = [await self.next() for _ in range(count)]
        return [(change["type"], change["memory"]["text"]) for change in changes]


@asynccontextmanager
async def changes_of(client: ApiClient, last_id: str | None = None) -> AsyncIterator[Changes]:
    headers = {} if last_id is None else {"Last-Event-ID": last_id}
    async with aconnect_sse(client.http, "GET", "/memories/changes", headers=headers) as source:
        source.response.raise_for_status()
        yield Changes(source.aiter_sse())


async def timeline(client: ApiClient, **query: str) -> Json:
    return dict((await client.http.get("/memories/timeline", params=query)).raise_for_status().json())


async def add(client: ApiClient, text: str) -> str:
    return str((await client.http.post("/memories", json={"text": text})).raise_for_status().json()["id"])


async def test_what_formation_learns_and_replaces_arrives_with_its_message(ada: ApiClient) -> None:
    first, second = new_thread(), new_thread()
    async with changes_of(ada) as changes:
        stated = (await ada.send(OSLO, thread=first)).data("run.started")["message_id"]
        await ada.flush()
        added = await changes.next()
        assert (added["type"], added["why"], added["replaced"]) == ("memory.added", "stated", None)
        assert (added["thread"], added["message"]) == (first, stated)
        assert "Oslo" in added["memory"]["text"]
        corrected = (await ada.send(YORK, thread=second)).data("run.started")["message_id"]
        await ada.flush()
        seen = [await changes.next()]
        while seen[-1]["type"] != "memory.replaced" or seen[-1]["memory"]["kind"] != "user":
            seen.append(await changes.next())
        replaced = seen[-1]
        assert (replaced["thread"], replaced["message"], replaced["why"]) == (second, corrected, "replaced")
        assert "York" in replaced["memory"]["text"]
        assert replaced["replaced"] == added["memory"]


async def test_every_kind_of_change_by_the_user_arrives_in_order(ada: ApiClient) -> None:
    async with changes_of(ada) as changes:
        memory = await add(ada, "Plays the violin")
        path = f"/memories/{memory}"
        await ada.http.patch(path, json={"text": "Plays the cello"})
        await ada.http.patch(path, json={"pinned": True})  # changes no text
        await ada.http.post(f"{path}/undo")
        await ada.http.post(f"{path}/undo")
        await ada.http.delete(path)
        assert [(await changes.next())["type"] for _ in range(5)] == [
            "memory.added",
            "memory.replaced",
            "memory.restored",
            "memory.retired",
            "memory.forgotten",
        ]
        other = await add(ada, "Keeps bees")
        await ada.http.post(f"/memories/{other}/undo")
        await ada.http.post(f"/memories/{other}/undo")
        assert await changes.texts(3) == [
            ("memory.added", "Keeps bees"),
            ("memory.retired", "Keeps bees"),
            ("memory.restored", "Keeps bees"),
        ]
        await ada.http.post("/memories/import", content=b'{"kind": "user", "text": "Has a boat"}\n')
        assert await changes.texts(1) == [("memory.added", "Has a boat")]
        await ada.http.delete("/memories")
        cleared = await changes.next()
        assert (cleared["type"], cleared["memory"]) == ("memory.forgotten", None)


async def test_an_undone_edit_names_the_text_that_it_replaces(ada: ApiClient) -> None:
    memory = await add(ada, "Plays the violin")
    await ada.http.patch(f"/memories/{memory}", json={"text": "Plays the cello"})
    await ada.http.post(f"/memories/{memory}/undo")
    restored, edited, _ = (await timeline(ada))["items"]
    assert (edited["memory"]["text"], edited["replaced"]["text"], edited["why"]) == (
        "Plays the cello",
        "Plays the violin",
        "edited",
    )
    assert (restored["memory"]["text"], restored["replaced"]["text"]) == ("Plays the violin", "Plays the cello")


async def test_forgetting_in_the_chat_can_be_undone_and_both_are_changes(ada: ApiClient) -> None:
    await ada.send(OSLO)
    await ada.flush()
    async with changes_of(ada) as changes:
        await ada.send("Forget that I live in Oslo.")
        forgotten = await changes.next()
        assert (forgotten["type"], forgotten["why"]) == ("memory.forgotten", "forgotten")
        await ada.http.post(f"/memories/{forgotten['memory']['id']}/undo")
        restored = [await changes.next()]
        while restored[-1]["memory"]["id"] != forgotten["memory"]["id"] or restored[-1]["type"] != "memory.restored":
            restored.append(await changes.next())
        assert restored[-1]["memory"] == forgotten["memory"]


async def test_a_stream_resumes_after_the_last_id(ada: ApiClient) -> None:
    async with changes_of(ada) as changes:
        await add(ada, "Plays the violin")
        await changes.next()
    await add(ada, "Keeps bees")
    await add(ada, "Has a boat")
    async with changes_of(ada, changes.last_id) as resumed:
        assert await resumed.texts(2) == [("memory.added", "Keeps bees"), ("memory.added", "Has a boat")]
    async with changes_of(ada) as new:
        await add(ada, "Rides a tandem")
        assert await new.texts(1) == [("memory.added", "Rides a tandem")]


async def test_changes_of_another_process_arrive(client: ApiClient, second_client: ApiClient) -> None:
    async with changes_of(client) as changes:
        await add(second_client, "Plays the violin")
        assert await changes.texts(1) == [("memory.added", "Plays the violin")]


async def test_changes_are_never_those_of_another_user(ada: ApiClient, bob: ApiClient) -> None:
    await add(ada, "Plays the violin")
    latest = (await timeline(ada))["items"][0]["id"]
    async with changes_of(bob, latest) as changes, changes_of(bob, "0") as all_changes:
        await add(ada, "Keeps bees")
        await add(bob, "Has a boat")
        assert await changes.texts(1) == [("memory.added", "Has a boat")]
        assert await all_changes.texts(1) == [("memory.added", "Has a boat")]
    assert [change["memory"]["text"] for change in (await timeline(bob))["items"]] == ["Has a boat"]


async def test_the_timeline_has_pages(ada: ApiClient) -> None:
    for text in ("Plays the violin", "Keeps bees", "Has a boat"):
        await add(ada, text)
    page = await timeline(ada, limit="2")
    assert [change["memory"]["text"] for change in page["items"]] == ["Has a boat", "Keeps bees"]
    rest = await timeline(ada, limit="2", cursor=page["next_cursor"])
    assert [change["memory"]["text"] for change in rest["items"]] == ["Plays the violin"]
    assert rest["next_cursor"] is None


async def test_the_log_keeps_a_limited_number_of_changes(ada: ApiClient, shared_gateway: RunningGateway) -> None:
    await add(ada, "Plays the violin")
    owner = f"users.{(await ada.http.get('/me')).json()['user_id']}"
    with psycopg.connect(shared_gateway.database) as connection:
        connection.execute(
            "INSERT INTO store_changes (prefix, seq, keys, data) SELECT prefix, n, '{}', data "
            "FROM store_changes, generate_series(1, 1_100) n WHERE prefix = %s",
            [owner],
        )
    await add(ada, "Keeps bees")
    with psycopg.connect(shared_gateway.database) as connection:
        rows = connection.execute("SELECT seq FROM store_changes WHERE prefix = %s ORDER BY seq", [owner]).fetchall()
    assert len(rows) == 1_000
    assert rows[0] == (103,)


async def test_forgotten_text_does_not_remain_in_the_log(client: ApiClient, gateway: RunningGateway) -> None:
    memory = await add(client, "Has a canary")
    await client.http.patch(f"/memories/{memory}", json={"text": "Has two canaries"})
    await add(client, "Keeps bees")
    assert "store_changes" in tables_containing(gateway.database, "canar")
    await client.http.delete(f"/memories/{memory}")
    assert tables_containing(gateway.database, "canar") == []
    forgotten = (await timeline(client))["items"][0]
    assert forgotten["memory"] == {"id": memory, "kind": "user", "text": None, "category": "personal"}


async def test_nothing_remains_in_the_log_of_a_forgotten_thread(ada: ApiClient, shared_gateway: RunningGateway) -> None:
    thread = new_thread()
    await ada.send("My axolotl is called Quigley.", thread=thread)
    await ada.flush()
    assert "store_changes" in tables_containing(shared_gateway.database, "Quigley")
    await ada.http.delete(f"/threads/{thread}", params={"forget": "true"})
    assert tables_containing(shared_gateway.database, "Quigley") == []


async def test_erasure_ends_with_an_empty_log(ada: ApiClient) -> None:
    await add(ada, "Plays the violin")
    receipt = (await ada.http.delete("/me")).json()["deleted"]
    assert receipt["store_changes"] == 1
    assert (await timeline(ada))["items"] == []


@pytest.mark.parametrize("position", ["x", "-1", "1.0", "9" * 19])
async def test_an_invalid_position_is_rejected(ada: ApiClient, position: str) -> None:
    streamed = await ada.http.get("/memories/changes", headers={"Last-Event-ID": position})
    listed = await ada.http.get("/memories/timeline", params={"cursor": position})
    for response in (streamed, listed):
        assert (response.status_code, response.json()["code"]) == (422, "invalid_cursor")


async def test_a_stream_of_changes_counts_as_an_open_stream(databases: Databases) -> None:
    with RunningGateway(make_settings(databases.create("minilm"), limit_streams=1)) as gateway:
        async with signed_in(gateway.url) as client, changes_of(client):
            refused = await client.http.get("/memories/changes")
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
