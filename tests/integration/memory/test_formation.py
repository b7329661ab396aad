"""Formation: only the user's own words become memories, and nothing that must not."""

from typing import Any

import pytest

from conftest import make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

NOBODY = {"work_context": None, "personal_context": None, "top_of_mind": None}


def _memory(text: str, quote: str, **other: object) -> dict[str, object]:
    return {
        "text": text,
        "kind": "user",
        "category": "personal",
        "confidence": 0.9,
        "quote": quote,
        "same_as": None,
        "replaces": None,
        **other,
    }


def _says(*memories: dict[str, object], episode: str = "") -> Any:  # noqa: ANN401 - what a Script holds
    return lambda *_: {"memories": list(memories), "profile": NOBODY, "episode": episode}


async def test_one_strict_call_distils_all_that_is_new_in_a_thread(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = _says(
        _memory("Lives in Oslo", "I live in oslo"),
        _memory("Prefers short answers", "short answers, please", kind="procedural", category="preference"),
        episode="User told where they live.",
    )
    thread = new_thread()
    await client.send("I live in Oslo.", thread=thread)
    await client.send("And short answers, please.", thread=thread)
    assert await client.flush() == {
        "added": 2,
        "replaced": 0,
        "confirmed": 0,
        "rejected": 0,
        "episodes": 1,
        "reasons": {},
    }
    [asked] = model.structured_requests()
    schema = asked.body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["additionalProperties"] is False
    assert set(schema["schema"]["required"]) == {"memories", "profile", "episode"}
    assert {memory["kind"] for memory in await client.memories()} == {"user", "procedural", "episodic"}


async def test_a_burst_of_five_messages_is_one_call(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    for n in range(5):
        await client.send(f"I like tea number {n}.", thread=thread)
    assert (await client.flush())["added"] > 0
    [asked] = model.structured_requests()
    assert all(f"user: I like tea number {n}." in str(asked.messages) for n in range(5))


async def test_the_model_is_told_what_is_known_and_its_number_replaces_it(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    await client.send("I live in Oslo.")
    assert (await client.flush())["added"] == 1
    await client.send("I moved to Bergen.")
    assert (await client.flush())["replaced"] == 1
    *_, asked = model.structured_requests()
    assert "personal:\n1. Lives in Oslo\n" in asked.messages[-1]["content"]
    assert [memory["text"] for memory in await client.memories() if memory["kind"] == "user"] == ["Lives in Bergen"]
    assert "Oslo" not in str((await client.send("Where do I live?")).recalled)


async def test_one_wrong_word_of_the_model_costs_one_memory(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = _says(
        _memory("Lives in Oslo", "I live in Oslo"), _memory("Likes soup", "I like soup", category="food")
    )
    await client.send("I live in Oslo. I like soup.")
    formed = await client.flush()
    assert (formed["added"], formed["reasons"]) == (1, {"category": 1})


async def test_what_the_model_is_not_sure_of_or_made_up_is_refused(client: ApiClient, model: ScriptedOpenAI) -> None:
    key = "sk-proj-" + "a1B2" * 12
    model.script.structured = _says(
        _memory("Lives in Rome", "I live in Rome"),  # never said
        _memory("May move to Bergen", "maybe Bergen", confidence=0.4),
        _memory(f"API key is {key}", "maybe Bergen"),
        _memory("Lives in Oslo", "I live in Oslo"),  # past three a message
    )
    await client.send("I live in Oslo, later maybe Bergen.")
    formed = await client.flush()
    assert formed["reasons"] == {"quote": 1, "confidence": 1, "credentials": 1, "too_many": 1}
    assert formed["rejected"] == 4
    assert await client.memories() == []


async def test_what_the_assistant_says_is_no_source(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "You live in Rome, I think."
    model.script.structured = _says(_memory("Lives in Rome", "You live in Rome"))
    await client.send("Guess where I live.")
    assert (await client.flush())["reasons"] == {"quote": 1}


@pytest.mark.parametrize(
    "rubbish",
    [
        {},
        {"memories": []},
        {"memories": "none", "profile": NOBODY, "episode": ""},
        {"memories": [], "profile": NOBODY, "episode": "", "more": 1},
        '{"memories": [{"text": "Lives in Os',
        "I cannot do that.",
        "",
    ],
)
async def test_rubbish_is_told_and_loses_nothing(
    client: ApiClient, model: ScriptedOpenAI, rubbish: dict[str, object] | str
) -> None:
    model.script.structured = lambda *_: rubbish
    await client.send("I live in Oslo.")
    refused = await client.http.post("/memories/flush")
    assert (refused.status_code, refused.json()["code"]) == (503, "formation_failed")
    assert (await client.send("Do I live in Oslo?")).recalled == ["I live in Oslo."]
    model.script.structured = _says(_memory("Lives in Oslo", "I live in Oslo"))
    assert (await client.flush())["added"] == 1


async def test_a_model_that_fails_loses_nothing(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured_status = 500
    await client.send("I live in Oslo.")
    assert (await client.http.post("/memories/flush")).status_code == 503
    model.script.structured_status = 200
    assert (await client.flush())["added"] == 1


async def test_memories_without_vectors_are_not_formed_yet(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = _says(_memory("Resides in Oslo", "I live in Oslo"))
    await client.send("I live in Oslo.")
    model.script.embeddings_status = 500
    assert (await client.http.post("/memories/flush")).json()["code"] == "embedder_unavailable"
    assert await client.memories() == []
    model.script.embeddings_status = 200
    assert (await client.flush())["added"] == 1


async def test_the_worker_distils_what_comes_due(database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(database, **model_settings(model, debounce_seconds=0.05))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            await client.send("I live in Oslo.")
            while not (memories := await client.memories()):
                pass
            assert "Oslo" in str(memories)


async def test_a_message_that_is_being_answered_waits_for_its_answer(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    with model.script.chat_gate.closed():
        saying = client.stream(StreamedReply(), "I live in Oslo.", thread=thread)
        await anext(saying)
        assert (await client.flush())["added"] == 0
    async for _ in saying:
        pass
    assert (await client.flush())["added"] == 1
