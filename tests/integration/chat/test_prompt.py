"""The prompt: the base prompt, the standing part of the tip, and the part recalled for the newest message."""

from collections.abc import Sequence
from itertools import pairwise

import psycopg
import pytest

from agent.chat.base_prompt import DATA_PLACES, EARLIER_ANSWERS, NO_NOTIFICATIONS
from agent.memory.recall.tip import OPENING, RECALLED_HEADER
from conftest import make_settings, model_settings
from support.client import ApiClient, Json, new_thread, signed_in
from support.example_model import tip_bullets, tip_parts
from support.gateway import RunningGateway
from support.model_script import Message
from support.openai_wire import BadRequestError
from support.scripted_openai import ScriptedOpenAI

BASE_PROMPT = "You are Keepsake, an assistant with long-term memory"
WITHOUT_MEMORY = "Memory is off: you know nothing about this user"
VARIED_MESSAGES = (
    "Hello!",
    "Do I play the violin?",
    "Plan a dinner party for six.",
    "What is the capital of Peru?",
    "Where does my cousin Ada sell boats?",
)


def _prompt(model: ScriptedOpenAI) -> list[Message]:
    return model.chat_requests()[-1].messages


def _first(model: ScriptedOpenAI) -> str:
    """The first system message of the last prompt."""
    return str(_prompt(model)[0]["content"])


def _recalled_part(model: ScriptedOpenAI) -> str:
    """The message before the newest one, if it is the recalled part."""
    *_, before, _ = _prompt(model)
    return str(before["content"]) if str(before["content"]).startswith(RECALLED_HEADER) else ""


def _roles(prompt: Sequence[Message]) -> list[str]:
    return [str(message["role"]) for message in prompt]


async def _add(client: ApiClient, *texts: str) -> list[Json]:
    return [(await client.http.post("/memories", json={"text": text})).raise_for_status().json() for text in texts]


