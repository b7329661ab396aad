"""A real gateway responds as its OpenAPI document says."""

import httpx
import pytest

from gateway.openapi import make_document
from integration.gateway.openapi_validator import OpenApiValidator, stream_events
from support.client import ApiClient, new_thread
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall

EVENT = {"$ref": "#/components/schemas/ReplyEvent"}
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def validator() -> OpenApiValidator:
    return OpenApiValidator(make_document())


@pytest.fixture
def http(ada: ApiClient, validator: OpenApiValidator) -> httpx.AsyncClient:
    """An HTTP client whose responses are checked."""
    ada.http.event_hooks["response"].append(validator.check_response)
    return ada.http


async def test_the_running_gateway_serves_the_document(ada: ApiClient) -> None:
    assert (await ada.http.get("/openapi.json")).json() == make_document()


async def test_every_successful_response_matches_its_schema(
    ada: ApiClient, http: httpx.AsyncClient, validator: OpenApiValidator
) -> None:
    for path in (
        "/healthz",
        "/readyz",
        "/metrics",
        "/config",
        "/me",
        "/profile",
        "/memories/formation",
        "/memories/inbox",
        "/memories/limit",
        "/memories/map",
        "/memories/timeline",
    ):
        await http.get(path)
    key = (await http.post("/me/keys", json={"name": "laptop"})).json()["id"]
    await http.get("/me/keys")
    await http.delete(f"/me/keys/{key}")
    await http.post("/dev/token", json={"user": "ada"})
    await _use_threads(ada, http)
    await http.post("/memories/flush")
    await _use_memories(http)
    await http.patch("/me", json={"memory_enabled": False})
    await http.delete("/memories")
    await http.post("/session")
    await http.delete("/session", headers={"sec-fetch-site": "same-origin"})
    await http.delete("/me")
    assert validator.missing_successes() == set()


async def _use_threads(ada: ApiClient, http: httpx.AsyncClient) -> None:
    thread = new_thread()
    await ada.send("I live in Oslo.")
    await ada.send("Where do I live?", thread=thread)
    assert len(await stream_events(http, "GET", f"/threads/{thread}/stream")) > 4
    for path in ("", f"/{thread}", f"/{thread}/messages", "?q=live"):
        await http.get(f"/threads{path}")
    await http.patch(f"/threads/{thread}", json={"title": "Home"})
    question, answer = (await http.get(f"/threads/{thread}/messages")).json()["items"]
    await http.post(f"/threads/{thread}/messages/{answer['id']}/feedback", json={"rating": "up"})
    await http.post(f"/threads/{thread}/branches", json={"before": question["id"]})
    for path in ("branches", "export", "messages"):
        await http.get(f"/threads/{thread}/{path}")
    await http.post(f"/threads/{thread}/cancel")
    pending = (await http.get("/memories/inbox")).json()["items"][0]["message"]
    await http.delete(f"/memories/inbox/{pending}")
    empty = (await http.post("/threads", json={"title": "Empty"})).json()["thread_id"]
    await http.get(f"/threads/{empty}/stream")
    await http.delete(f"/threads/{empty}")
    await http.delete(f"/threads/{thread}", params={"forget": "true"})


async def _use_memories(http: httpx.AsyncClient) -> None:
    memory = (await http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    await http.patch(f"/memories/{memory}", json={"text": "Plays the cello"})
    for path in ("", "?q=music", f"/{memory}", f"/{memory}/history"):
        await http.get(f"/memories{path}")
    await http.post(f"/memories/{memory}/feedback", json={"verdict": "wrong"})
    await http.post(f"/memories/{memory}/undo")
    exported = await http.get("/memories/export")
    await http.post("/memories/import", content=exported.content)
    for _ in ("the edit", "the addition"):
        await http.post(f"/memories/{memory}/undo")
    async with http.stream("GET", "/memories/changes"):
        pass
    await http.delete(f"/memories/{memory}")


async def test_problems_match_their_schema(
    ada: ApiClient, http: httpx.AsyncClient, validator: OpenApiValidator
) -> None:
    thread = new_thread()
    await ada.send("I live in Oslo.", thread=thread)
    messages = f"/threads/{thread}/messages"
    await http.post(messages, json={"text": "Hello", "temporary": True})
    await http.post(messages, json={"text": "x" * 300_000})
    await http.post(messages, content=b'{"text": "\xff"}', headers={"content-type": "application/json"})
    for body in ({"text": ""}, {}, {"text": "Hello", "model": "unknown"}, {"text": "Hello", "id": "1"}):
        await http.post(messages, json=body)
    for path in ("/threads/1", f"/threads/{UNKNOWN}", f"/memories/{UNKNOWN}", "/memories?limit=0", "/threads?before=x"):
        await http.get(path)
    for path in (f"/threads/{thread}/stream", "/memories/changes"):
        await http.get(path, headers={"last-event-id": "x"})
    await http.post("/dev/token", json={"user": ""})
    await http.get("/me", headers={"authorization": "Bearer a.b.c"})
    await http.post("/memories/flush", headers={"authorization": ""})
    assert {status for _, status in validator.seen} >= {"400", "401", "404", "409", "413", "422"}


async def test_every_event_of_a_reply_matches_its_schema(
    client: ApiClient, model: ScriptedOpenAI, validator: OpenApiValidator
) -> None:
    def call_tool(messages: list[Message]) -> str | list[ToolCall]:
        arguments = {"text": "Keeps bees", "quote": "I keep bees"}
        return "Saved." if messages[-1]["role"] == "tool" else [ToolCall("remember", arguments)]

    path, body = f"/threads/{new_thread()}/messages", {"text": "Remember that I keep bees."}
    model.script.reply = call_tool
    events = await stream_events(client.http, "POST", path, json=body)
    model.script.chat_status = 400
    events += await stream_events(client.http, "POST", path, json=body)
    for event in events:
        validator.validate(EVENT, event)
    mapping = validator.components["schemas"]["ReplyEvent"]["discriminator"]["mapping"]
    validator.validate(EVENT, {"event": "reconnect", "data": {}})  # sent when the process stops
    assert {event["event"] for event in events} == set(mapping) - {"reconnect"}


async def test_unknown_members_of_an_event_are_rejected(validator: OpenApiValidator) -> None:
    event = {"id": "1", "event": "token", "data": {"text": "Hello", "tokens": 1}}
    with pytest.raises(ValueError, match="tokens"):
        validator.validate(EVENT, event)
