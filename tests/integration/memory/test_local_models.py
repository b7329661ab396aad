"""Formation with models that do not write exactly what the schema demands: nothing is lost, and little is repeated."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from agent.models.structured import SCHEMA_PROMPT
from conftest import Databases
from integration.conftest import Installation, open_installation
from support.client import ApiClient, new_thread, signed_in
from support.example_model import extract
from support.formation_table import make_all_due
from support.model_script import Schema
from support.openai_wire import BadRequestError
from support.scripted_openai import Message, RecordedRequest, ScriptedOpenAI

learns_formats = pytest.mark.own_gateway
"""For tests after which a gateway would know that its model does not support schemas."""

PROPERTIES: Schema = {"properties": {"memories": {}}}  # all that the example model reads of the schema
CHAT = "/v1/chat/completions"
POISON = "My tuba is loud."
Deform = Callable[[dict[str, Any]], str]


def _is_formation(messages: list[Message]) -> bool:
    return "long-term memory of one user" in str(messages[0]["content"])


def _formation_requests(model: ScriptedOpenAI) -> list[RecordedRequest]:
    return [request for request in model.requests if "messages" in request.body and _is_formation(request.messages)]


def _modes(model: ScriptedOpenAI) -> list[str]:
    formats = [request.body.get("response_format") or {"type": "text"} for request in _formation_requests(model)]
    return [str(one["type"]) for one in formats]


def _without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    memories = [{name: part for name, part in one.items() if name not in names} for one in value["memories"]]
    return {**value, "memories": memories}


def _with(value: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {**value, "memories": [{**one, **changes} for one in value["memories"]]}


DEFORMATIONS: dict[str, Deform] = {
    "exact": json.dumps,
    "fenced": lambda value: f"```json\n{json.dumps(value, indent=2)}\n```",
    "reasoning before": lambda value: f"<think>\nThe user lives {{somewhere}}.\n</think>\n\n{json.dumps(value)}",
    "text around": lambda value: f"Sure! Here is the JSON:\n\n{json.dumps(value)}\n\nLet me know if {{that}} helps.",
    "trailing commas": lambda value: json.dumps(value).replace("}]", "},]").replace('"}', '",}'),
    "Python literals": repr,
    "missing nullable fields": lambda value: json.dumps(_without(value, "until", "same_as", "replaces")),
    "additional fields": lambda value: json.dumps({**_with(value, reason="they said so"), "language": "en"}),
    "numbers as strings": lambda value: json.dumps(_with(value, confidence="0.9", standing="false")),
    "an array": lambda value: json.dumps(value["memories"]),
    "nested": lambda value: json.dumps({"name": "ExtractedMemories", "arguments": value}),
    "cut off": lambda value: json.dumps({**value, "memories": value["memories"] * 2})[:-200],
}


def _answer(deform: Deform) -> Callable[..., str]:
    return lambda messages, *_: deform(extract(messages, PROPERTIES)) if _is_formation(messages) else "Noted."


def _reject(*_: object) -> str:
    raise BadRequestError("response_format of type json_schema is not supported")


async def _facts(client: ApiClient) -> set[str]:
    return {memory["text"] for memory in await client.memories(kind="user")}


@pytest.mark.parametrize("name", DEFORMATIONS)
async def test_every_deformation_forms_the_memory_with_one_call_per_batch(
    client: ApiClient, model: ScriptedOpenAI, name: str
) -> None:
    model.script.structured = _answer(DEFORMATIONS[name])
    model.script.reply = lambda _: "Noted."
    await client.send("I live in Oslo.")
    await client.flush()
    await client.send("I play the violin.")
    await client.flush()
    assert await _facts(client) == {"Lives in Oslo", "Plays the violin"}
    assert _modes(model) == ["json_schema"] * 2


@learns_formats
async def test_a_rejected_mode_is_not_tried_again(client: ApiClient, model: ScriptedOpenAI) -> None:
    await _learn_that_schemas_are_rejected(client, model)
    await client.send("I play the violin.")
    await client.flush()
    assert await _facts(client) == {"Lives in Oslo", "Plays the violin"}
    assert _modes(model) == ["json_schema", "json_object", "json_object"]
    assert all(SCHEMA_PROMPT in request.messages[0]["content"] for request in _formation_requests(model)[1:])


async def _learn_that_schemas_are_rejected(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = _reject
    model.script.reply = _answer(json.dumps)
    await client.send("I live in Oslo.")
    await client.flush()


@pytest.fixture(scope="module")
def shared_without_schemas(databases: Databases) -> Iterator[Installation]:
    """A gateway that knows that its model does not support schemas; use `without_schemas`."""

    async def learn() -> None:
        async with signed_in(opened.gateway.url) as client:
            await _learn_that_schemas_are_rejected(client, opened.model)

    with open_installation(databases) as opened:
        asyncio.run(learn())
        opened.clear()
        yield opened


@pytest.fixture
def without_schemas(shared_without_schemas: Installation) -> Iterator[Installation]:
    """The same, without the data of earlier tests."""
    yield shared_without_schemas
    shared_without_schemas.clear()


@pytest.mark.parametrize("name", DEFORMATIONS)
async def test_every_deformation_forms_the_memory_without_support_for_schemas(
    without_schemas: Installation, name: str
) -> None:
    model = without_schemas.model
    model.script.structured = _reject
    model.script.reply = _answer(DEFORMATIONS[name])
    async with signed_in(without_schemas.gateway.url) as client:
        await client.send("I live in Oslo.")
        await client.flush()
        await client.send("I play the violin.")
        await client.flush()
        assert await _facts(client) == {"Lives in Oslo", "Plays the violin"}
    assert _modes(model) == ["json_object", "json_object"]
    assert all(SCHEMA_PROMPT in request.messages[0]["content"] for request in _formation_requests(model))


@learns_formats
@pytest.mark.parametrize("ignored", ["I would rather talk.", "", "{}"])
async def test_a_server_that_ignores_response_formats_is_asked_in_plain_text(
    client: ApiClient, model: ScriptedOpenAI, ignored: str
) -> None:
    def reply(messages: list[Message]) -> str:
        is_json_mode = "response_format" in model.requests[-1].body
        return ignored if is_json_mode else _answer(DEFORMATIONS["fenced"])(messages)

    model.script.structured = lambda *_: ignored
    model.script.reply = reply
    await client.send("I live in Oslo.")
    await client.flush()
    await client.send("I play the violin.")
    await client.flush()
    assert await _facts(client) == {"Lives in Oslo", "Plays the violin"}
    assert _modes(model) == ["json_schema", "json_object", "text", "text"]


@learns_formats
@pytest.mark.parametrize("failure", ["I cannot read that.", "too long"])
@pytest.mark.parametrize("position", [0, 5])
async def test_one_message_that_always_fails_is_left_to_the_rules_and_costs_few_calls(
    client: ApiClient, model: ScriptedOpenAI, position: int, failure: str
) -> None:
    def structured(messages: list[Message], schema: Schema) -> dict[str, Any] | str:
        new = str(messages[-1]["content"]).rpartition("New messages:")[2]
        if POISON not in new:  # one call per message, because the example model extracts at most three facts at once
            calls = [extract([{"role": "user", "content": line}], schema) for line in new.splitlines()]
            return {**calls[0], "memories": [memory for call in calls for memory in call["memories"]]}
        if failure == "too long":
            raise BadRequestError("This model's maximum context length is 8 tokens.")
        return failure

    await client.send("I like jazz.")
    await client.flush()  # the mode is known
    before = len(_formation_requests(model))
    model.script.structured = structured
    model.script.reply = lambda _: "Noted."
    thread = new_thread()
    towns = ["Oslo", "Rome", "Leeds", "York", "Turin", "Lyon", "Bergen"]
    texts = [f"I play the {town} organ." for town in towns]
    texts.insert(position, POISON)
    for text in texts:
        await client.send(text, thread=thread)
    await client.flush()
    assert {f"Plays the {town} organ" for town in towns} <= await _facts(client)
    assert "uba is loud" in str(await client.memories())
    assert len(_formation_requests(model)) - before <= 7
    status = (await client.http.get("/memories/formation")).json()
    assert (status["pending"], status["set_aside"], status["last_error"]) == (0, [], None)


@learns_formats
async def test_a_model_that_is_never_usable_loses_nothing(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = lambda *_: "I cannot do that."
    model.script.reply = lambda _: "I cannot do that."
    await client.send("I live in Oslo.")
    await client.send("We are expecting our second kid.")
    await client.flush()
    assert "Lives in Oslo" in await _facts(client)
    assert "second kid" in str(await client.memories())


OUTAGES = {
    401: "the model's server refused the API key",
    429: "the model's server has reached its limit of requests or its quota",
    500: "the model did not answer",
    503: "the model did not answer",
}


@pytest.mark.parametrize("status", OUTAGES)
async def test_an_outage_is_retried_and_never_left_to_the_rules(
    client: ApiClient, model: ScriptedOpenAI, database: str, status: int
) -> None:
    def fail(*_: object) -> str:
        raise HTTPException(status, "not now")

    model.script.structured = fail
    thread = new_thread()
    await client.send("I live in Oslo.", thread=thread)
    await client.send("I play the violin.", thread=thread)
    response = await client.http.post("/memories/flush")
    assert (response.status_code, response.json()["code"]) == (503, "formation_failed")
    state = (await client.http.get("/memories/formation")).json()
    assert (state["pending"], state["attempts"]) == (2, 1)
    assert state["last_error"] == f"formation_failed: {OUTAGES[status]}"
    assert set(_modes(model)) == {"json_schema"}
    assert await client.memories() == []
    model.script.structured = extract
    requests = sum(request.path == CHAT for request in model.requests)
    make_all_due(database)
    await model.wait_for_request(CHAT, requests + 1)
    while await _facts(client) != {"Lives in Oslo", "Plays the violin"}:
        pass


async def test_reasoning_never_becomes_an_episode(client: ApiClient, model: ScriptedOpenAI) -> None:
    thought = "<think>The user seems lost, so I write an episode.</think>"

    def structured(messages: list[Message], schema: Schema) -> str:
        return thought + json.dumps(extract(messages, schema) | {"reasoning": "The user seems lost"})

    model.script.structured = structured
    await client.send("I live in Oslo.")
    await client.flush()
    assert "lost" not in str(await client.memories())
