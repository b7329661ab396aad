"""Formation through the gateway: one model call per thread, the gate, and failures of the model."""

from typing import Any

import pytest

from conftest import make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

EMPTY_PROFILE = {"work_context": None, "personal_context": None, "top_of_mind": None}


def memory_json(text: str, quote: str, **other: object) -> dict[str, object]:
    return {
        "text": text,
        "kind": "user",
        "category": "personal",
        "confidence": 0.9,
        "quote": quote,
        "standing": False,
        "until": None,
        "same_as": None,
        "replaces": None,
        **other,
    }


def extraction_response(*memories: dict[str, object], episode: str = "") -> Any:  # noqa: ANN401 - what a Script holds
    return lambda *_: {"memories": list(memories), "profile": EMPTY_PROFILE, "episode": episode}


async def test_one_strict_call_processes_all_new_messages_of_a_thread(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = extraction_response(
        memory_json("Lives in Oslo", "I live in oslo"),
        memory_json("Prefers short answers", "short answers, please", kind="procedural", category="preference"),
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
    [request] = model.structured_requests()
    schema = request.body["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["additionalProperties"] is False
    assert set(schema["schema"]["required"]) == {"memories", "profile", "episode"}
    assert {memory["kind"] for memory in await client.memories()} == {"user", "procedural", "episodic"}


async def test_five_messages_of_a_thread_are_processed_in_one_call(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    for n in range(5):
        await client.send(f"I like tea number {n}.", thread=thread)
    assert (await client.flush())["added"] > 0
    [request] = model.structured_requests()
    assert all(f"user: I like tea number {n}." in str(request.messages) for n in range(5))


async def test_the_prompt_lists_known_facts_and_their_numbers_replace_them(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    await client.send("I live in Oslo.")
    assert (await client.flush())["added"] == 1
    await client.send("I moved to Bergen.")
    assert (await client.flush())["replaced"] == 1
    *_, request = model.structured_requests()
    assert "personal:\n1. Lives in Oslo\n" in request.messages[-1]["content"]
    assert [memory["text"] for memory in await client.memories() if memory["kind"] == "user"] == ["Lives in Bergen"]
    assert "Oslo" not in str((await client.send("Where do I live?")).recalled)


async def test_an_invalid_category_rejects_only_that_memory(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = extraction_response(
        memory_json("Lives in Oslo", "I live in Oslo"), memory_json("Likes soup", "I like soup", category="food")
    )
    await client.send("I live in Oslo. I like soup.")
    result = await client.flush()
    assert (result["added"], result["reasons"]) == (1, {"category": 1})


async def test_uncertain_invented_and_secret_memories_are_rejected(client: ApiClient, model: ScriptedOpenAI) -> None:
    key = "sk-proj-" + "a1B2" * 12
    model.script.structured = extraction_response(
        memory_json("Lives in Rome", "I live in Rome"),  # not in the message
        memory_json("May move to Bergen", "maybe Bergen", confidence=0.4),
        memory_json(f"API key is {key}", "maybe Bergen"),
        memory_json("Lives in Oslo", "I live in Oslo"),  # the fourth of one message
    )
    await client.send("I live in Oslo, later maybe Bergen.")
    result = await client.flush()
    assert result["reasons"] == {"quote": 1, "confidence": 1, "credentials": 1, "too_many": 1}
    assert result["rejected"] == 4
    assert [memory["kind"] for memory in await client.memories()] == ["episodic"]  # the message itself


async def test_the_assistants_words_are_not_a_source(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "You live in Rome, I think."
    model.script.structured = extraction_response(memory_json("Lives in Rome", "You live in Rome"))
    await client.send("Guess where I live.")
    assert (await client.flush())["reasons"] == {"quote": 1}


@pytest.mark.parametrize(
    "output",
    [
        {},
        {"memories": "none", "profile": EMPTY_PROFILE, "episode": ""},
        '{"memories": [{"text": "Lives in Os',
        "I cannot do that.",
        "",
    ],
)
async def test_a_message_without_usable_output_is_processed_by_the_rules(
    client: ApiClient, model: ScriptedOpenAI, output: dict[str, object] | str
) -> None:
    model.script.structured = lambda *_: output
    await client.send("I live in Oslo.")
    assert (await client.flush())["added"] == 1
    assert [memory["text"] for memory in await client.memories(kind="user")] == ["Lives in Oslo"]


async def test_a_failing_model_loses_nothing(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured_status = 500
    await client.send("I live in Oslo.")
    assert (await client.http.post("/memories/flush")).status_code == 503
    model.script.structured_status = 200
    assert (await client.flush())["added"] == 1


async def test_no_memory_is_formed_without_its_vector(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = extraction_response(memory_json("Resides in Oslo", "I live in Oslo"))
    await client.send("I live in Oslo.")
    model.script.embeddings_status = 500
    assert (await client.http.post("/memories/flush")).json()["code"] == "embedder_unavailable"
    assert await client.memories() == []
    model.script.embeddings_status = 200
    assert (await client.flush())["added"] == 1


async def test_the_worker_processes_due_messages(database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(database, **model_settings(model, debounce_seconds=0.05))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            await client.send("I live in Oslo.")
            while not (memories := await client.memories()):
                pass
            assert "Oslo" in str(memories)


async def test_a_message_is_processed_after_its_answer_is_complete(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    with model.script.chat_gate.closed():
        stream = client.stream(StreamedReply(), "I live in Oslo.", thread=thread)
        await anext(stream)
        assert (await client.flush())["added"] == 0
    async for _ in stream:
        pass
    assert (await client.flush())["added"] == 1
