"""The model that wrote an answer is stored with it."""

from collections.abc import AsyncIterator

import pytest

from conftest import make_settings, model_settings
from support.client import ApiClient, Json, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI


@pytest.fixture
async def client(database: str, model: ScriptedOpenAI) -> AsyncIterator[ApiClient]:
    """A client of a gateway with two models."""
    settings = make_settings(database, **model_settings(model, chat_models=("small", "large")))
    with RunningGateway(settings) as running:
        async with signed_in(running.url) as client:
            yield client


async def _messages(client: ApiClient, thread: str) -> list[Json]:
    return list((await client.http.get(f"/threads/{thread}/messages")).json()["items"])


async def test_each_answer_names_its_model_also_in_branches_and_when_it_is_replayed(client: ApiClient) -> None:
    thread = new_thread()
    default = await client.send("Hello.", thread=thread)
    chosen = await client.send("And now?", thread=thread, id=thread, model="large")
    assert [reply.data("message.completed")["model"] for reply in (default, chosen)] == ["small", "large"]
    replayed = await client.send("And now?", thread=thread, id=thread)
    assert replayed.data("message.completed")["model"] == "large"
    messages = await _messages(client, thread)
    assert [message.get("model") for message in messages] == [None, "small", None, "large"]
    assert "model" not in messages[0]
    created = await client.http.post(f"/threads/{thread}/branches", json={"before": messages[2]["id"]})
    copies = await _messages(client, created.json()["thread_id"])
    assert [message.get("model") for message in copies] == [None, "small"]


async def test_an_answer_that_was_stopped_names_its_model(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "One two three four."
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        async for event in client.stream(StreamedReply(), "Count.", thread=thread, model="large"):
            if event == "token":
                await client.http.post(f"/threads/{thread}/cancel")
    [_, answer] = await _messages(client, thread)
    assert (answer["status"], answer["model"]) == ("cancelled", "large")
