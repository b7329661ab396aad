"""Undo and history: undo restores the exact earlier documents, and can be undone."""

import json
from typing import Any

import pytest

from support.client import ApiClient, Json, new_thread
from support.formation import extraction, fact
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI
from support.stored_documents import current_documents, documents, vectors


async def _learn(
    client: ApiClient, model: ScriptedOpenAI, city: str, *, verb: str = "live", replaces: int | None = None
) -> Json:
    """Send and process "I live in {city}.", optionally replacing a memory; return the new memory."""
    text, known = f"I {verb} in {city}.", f"{verb.capitalize()}s in {city}"
    extracted = extraction(
        fact(known, text, replaces=replaces),
        personal_context=f"{known}.",
        episode=f"User told that they {verb} in {city}.",
    )
    model.script.structured = lambda *_: extracted.model_dump()
    await client.send(text)
    await client.flush()
    return next(memory for memory in await client.memories(kind="user") if memory["text"] == known)


async def _undo(client: ApiClient, memory: str) -> Json | None:
    answer = (await client.http.post(f"/memories/{memory}/undo")).raise_for_status()
    return None if answer.status_code == 204 else dict(answer.json())


async def _history(client: ApiClient, memory: str) -> list[Json]:
    answer = (await client.http.get(f"/memories/{memory}/history")).raise_for_status().json()
    assert answer["next_cursor"] is None
    return list(answer["items"])


async def _add(client: ApiClient, text: str) -> str:
    return str((await client.http.post("/memories", json={"text": text})).raise_for_status().json()["id"])


async def _edit(client: ApiClient, memory: str, text: str) -> None:
    (await client.http.patch(f"/memories/{memory}", json={"text": text})).raise_for_status()


async def _texts(client: ApiClient) -> list[str]:
    return sorted(memory["text"] for memory in await client.memories())


