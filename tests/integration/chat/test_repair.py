"""Whatever became of a thread, the next message is answered."""

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
async def searcher(database: str, model: ScriptedOpenAI, searx: Searx) -> AsyncIterator[ApiClient]:
    with RunningGateway(make_settings(database, **model_settings(model, searxng_url=searx.url))) as running:
        async with signed_in(running.url) as client:
            yield client


def _prompt(model: ScriptedOpenAI) -> list[str]:
    return [str(message["content"]) for message in model.chat_requests()[-1].messages]


async def test_a_call_whose_tool_was_interrupted_gets_a_result_with_the_next_message(
    searcher: ApiClient, searx: Searx, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    model.script.reply = lambda _: [ToolCall("web_search", {"query": query}) for query in ("bees", "ants")]
    with searx.gate.closed():
        saying = searcher.stream(StreamedReply(), "Search.", thread=thread, web_search=True)
        await anext(saying)
        await searx.queries.wait_until_async(lambda queries: len(queries) == 2)
        assert (await searcher.http.post(f"/threads/{thread}/cancel")).json() == {"cancelled": True}
        async for _ in saying:
            pass
    model.script.reply = lambda _: "Hello again."
    for text in ("Are you there?", "And now?"):
        assert (await searcher.send(text, thread=thread)).text == "Hello again."
    *_, calls, first, second, asked, _, _ = model.chat_requests()[-1].messages
    assert [call["id"] for call in calls["tool_calls"]] == [first["tool_call_id"], second["tool_call_id"]]
    assert {first["content"], second["content"]} == {STUB_RESULT}
    assert asked["content"] == "Are you there?"


async def test_a_thread_that_the_model_refuses_begins_anew(client: ApiClient, model: ScriptedOpenAI) -> None:
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


async def test_a_refusal_that_has_nothing_to_do_with_the_thread_costs_nothing(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    await client.send("The word is apricot.", thread=thread)

    def refuse(_: list[Message]) -> str:
        raise BadRequestError("no such thing")

    model.script.reply = refuse
    reply = await client.send("Are you there?", thread=thread)
    assert reply.data("run.failed")["problem"]["code"] == "model_unavailable"
    model.script.reply = lambda _: "Hello again."
    assert (await client.send("And now?", thread=thread)).text == "Hello again."
    assert _prompt(model)[0] == "The word is apricot."


async def test_a_thread_whose_state_cannot_be_read_begins_anew(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    thread = new_thread()
    await client.send("The word is apricot.", thread=thread, memory=False)
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE checkpoint_blobs SET blob = '\\xc1ff'::bytea WHERE channel = 'messages'")
    model.script.reply = lambda _: "Hello again."
    reply = await client.send("Are you there?", thread=thread, memory=False)
    assert (reply.text, reply.names.count("memory.recalled")) == ("Hello again.", 1)
    assert _prompt(model) == [RESET_MESSAGE, "Are you there?"]
    page = (await client.http.get(f"/threads/{thread}/messages")).json()
    assert page["items"][0]["text"] == "The word is apricot."


async def test_what_was_said_before_a_failed_answer_is_still_in_the_thread(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    model.script.chat_status = 503
    assert (await client.send("The word is apricot.", thread=thread)).names[-1] == "run.failed"
    model.script.chat_status = 200
    await client.send("Which word?", thread=thread)
    assert _prompt(model)[-2:] == ["The word is apricot.", "Which word?"]
