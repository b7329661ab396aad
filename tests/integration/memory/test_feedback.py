"""Feedback on a memory that was used for an answer, and the ranking that it changes."""

import json
import uuid
from typing import Any

import httpx
import psycopg
import pytest

from support.client import ApiClient, Json, new_thread
from support.gateway import RunningGateway
from support.stored_documents import tables_containing

BOAT = "Is restoring an old wooden boat"
QUESTION = "Which varnish suits my boat?"


async def add(client: ApiClient, text: str) -> str:
    return str((await client.http.post("/memories", json={"text": text})).raise_for_status().json()["id"])


async def mark(client: ApiClient, memory: str, **body: object) -> httpx.Response:
    return await client.http.post(f"/memories/{memory}/feedback", json=body)


async def test_a_wrong_memory_is_not_recalled_until_that_is_undone(ada: ApiClient) -> None:
    memory = await add(ada, BOAT)
    assert BOAT in (await ada.send(QUESTION)).recalled
    response = await mark(ada, memory, verdict="wrong")
    assert (response.status_code, response.json()["text"]) == (200, BOAT)
    assert BOAT not in (await ada.send(QUESTION)).recalled
    history = (await ada.http.get(f"/memories/{memory}/history")).json()["items"]
    assert [version["why"] for version in history] == ["wrong"]
    await ada.http.post(f"/memories/{memory}/undo")
    assert BOAT in (await ada.send(QUESTION)).recalled


async def test_what_was_called_wrong_is_not_formed_again_from_the_same_message(ada: ApiClient) -> None:
    await ada.send("I live in Oslo.")
    await ada.flush()
    [fact] = await ada.memories(kind="user")
    await mark(ada, fact["id"], verdict="wrong")
    await ada.flush()
    assert not any("Oslo" in memory["text"] for memory in await ada.memories())


async def test_a_memory_that_is_not_relevant_for_a_message_is_not_recalled_for_it_but_for_others(
    ada: ApiClient,
) -> None:
    thread = new_thread()
    memory = await add(ada, BOAT)
    reply = await ada.send(QUESTION, thread=thread)
    assert BOAT in reply.recalled
    answer = reply.data("message.completed")["message_id"]
    assert (await mark(ada, memory, verdict="not_relevant", message=answer)).status_code == 200
    assert BOAT not in (await ada.send(QUESTION)).recalled
    assert BOAT not in (await ada.send("What varnish is best for my boat?")).recalled
    assert BOAT in (await ada.send("What am I restoring these days?")).recalled
    [listed] = await ada.memories(q="What am I restoring these days?")
    assert listed["text"] == BOAT


async def test_feedback_survives_export_and_import_and_is_erased_with_the_memory(
    client: ApiClient, gateway: RunningGateway
) -> None:
    memory = await add(client, BOAT)
    message = (await client.send(QUESTION)).data("run.started")["message_id"]
    for _ in range(2):
        await mark(client, memory, verdict="not_relevant", message=message)
    exported = (await client.http.get("/memories/export")).text.splitlines()
    [line] = [one for one in map(json.loads, exported) if one.get("id") == memory]
    assert [mark["message"] for mark in line["not_relevant"]] == [message]
    assert (await client.http.get(f"/memories/{memory}")).json().keys().isdisjoint({"not_relevant"})
    await client.http.delete(f"/memories/{memory}")
    assert "store" not in tables_containing(gateway.database, line["not_relevant"][0]["vector"])
    await client.http.post("/memories/import", content=json.dumps(line).encode())
    exported = (await client.http.get("/memories/export")).text.splitlines()
    assert line in [json.loads(one) for one in exported]


async def test_a_memory_keeps_the_latest_eight_mismatches(ada: ApiClient, shared_gateway: RunningGateway) -> None:
    memory, thread = await add(ada, BOAT), new_thread()
    for number in range(9):
        reply = await ada.send(f"Question {number}", thread=thread)
        await mark(ada, memory, verdict="not_relevant", message=reply.data("run.started")["message_id"])
    with psycopg.connect(shared_gateway.database) as connection:
        row = connection.execute("SELECT value -> 'not_relevant' FROM store WHERE key = %s", [memory]).fetchone()
    assert row is not None
    assert len(row[0]) == 8


async def test_feedback_names_a_message_of_the_same_user(ada: ApiClient, bob: ApiClient) -> None:
    memory = await add(ada, BOAT)
    theirs = (await bob.send(QUESTION)).data("run.started")["message_id"]
    for message in (theirs, str(uuid.uuid4())):
        response = await mark(ada, memory, verdict="not_relevant", message=message)
        assert (response.status_code, response.json()["code"]) == (404, "message_not_found")
    assert (await mark(bob, memory, verdict="wrong")).json()["code"] == "memory_not_found"


@pytest.mark.parametrize("body", [{}, {"verdict": "boring"}, {"verdict": "not_relevant"}, {"verdict": None}])
async def test_invalid_feedback_is_rejected(ada: ApiClient, body: dict[str, Any]) -> None:
    memory = await add(ada, BOAT)
    response = await mark(ada, memory, **body)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    malformed = await mark(ada, memory, verdict="not_relevant", message="1")
    assert (malformed.status_code, malformed.json()["code"]) == (422, "invalid_id")


async def test_a_search_ranks_memories_as_recall_does(ada: ApiClient) -> None:
    lines: list[Json] = [
        {"kind": "user", "text": "Sails a wooden boat in summer", "confidence": 1.0, "ts": "2026-01-01T00:00:00Z"},
        {"kind": "user", "text": "Is restoring a wooden boat", "confidence": 0.2, "ts": "2020-01-01T00:00:00Z"},
        {"kind": "user", "text": "Sold the wooden boat", "until": "2021-01-01", "ts": "2020-01-01T00:00:00Z"},
        {"kind": "episodic", "text": "Asked which varnish to use for a boat", "ts": "2021-02-01T00:00:00Z"},
        {"kind": "user", "text": "Collects stamps", "ts": "2026-02-01T00:00:00Z"},
    ]
    await ada.http.post("/memories/import", content="\n".join(map(json.dumps, lines)).encode())
    query = "What do I do with my wooden boat?"
    recalled = (await ada.send(query, memory=True)).recalled
    listed = [memory["text"] for memory in await ada.memories(q=query)]
    assert len(recalled) >= 3
    assert [text for text in listed if text in recalled] == recalled
    assert set(listed) == {line["text"] for line in lines}


async def test_newer_memories_do_not_displace_more_relevant_ones(ada: ApiClient) -> None:
    relevant = [f"Keeps boat {n} in Bergen" for n in range(10)]
    newer = [f"Saw boat {n} in Bergen" for n in range(20)]
    others = [f"Read volume {n} of a novel about the desert" for n in range(60)]
    times = {1: relevant, 2: newer, 3: others}
    lines = [
        {"kind": "user", "text": text, "ts": f"2001-01-0{day}T00:00:00Z"}
        for day, texts in times.items()
        for text in texts
    ]
    content = "\n".join(map(json.dumps, lines)).encode()
    (await ada.http.post("/memories/import", content=content)).raise_for_status()
    found = await ada.memories(q="Which boat am I keeping in Bergen? I keep one there")
    assert set(relevant) <= {memory["text"] for memory in found[:12]}
