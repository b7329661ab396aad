"""The profile: shown to the user, and first in the tip."""

import json
from typing import Any

from conftest import make_settings, model_settings
from support.client import ApiClient, signed_in
from support.example_model import tip_bullets, tip_parts
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

FIELDS = (
    "work_context",
    "personal_context",
    "top_of_mind",
    "recent_months",
    "earlier_context",
    "long_term_background",
    "last_updated",
)
TS = "2026-11-01T10:00:00+00:00"
THREAD, MESSAGE = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


async def _import_profile(client: ApiClient, **fields: str) -> None:
    sentences: dict[str, Any] = {
        name: [{"text": text, "messages": [MESSAGE], "ts": TS}] for name, text in fields.items()
    }
    line = {"place": "profile", "last_updated": TS, "sentences": sentences}
    (await client.http.post("/memories/import", content=json.dumps(line))).raise_for_status()


async def test_a_new_user_has_an_empty_profile(ada: ApiClient) -> None:
    assert (await ada.http.get("/profile")).raise_for_status().json() == dict.fromkeys(FIELDS, "")


async def test_the_profile_is_returned_field_by_field(ada: ApiClient) -> None:
    await _import_profile(ada, work_context="Runs a bakery.", long_term_background="Grew up in Rome.")
    profile = (await ada.http.get("/profile")).raise_for_status().json()
    assert profile == dict.fromkeys(FIELDS, "") | {
        "work_context": "Runs a bakery.",
        "long_term_background": "Grew up in Rome.",
        "last_updated": TS,
    }


async def test_a_profile_is_visible_to_its_owner_only(ada: ApiClient, bob: ApiClient) -> None:
    await _import_profile(ada, work_context="Runs a bakery.")
    assert (await bob.http.get("/profile")).json() == dict.fromkeys(FIELDS, "")
    assert (await bob.http.get("/profile", headers={"Authorization": "Bearer none"})).status_code == 401


async def test_the_tip_begins_with_the_profile_and_the_history_that_concerns_the_message(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    await _import_profile(
        client, work_context="Runs a bakery.", earlier_context="Bought a violin.", long_term_background="Swam."
    )
    await client.http.post("/memories", json={"text": "Plays the violin"})
    reply = await client.send("Do I play the violin?")
    [tip] = tip_parts(model.chat_requests()[-1].messages)
    bullets = ["Runs a bakery.", "Some months ago: Bought a violin.", "Plays the violin"]
    assert tip_bullets(model.chat_requests()[-1].messages) == bullets
    assert set(reply.recalled) == set(bullets)
    assert reply.data("memory.recalled")["tip_chars"] == len(tip)


async def test_a_profile_without_memories_makes_a_tip(client: ApiClient, model: ScriptedOpenAI) -> None:
    await _import_profile(client, work_context="Runs a bakery.")
    reply = await client.send("What is the capital of Peru?")
    assert tip_bullets(model.chat_requests()[-1].messages) == reply.recalled == ["Runs a bakery."]


async def test_the_tip_is_omitted_while_memory_is_paused(client: ApiClient, model: ScriptedOpenAI) -> None:
    await _import_profile(client, work_context="Runs a bakery.")
    await client.http.post("/memories", json={"text": "Plays the violin"})
    await client.http.patch("/me", json={"memory_enabled": False})
    await client.send("Do I play the violin?")
    assert tip_parts(model.chat_requests()[-1].messages) == []


async def test_the_profile_is_in_the_tip_when_the_embedder_fails(client: ApiClient, model: ScriptedOpenAI) -> None:
    await _import_profile(client, work_context="Runs a bakery.")
    await client.http.post("/memories", json={"text": "Plays the violin"})
    model.script.embeddings_status = 500
    reply = await client.send("Do I play the violin?")
    assert reply.degraded
    assert tip_bullets(model.chat_requests()[-1].messages) == ["Runs a bakery.", "Plays the violin"]


async def test_a_token_budget_holds_more_memories(database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(database, **model_settings(model, tip_max_tokens=2_000))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            lines = [{"kind": "user", "text": f"Plays violin number {n}"} for n in range(60)]
            await client.http.post("/memories/import", content="\n".join(map(json.dumps, lines)))
            reply = await client.send("Which violin do I play?")
            assert len(reply.recalled) == 51
            assert len(tip_bullets(model.chat_requests()[-1].messages)) == 51
