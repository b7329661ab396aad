"""The profile: who the user is, shown to them and, before everything else, to the model."""

import json
from typing import Any

from conftest import scripted, settings_for
from support.client import Person, signed_in
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


async def _is(person: Person, **fields: str) -> None:
    """Make somebody somebody."""
    told: dict[str, Any] = {name: [{"text": text, "messages": [MESSAGE], "ts": TS}] for name, text in fields.items()}
    line = {"place": "profile", "last_updated": TS, "sentences": told}
    (await person.http.post("/memories/import", content=json.dumps(line))).raise_for_status()


async def test_of_somebody_new_nothing_is_known(ada: Person) -> None:
    assert (await ada.http.get("/profile")).raise_for_status().json() == dict.fromkeys(FIELDS, "")


async def test_a_profile_is_shown_field_by_field(ada: Person) -> None:
    await _is(ada, work_context="Runs a bakery.", long_term_background="Grew up in Rome.")
    known = (await ada.http.get("/profile")).raise_for_status().json()
    assert known == dict.fromkeys(FIELDS, "") | {
        "work_context": "Runs a bakery.",
        "long_term_background": "Grew up in Rome.",
        "last_updated": TS,
    }


async def test_a_profile_is_its_users_own(ada: Person, bob: Person) -> None:
    await _is(ada, work_context="Runs a bakery.")
    assert (await bob.http.get("/profile")).json() == dict.fromkeys(FIELDS, "")
    assert (await bob.http.get("/profile", headers={"Authorization": "Bearer none"})).status_code == 401


async def test_the_tip_begins_with_the_profile_whatever_is_asked(person: Person, model: ScriptedOpenAI) -> None:
    await _is(person, work_context="Runs a bakery.", earlier_context="Learned to swim.")
    await person.http.post("/memories", json={"text": "Plays the violin"})
    heard = await person.say("Do I play the violin?")
    tip = model.chat_requests()[-1].messages[0]["content"]
    bullets = [line for line in tip.splitlines() if line.startswith("- ")]
    assert bullets == ["- Runs a bakery.", "- Some months ago: Learned to swim.", "- Plays the violin"]
    assert heard.recalled == ["Plays the violin"]
    assert heard.data("memory.recalled")["tip_chars"] == len(tip)


async def test_a_profile_alone_makes_a_tip(person: Person, model: ScriptedOpenAI) -> None:
    await _is(person, work_context="Runs a bakery.")
    heard = await person.say("What is the capital of Peru?")
    assert model.chat_requests()[-1].messages[0]["content"].endswith("\n- Runs a bakery.")
    assert heard.recalled == []


async def test_neither_profile_nor_facts_are_shown_while_memory_is_paused(
    person: Person, model: ScriptedOpenAI
) -> None:
    await _is(person, work_context="Runs a bakery.")
    await person.http.post("/memories", json={"text": "Plays the violin"})
    await person.http.patch("/me", json={"memory_enabled": False})
    await person.say("Do I play the violin?")
    assert [message["role"] for message in model.chat_requests()[-1].messages] == ["user"]


async def test_a_profile_is_shown_when_words_alone_search(person: Person, model: ScriptedOpenAI) -> None:
    await _is(person, work_context="Runs a bakery.")
    await person.http.post("/memories", json={"text": "Plays the violin"})
    model.script.embeddings_status = 500
    heard = await person.say("Do I play the violin?")
    tip = model.chat_requests()[-1].messages[0]["content"]
    assert heard.degraded
    assert [line for line in tip.splitlines() if line.startswith("- ")] == ["- Runs a bakery.", "- Plays the violin"]


async def test_a_budget_in_tokens_holds_more_memories(database: str, model: ScriptedOpenAI) -> None:
    settings = settings_for(database, **scripted(model, tip_max_tokens=2_000))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as person:
            lines = [{"kind": "user", "text": f"Plays violin number {n}"} for n in range(60)]
            await person.http.post("/memories/import", content="\n".join(map(json.dumps, lines)))
            heard = await person.say("Which violin do I play?")
            assert len(heard.recalled) == 51
            assert model.chat_requests()[-1].messages[0]["content"].count("\n- Plays violin") == 51
