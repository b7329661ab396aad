"""The limit of facts: what is evicted is shown with its reason, and imports over the limit say so."""

from collections.abc import AsyncIterator

import pytest

from conftest import make_settings, model_settings
from support.client import ApiClient, Json, signed_in
from support.gateway import RunningGateway
from support.jsonl import import_records
from support.scripted_openai import ScriptedOpenAI

MAX_FACTS = 3


@pytest.fixture
async def client(database: str, model: ScriptedOpenAI) -> AsyncIterator[ApiClient]:
    """A client of a gateway with a low limit."""
    with RunningGateway(make_settings(database, **model_settings(model, max_facts=MAX_FACTS))) as running:
        async with signed_in(running.url) as api:
            yield api


async def get_limit(client: ApiClient) -> Json:
    return dict((await client.http.get("/memories/limit")).raise_for_status().json())


async def test_an_import_over_the_limit_says_so(client: ApiClient) -> None:
    facts: list[Json] = [{"kind": "user", "text": f"Has read book number {n}"} for n in range(MAX_FACTS + 2)]
    assert await import_records(client, *facts[:MAX_FACTS]) == {"imported": MAX_FACTS, "unchanged": 0}
    result = await import_records(client, *facts)
    assert (result["imported"], result["unchanged"]) == (2, MAX_FACTS)
    assert "contains 5 facts, and the limit is 3" in result["warning"]
    assert "move to history" in result["warning"]
    assert await get_limit(client) == {"facts": MAX_FACTS + 2, "max_facts": MAX_FACTS, "evicted": []}


async def test_evicted_facts_are_listed_with_their_reason_and_can_be_restored(client: ApiClient) -> None:
    await import_records(
        client,
        {"kind": "user", "text": "Is allergic to nuts", "confidence": 0.1},
        {"kind": "user", "text": "Keeps bees", "confidence": 0.1, "pinned": True},
        {"kind": "procedural", "text": "Wants short answers", "confidence": 0.1},
        {"kind": "user", "text": "Likes jazz", "confidence": 0.9},
        {"kind": "user", "text": "Likes tea", "confidence": 0.8},
    )
    await client.send("I play the harp.")
    await client.flush()
    limit = await get_limit(client)
    assert {(fact["text"], fact["why"], fact["who"]) for fact in limit["evicted"]} == {
        ("Likes jazz", "evicted", "formation"),
        ("Likes tea", "evicted", "formation"),
    }
    assert limit["facts"] == MAX_FACTS + 1  # what was just said stays until the next message
    jazz = next(fact for fact in limit["evicted"] if fact["text"] == "Likes jazz")
    (await client.http.post(f"/memories/{jazz['version']}/undo")).raise_for_status()
    assert "Likes jazz" in [memory["text"] for memory in await client.memories()]
    assert [fact["text"] for fact in (await get_limit(client))["evicted"]] == ["Likes tea"]


async def test_the_limit_counts_only_the_users_own_facts(client: ApiClient) -> None:
    await client.send("I like tea.")
    await client.flush()
    async with signed_in(str(client.http.base_url)) as other:
        assert await get_limit(other) == {"facts": 0, "max_facts": MAX_FACTS, "evicted": []}
    assert (await get_limit(client))["facts"] == 1