async def test_the_model_is_told_what_keepsake_cannot_do_when_it_is_asked_to(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    for text, told in (
        ("Remind me at 6 to buy milk.", NO_NOTIFICATIONS),
        ("Hello!", ""),
        ("Stell einen Wecker.", NO_NOTIFICATIONS),
        ("Put my memories into a spreadsheet and export it.", DATA_PLACES),
        ("What did you say about the recipe?", EARLIER_ANSWERS),
    ):
        await client.send(text, thread=thread)
        contents = " ".join(str(message["content"]) for message in _prompt(model))
        assert [notice for notice in (NO_NOTIFICATIONS, DATA_PLACES, EARLIER_ANSWERS) if notice in contents] == [
            told
        ] * bool(told)


async def test_a_prompt_without_memories_is_the_base_prompt_and_the_message(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    await client.send("Hello!")
    assert _roles(_prompt(model)) == ["system", "user"]
    assert _first(model).startswith(BASE_PROMPT)
    assert tip_parts(_prompt(model)) == []


async def test_the_standing_part_precedes_the_base_prompt(client: ApiClient, model: ScriptedOpenAI) -> None:
    await _add(client, "Is allergic to peanuts")
    await client.send("Plan a dinner party.")
    assert _roles(_prompt(model)) == ["system", "user"]
    standing, base_prompt = _first(model).split("\n\n")
    assert standing.startswith(OPENING)
    assert standing.endswith("\n- Is allergic to peanuts")
    assert base_prompt.startswith(BASE_PROMPT)


async def test_the_recalled_part_precedes_the_newest_message(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await _add(client, "Plays the violin")
    await client.send("Hello!", thread=thread)
    await client.send("Do I play the violin?", thread=thread)
    assert _roles(_prompt(model)) == ["system", "user", "assistant", "system", "user"]
    assert "violin" not in _first(model)
    assert _recalled_part(model).endswith("\n- Plays the violin")
    await client.send("Thanks!", thread=thread)
    assert _roles(_prompt(model)) == ["system", *["user", "assistant"] * 2, "user"]
    assert tip_bullets(_prompt(model)) == []


async def test_the_prompt_up_to_the_newest_message_is_repeated_in_every_turn(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    await _add(client, "Is allergic to peanuts", "Plays the violin", "Cousin Ada sells boats in Genoa")
    for text in VARIED_MESSAGES:
        await client.send(text, thread=thread)
    prompts = [request.messages for request in model.chat_requests()]
    assert "Is allergic to peanuts" in str(prompts[0][0]["content"])
    assert {str(prompt[0]["content"]) for prompt in prompts} == {str(prompts[0][0]["content"])}
    assert ["Plays the violin"] in [tip_bullets(prompt[1:]) for prompt in prompts]
    for prompt, following in pairwise(prompts):
        lasting = [one for one in prompt if not str(one["content"]).startswith(RECALLED_HEADER)]
        assert following[: len(lasting)] == lasting


async def test_a_forgotten_or_changed_memory_leaves_the_standing_part(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "Yes."
    thread = new_thread()
    peanuts, oslo, _ = await _add(client, "Is allergic to peanuts", "Lives in Oslo", "Is vegetarian")
    await client.send("Hello!", thread=thread)
    assert set(tip_bullets(_prompt(model))) == {"Is allergic to peanuts", "Lives in Oslo", "Is vegetarian"}
    await client.http.delete(f"/memories/{peanuts['id']}")
    await client.send("Plan a dinner party.", thread=thread)
    assert "peanuts" not in str(_prompt(model))
    assert {"Lives in Oslo", "Is vegetarian"} == set(tip_bullets(_prompt(model)[:1]))
    await client.http.patch(f"/memories/{oslo['id']}", json={"text": "Lives in Bergen"})
    await client.send("Plan a trip.", thread=thread)
    assert "Oslo" not in str(_prompt(model))
    assert {"Lives in Bergen", "Is vegetarian"} == set(tip_bullets(_prompt(model)[:1]))


async def test_standing_facts_of_another_thread_are_recalled_without_changing_the_standing_part(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    await _add(client, "Is allergic to peanuts")
    await client.send("Hello!", thread=thread)
    first = _first(model)
    await client.send("I am vegetarian.")
    for processed in (False, True):
        await client.send("Plan a dinner party.", thread=thread)
        assert _first(model) == first
        assert "vegetarian" in _recalled_part(model)
        if not processed:
            await client.flush()


@pytest.mark.own_gateway
async def test_a_model_that_rejects_a_second_system_message_gets_one_from_then_on(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    def reply(messages: list[Message]) -> str:
        if "system" in _roles(messages)[1:]:
            raise BadRequestError("System message must be at the beginning.")
        return "Yes."

    model.script.reply = reply
    thread = new_thread()
    await _add(client, "Is allergic to peanuts", "Plays the violin")
    await client.send("Hello!", thread=thread)
    assert (await client.send("Do I play the violin?", thread=thread)).text == "Yes."
    assert len(model.chat_requests()) == 3
    assert _roles(_prompt(model)) == ["system", "user", "assistant", "user"]
    assert tip_bullets(_prompt(model)) == ["Is allergic to peanuts", "Plays the violin"]
    assert BASE_PROMPT in _first(model)
    assert (await client.send("Do I really play the violin?", thread=thread)).text == "Yes."
    assert len(model.chat_requests()) == 4
    assert tip_bullets(_prompt(model)) == ["Is allergic to peanuts", "Plays the violin"]


async def test_the_event_lists_exactly_the_memories_in_the_prompt(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await _add(client, "Is allergic to peanuts", "Plays the violin")
    await client.http.post("/memories", json={"text": "Wants short answers", "kind": "procedural"})
    await client.send("My boat is called Amelie.")
    await client.send("Hello!", thread=thread)
    reply = await client.send("Is there a violin on my boat?", thread=thread)
    data = reply.data("memory.recalled")
    assert {(memory["text"], memory["kind"], memory["why"]) for memory in data["memories"]} == {
        ("Is allergic to peanuts", "user", "standing"),
        ("Wants short answers", "procedural", "standing"),
        ("Plays the violin", "user", "recalled"),
        ("My boat is called Amelie.", "inbox", "recalled"),
    }
    assert sorted(tip_bullets(_prompt(model))) == sorted(reply.recalled)
    assert data["omitted"] == []
    assert data["tip_chars"] == sum(map(len, tip_parts(_prompt(model))))


async def test_the_event_lists_the_standing_memories_without_room(client: ApiClient, model: ScriptedOpenAI) -> None:
    foods = ("peanuts", "eggs", "milk", "wheat", "soy", "fish", "crab", "celery")
    texts = [f"Is allergic to {food} {'x' * 90}" for food in foods]
    await _add(client, *texts)
    reply = await client.send("Plan a dinner party.")
    data = reply.data("memory.recalled")
    omitted = [memory["text"] for memory in data["omitted"]]
    assert omitted
    assert set(tip_bullets(_prompt(model))) == set(reply.recalled) == set(texts) - set(omitted)
    assert len(reply.recalled) + len(omitted) == len(texts)
    assert data["tip_chars"] <= 900


async def test_the_tip_is_limited_in_length_and_has_whole_lines(client: ApiClient, model: ScriptedOpenAI) -> None:
    texts = [f"Plays the violin in orchestra number {n} of {'x' * 90}" for n in range(12)]
    await _add(client, *texts)
    reply = await client.send("In which orchestra do I play the violin?")
    assert reply.data("memory.recalled")["tip_chars"] == sum(map(len, tip_parts(_prompt(model)))) <= 900
    bullets = tip_bullets(_prompt(model))
    assert bullets
    assert set(bullets) <= set(texts)


@pytest.mark.parametrize("reason", ["temporary", "paused", "message"])
async def test_without_memory_the_prompt_says_so_and_has_no_tip(
    client: ApiClient, model: ScriptedOpenAI, reason: str
) -> None:
    await _add(client, "Is allergic to peanuts")
    if reason == "paused":
        await client.http.patch("/me", json={"memory_enabled": False})
    body: dict[str, Json] = {"temporary": {"temporary": True}, "paused": {}, "message": {"memory": False}}
    reply = await client.send("Plan a dinner party.", **body[reason])
    assert reply.recalled == []
    assert _roles(_prompt(model)) == ["system", "user"]
    assert WITHOUT_MEMORY in _first(model)
    assert tip_parts(_prompt(model)) == []


async def test_the_base_prompt_has_the_users_time_zone(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await client.send("Hello!", thread=thread)
    assert "time zone is unknown" in _first(model)
    (await client.http.patch("/me", json={"time_zone": "Asia/Tokyo"})).raise_for_status()
    await client.send("Hello again!", thread=thread)
    assert "(Asia/Tokyo)" in _first(model)


async def test_the_system_prompt_setting_replaces_the_base_prompt(
    database: str, model: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPSAKE_SYSTEM_PROMPT", "You are a pirate. Zone: {time_zone}.")
    with RunningGateway(make_settings(database, **model_settings(model))) as running:
        async with signed_in(running.url) as client:
            await client.http.patch("/me", json={"time_zone": "Asia/Tokyo"})
            await _add(client, "Is allergic to peanuts")
            await client.send("Plan a dinner party.")
    assert _first(model).split("\n\n")[1] == "You are a pirate. Zone: Asia/Tokyo."


async def test_neither_part_is_saved_as_a_message(client: ApiClient, model: ScriptedOpenAI, database: str) -> None:
    thread = new_thread()
    await _add(client, "Is allergic to peanuts", "Plays the violin")
    for text in ("Hello!", "Do I play the violin?", "Really?"):
        await client.send(text, thread=thread)
    assert _recalled_part(model) == ""
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT channel, blob FROM checkpoint_blobs").fetchall()
        transcript = connection.execute("SELECT t FROM messages t").fetchall()
    [messages] = [bytes(blob) for channel, blob in rows if channel == "messages"]
    assert b"Really?" in messages
    for part in (OPENING, RECALLED_HEADER, BASE_PROMPT):
        assert part.encode() not in messages
        assert part not in str(transcript)
        assert (part == RECALLED_HEADER) == (part.encode() not in b"".join(bytes(blob) for _, blob in rows if blob))


async def test_a_question_for_everything_lists_it_without_changing_the_standing_part(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    await _add(client, "Is allergic to peanuts", "Plays the violin")
    reply = await client.send("What do you know about me?")
    assert reply.recalled == ["Is allergic to peanuts", "Plays the violin"]
    assert tip_bullets(_prompt(model)[:1]) == ["Is allergic to peanuts"]
