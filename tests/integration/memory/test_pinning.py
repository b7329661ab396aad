"""Pinning: it changes nothing else, and is kept by edits."""

import asyncio

import pytest

from support.client import ApiClient, Json
from support.gateway import RunningGateway
from support.stored_documents import documents, vectors


async def _patch(client: ApiClient, memory: str, **changes: object) -> Json:
    return dict((await client.http.patch(f"/memories/{memory}", json=changes)).raise_for_status().json())


async def test_pinning_changes_nothing_else(client: ApiClient, gateway: RunningGateway) -> None:
    added = (await client.http.post("/memories", json={"text": "Plays the violin"})).json()
    assert added["pinned"] is False
    before, vectors_before = documents(gateway.database), vectors(gateway.database)
    assert await _patch(client, added["id"], pinned=True) == added | {"pinned": True}
    [(place, document)] = documents(gateway.database).items()
    assert {place: document | {"pinned": False}} == before
    assert vectors(gateway.database) == vectors_before
    assert (await client.http.get(f"/memories/{added['id']}/history")).json()["items"] == []
    assert await _patch(client, added["id"], pinned=False) == added
    assert documents(gateway.database) == before


async def test_a_memory_can_be_added_pinned(ada: ApiClient) -> None:
    added = (await ada.http.post("/memories", json={"text": "Plays the violin", "pinned": True})).json()
    assert added["pinned"] is True
    assert [memory["pinned"] for memory in await ada.memories()] == [True]


async def test_a_pinned_memory_is_part_of_every_prompt(ada: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    for pinned, expected in ((True, [("Plays the violin", "standing")]), (False, [])):
        await _patch(ada, memory, pinned=pinned)
        reply = await ada.send("What is the capital of Norway?")
        memories = reply.data("memory.recalled")["memories"]
        assert [(memory["text"], memory["why"]) for memory in memories] == expected


async def test_an_added_or_edited_memory_is_returned_as_stored(ada: ApiClient) -> None:
    added = (await ada.http.post("/memories", json={"text": "Is allergic to peanuts"})).json()
    assert added["standing"] is True
    other = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()
    assert other["standing"] is False
    edited = await _patch(ada, other["id"], text="Is allergic to walnuts")
    assert edited["standing"] is True
    assert await ada.memories() == [edited, added]


async def test_an_edit_keeps_the_pin(ada: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin", "pinned": True})).json()["id"]
    assert (await _patch(ada, memory, text="Plays the viola"))["pinned"] is True
    edited = await _patch(ada, memory, text="Plays the cello", pinned=False)
    assert (edited["text"], edited["pinned"]) == ("Plays the cello", False)
    versions = (await ada.http.get(f"/memories/{memory}/history")).json()["items"]
    assert [(version["text"], version["pinned"]) for version in versions] == [
        ("Plays the viola", True),
        ("Plays the violin", True),
    ]


async def test_concurrent_pins_and_edits_are_all_kept(ada: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    await asyncio.gather(
        _patch(ada, memory, text="Plays the cello"), *(_patch(ada, memory, pinned=True) for _ in range(3))
    )
    [current] = await ada.memories()
    assert (current["text"], current["pinned"]) == ("Plays the cello", True)


@pytest.mark.parametrize("changes", [{}, {"mood": "good"}, {"pinned": None}, {"text": None}, {"pinned": "perhaps"}])
async def test_a_change_of_nothing_is_rejected(ada: ApiClient, changes: Json) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    response = await ada.http.patch(f"/memories/{memory}", json=changes)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert any(name in response.json()["detail"] for name in ("text", "pinned"))


async def test_memories_of_others_cannot_be_pinned(ada: ApiClient, bob: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    assert (await bob.http.patch(f"/memories/{memory}", json={"pinned": True})).status_code == 404
    assert [memory["pinned"] for memory in await ada.memories()] == [False]