async def test_undoing_a_replacement_restores_the_memory_and_its_derived_documents(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    await _learn(client, model, "Oslo")
    before, vectors_before = current_documents(gateway.database), vectors(gateway.database)
    assert {place for place, _ in before} == {"memories.user", "memories.episodic", "profile"}
    rome = await _learn(client, model, "Rome", replaces=1)
    assert "Oslo" not in str(current_documents(gateway.database))
    restored = await _undo(client, rome["id"])
    assert restored is not None
    assert restored["text"] == "Lives in Oslo"
    assert current_documents(gateway.database) == before
    assert vectors(gateway.database) == vectors_before
    assert (await client.memories(q="Where in Oslo?"))[0]["text"] == "Lives in Oslo"


async def test_successive_replacements_are_undone_in_reverse_order(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    states, ids = [], []
    for city, replaces in (("Oslo", None), ("Rome", 1), ("Bergen", 1)):
        ids.append((await _learn(client, model, city, replaces=replaces))["id"])
        states.append(current_documents(gateway.database))
    oslo, rome, bergen = ids
    assert [(version["text"], version["by"]) for version in await _history(client, bergen)] == [
        ("Lives in Rome", bergen),
        ("Lives in Oslo", rome),
    ]
    assert (await _undo(client, bergen) or {})["id"] == rome
    assert current_documents(gateway.database) == states[1]
    assert (await _undo(client, rome) or {})["id"] == oslo
    assert current_documents(gateway.database) == states[0]


async def test_an_undo_can_be_undone(client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway) -> None:
    oslo = (await _learn(client, model, "Oslo"))["id"]
    rome = (await _learn(client, model, "Rome", replaces=1))["id"]
    replaced = current_documents(gateway.database)
    for _ in range(3):
        assert (await _undo(client, rome) or {})["id"] == oslo  # current: its predecessor is restored
        assert (await _undo(client, rome) or {})["id"] == rome  # retired: it is restored itself
        assert current_documents(gateway.database) == replaced
    assert (await _undo(client, oslo) or {})["id"] == oslo  # the id of the restored memory works too
    assert await _texts(client) == ["Lives in Oslo", "User told that they live in Oslo."]


async def test_undo_of_an_older_version_replaces_the_current_memory(client: ApiClient, model: ScriptedOpenAI) -> None:
    oslo = (await _learn(client, model, "Oslo"))["id"]
    await _learn(client, model, "Rome", replaces=1)
    await _learn(client, model, "Bergen", replaces=1)
    await _undo(client, oslo)
    assert await _texts(client) == ["Lives in Oslo", "User told that they live in Oslo."]


async def test_edits_are_undone_in_reverse_order_and_redone(client: ApiClient, gateway: RunningGateway) -> None:
    memory = await _add(client, "Plays the violin")
    states = [current_documents(gateway.database)]
    for text in ("Plays the viola", "Plays the cello"):
        await _edit(client, memory, text)
        states.append(current_documents(gateway.database))
    assert [(version["text"], version["why"]) for version in await _history(client, memory)] == [
        ("Plays the viola", "edited"),
        ("Plays the violin", "edited"),
    ]
    for state in states[1::-1]:
        await _undo(client, memory)
        assert current_documents(gateway.database) == state
    assert (await client.memories(q="violin"))[0]["text"] == "Plays the violin"
    undone = {version["text"]: version["version"] for version in await _history(client, memory)}
    for text, state in zip(("Plays the viola", "Plays the cello"), states[1:], strict=True):
        await _undo(client, undone[text])
        assert current_documents(gateway.database) == state


async def test_an_edit_changes_only_that_memory(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    memory = (await _learn(client, model, "Osslo"))["id"]
    before = current_documents(gateway.database)
    await _edit(client, memory, "Lives in Oslo")
    after = current_documents(gateway.database)
    assert {place for place in after if after[place] != before[place]} == {("memories.user", memory)}
    assert {memory["kind"]: memory["text"] for memory in await client.memories()} == {
        "user": "Lives in Oslo",
        "episodic": "User told that they live in Osslo.",
    }
    assert (await client.http.get("/profile")).json()["personal_context"] == "Lives in Osslo."
    await _undo(client, memory)
    assert current_documents(gateway.database) == before


@pytest.mark.parametrize("pinned", [True, False])
async def test_a_pin_set_after_an_edit_survives_its_undo(
    client: ApiClient, gateway: RunningGateway, *, pinned: bool
) -> None:
    memory = await _add(client, "Plays the violin")
    await client.http.patch(f"/memories/{memory}", json={"pinned": not pinned})
    await _edit(client, memory, "Plays the cello")
    await client.http.patch(f"/memories/{memory}", json={"pinned": pinned})
    restored = await _undo(client, memory)
    assert restored is not None
    assert (restored["text"], restored["pinned"]) == ("Plays the violin", pinned)
    assert [value["pinned"] for value in current_documents(gateway.database).values()] == [pinned]


async def test_a_pin_set_after_a_replacement_survives_its_undo(client: ApiClient, model: ScriptedOpenAI) -> None:
    await _learn(client, model, "Oslo")
    rome = (await _learn(client, model, "Rome", replaces=1))["id"]
    await client.http.patch(f"/memories/{rome}", json={"pinned": True})
    await _undo(client, rome)
    [memory] = await client.memories(kind="user")
    assert (memory["text"], memory["pinned"]) == ("Lives in Oslo", True)


async def test_undo_of_an_added_memory_retires_only_that_memory(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    await _add(client, "Plays the violin")
    memory = (await _learn(client, model, "Oslo"))["id"]
    before = current_documents(gateway.database)
    assert await _undo(client, memory) is None
    assert await _texts(client) == ["Plays the violin"]
    assert (await client.http.get(f"/memories/{memory}")).status_code == 404
    [version] = await _history(client, memory)
    assert (version["text"], version["who"], version["why"], version["by"]) == ("Lives in Oslo", "user", "undone", None)
    await _undo(client, memory)
    assert current_documents(gateway.database) == before


async def test_history_shows_text_time_actor_and_source(client: ApiClient, model: ScriptedOpenAI) -> None:
    oslo = await _learn(client, model, "Oslo")
    rome = await _learn(client, model, "Rome", replaces=1)
    [version] = await _history(client, rome["id"])
    assert version["retired_at"] > oslo["ts"]
    assert {name: version[name] for name in ("who", "why", "by")} == {
        "who": "formation",
        "why": "replaced",
        "by": rome["id"],
    }
    assert {name: version[name] for name in oslo} == oslo
    assert version["quote"] == "I live in Oslo."
    assert await _history(client, oslo["id"]) == [version]  # the id of a retired memory works too


async def test_undo_restores_sentences_into_the_current_profile(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    def sentences() -> str:
        [profile] = [value for (place, _), value in current_documents(gateway.database).items() if place == "profile"]
        return str(profile["personal_context"])

    memory = (await _learn(client, model, "Oslo", verb="swim"))["id"]
    await _undo(client, memory)
    for city in ("Rome", "Bergen"):
        await _learn(client, model, city, verb="swim")
    await _undo(client, memory)
    assert sentences() == "Swims in Oslo. Swims in Rome. Swims in Bergen."
    await _undo(client, memory)
    for city in ("Paris", "Berlin"):
        await _learn(client, model, city, verb="swim")
    await _undo(client, memory)
    assert sentences() == "Swims in Bergen. Swims in Paris. Swims in Berlin."
    evicted = [value for value in documents(gateway.database).values() if value.get("why") == "evicted"]
    assert {value["text"] for value in evicted} == {"Swims in Oslo.", "Swims in Rome."}


@pytest.mark.parametrize("action", ["history", "undo"])
async def test_history_and_undo_are_limited_to_the_owner(ada: ApiClient, bob: ApiClient, action: str) -> None:
    memory = await _add(ada, "Plays the violin")
    await _edit(ada, memory, "Plays the cello")
    [version] = await _history(ada, memory)
    request: Any = bob.http.get if action == "history" else bob.http.post
    for id_ in (memory, version["version"], "33333333-3333-4333-8333-333333333333"):
        answer = await request(f"/memories/{id_}/{action}")
        assert (answer.status_code, answer.json()["code"]) == (404, "memory_not_found")
    assert await _texts(ada) == ["Plays the cello"]


async def test_a_retired_memory_without_a_change_id_cannot_be_undone(ada: ApiClient) -> None:
    line = '{"place": "retired", "id": "33333333-3333-4333-8333-333333333333", "kind": "user", "text": "Has a cat", '
    await ada.http.post("/memories/import", content=line + '"memory": "44444444-4444-4444-8444-444444444444"}')
    answer = await ada.http.post("/memories/44444444-4444-4444-8444-444444444444/undo")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_undo")


async def test_retired_memories_are_not_recalled_or_formed_again(
    client: ApiClient, model: ScriptedOpenAI, gateway: RunningGateway
) -> None:
    memory = (await _learn(client, model, "Oslo"))["id"]
    await _undo(client, memory)
    assert (await client.flush())["added"] == 0
    assert (await client.send("Where do I live?")).recalled == []
    assert [value["text"] for (place, _), value in documents(gateway.database).items() if place == "retired"]


async def test_an_inbox_item_restored_by_undo_is_scheduled_again(client: ApiClient, model: ScriptedOpenAI) -> None:
    memory = await _learn(client, model, "Oslo")
    item = {
        "place": "inbox",
        "id": memory["source_message"],
        "source_thread": memory["source_thread"],
        "text": "I live in Oslo.",
        "ts": memory["ts"],
    }
    (await client.http.post("/memories/import", content=json.dumps(item))).raise_for_status()
    await _undo(client, memory["id"])
    await client.flush()
    status = (await client.http.get("/memories/formation")).json()
    assert (status["pending"], status["next_attempt_at"]) == (0, None)
    await _undo(client, memory["id"])
    status = (await client.http.get("/memories/formation")).json()
    assert status["pending"] == 1
    assert status["next_attempt_at"] is not None


@pytest.mark.parametrize(
    ("message", "request_", "forgotten"),
    [
        ("My son is called Ben. My son Ben is allergic to bees.", "forget that Ben is allergic to bees", "bees"),
        ("Mein Sohn heißt Ben. Mein Sohn Ben mag Lego.", "Vergiss, dass mein Sohn Ben Lego mag.", "Lego"),
        ("Meu filho se chama Ben. Meu filho Ben adora trens.", "Esquece que meu filho Ben adora trens.", "trens"),
    ],
)
async def test_forgetting_one_fact_about_a_person_keeps_the_others(
    ada: ApiClient, message: str, request_: str, forgotten: str
) -> None:
    await ada.send(message)
    await ada.flush()
    assert forgotten in str(await _texts(ada))
    assert "Forgotten" in (await ada.send(request_)).data("tool.finished")["output"]
    assert "Ben" in str(await _texts(ada))
    assert forgotten not in str(await _texts(ada))


async def test_one_of_several_things_is_forgotten_and_restored(ada: ApiClient) -> None:
    thread, memory = new_thread(), await _add(ada, "I have two visits: the optician at 9 and the barber at 11.")
    await ada.send("hi", thread=thread)
    await ada.send("forget the barber", thread=thread)
    assert "Forgotten: the barber at 11" in (await ada.send("1", thread=thread)).text
    assert await _texts(ada) == ["I have two visits: the optician at 9."]
    restored = await _undo(ada, memory)
    assert restored is not None
    assert await _texts(ada) == [restored["text"]]
