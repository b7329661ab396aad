"""Repair of threads after interrupted, rejected or failed runs."""

from collections.abc import AsyncIterator, Iterator, Sequence

import psycopg
import pytest

from agent.chat.repair import RESET_MESSAGE, STUB_RESULT
from conftest import make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.model_script import Message
from support.openai_wire import BadRequestError
from support.scripted_openai import ScriptedOpenAI, ToolCall
from support.searxng import Searx


@pytest.fixture
def searx() -> Iterator[Searx]:
    with Searx() as running:
        yield running


@pytest.fixture
async def web_client(database: str, model: ScriptedOpenAI, searx: Searx) -> AsyncIterator[ApiClient]:
    with RunningGateway(make_settings(database, **model_settings(model, searxng_url=searx.url))) as running:
        async with signed_in(running.url) as client:
            yield client


def _prompt(model: ScriptedOpenAI) -> list[str]:
    return [str(message["content"]) for message in model.chat_requests()[-1].messages]


async def test_interrupted_tool_calls_get_stub_results_with_the_next_message(
    web_client: ApiClient, searx: Searx, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    model.script.reply = lambda _: [ToolCall("web_search", {"query": query}) for query in ("bees", "ants")]
    with searx.gate.closed():
        events = web_client.stream(StreamedReply(), "Search.", thread=thread, web_search=True)
        await anext(events)
        await searx.queries.wait_until_async(lambda queries: len(queries) == 2)
        assert (await web_client.http.post(f"/threads/{thread}/cancel")).json() == {"cancelled": True}
        async for _ in events:
            pass
    model.script.reply = lambda _: "Hello again."
    for text in ("Are you there?", "And now?"):
        assert (await web_client.send(text, thread=thread)).text == "Hello again."
    *_, calls, first, second, question, _, _ = model.chat_requests()[-1].messages
    assert [call["id"] for call in calls["tool_calls"]] == [first["tool_call_id"], second["tool_call_id"]]
    assert {first["content"], second["content"]} == {STUB_RESULT}
    assert question["content"] == "Are you there?"


async def test_a_thread_that_the_model_rejects_is_reset(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await client.send("The word is apricot.", thread=thread)

    def reply(messages: list[Message]) -> str | Sequence[ToolCall]:
        if any("apricot" in str(message["content"]) for message in messages):
            raise BadRequestError("messages with role 'tool' must follow a message with 'tool_calls'")
        return "Hello again."

    model.script.reply = reply
    for text in ("Are you there?", "And now?"):
        assert (await client.send(text, thread=thread)).text == "Hello again."
    assert _prompt(model)[0].endswith(RESET_MESSAGE)
    assert _prompt(model)[1:] == ["Are you there?", "Hello again.", "And now?"]


async def test_a_rejection_that_the_thread_does_not_cause_leaves_it_unchanged(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    await client.send("The word is apricot.", thread=thread)

    def reject(_: list[Message]) -> str:
        raise BadRequestError("invalid request")

    model.script.reply = reject
    reply = await client.send("Are you there?", thread=thread)
    assert reply.data("run.failed")["problem"]["code"] == "model_unavailable"
    model.script.reply = lambda _: "Hello again."
    assert (await client.send("And now?", thread=thread)).text == "Hello again."
    assert _prompt(model)[1] == "The word is apricot."


async def test_a_thread_with_unreadable_state_is_reset(client: ApiClient, model: ScriptedOpenAI, database: str) -> None:
    thread = new_thread()
    await client.send("The word is apricot.", thread=thread, memory=False)
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE checkpoint_blobs SET blob = '\\xc1ff'::bytea WHERE channel = 'messages'")
    model.script.reply = lambda _: "Hello again."
    reply = await client.send("Are you there?", thread=thread, memory=False)
    assert (reply.text, reply.names.count("memory.recalled")) == ("Hello again.", 1)
    system, question = _prompt(model)
    assert system.endswith(f"\n\n{RESET_MESSAGE}")
    assert question == "Are you there?"
    page = (await client.http.get(f"/threads/{thread}/messages")).json()
    assert page["items"][0]["text"] == "The word is apricot."


async def test_the_message_of_a_failed_run_remains_in_the_thread(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.chat_status = 503
    assert (await client.send("The word is apricot.", thread=thread)).names[-1] == "run.failed"
    model.script.chat_status = 200
    await client.send("Which word?", thread=thread)
    assert _prompt(model)[-2:] == ["The word is apricot.", "Which word?"]
