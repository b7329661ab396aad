"""Whatever became of a thread, the next message is answered."""

from collections.abc import AsyncIterator, Iterator, Sequence

import psycopg
import pytest

from agent.chat.repair import NO_RESULT, RESET
from conftest import scripted, settings_for
from support.client import Heard, Person, new_thread, signed_in
from support.gateway import RunningGateway
from support.openai_wire import BadRequestError
from support.script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall
from support.searx import Searx


@pytest.fixture
def searx() -> Iterator[Searx]:
    with Searx() as running:
        yield running


@pytest.fixture
async def searcher(database: str, model: ScriptedOpenAI, searx: Searx) -> AsyncIterator[Person]:
    with RunningGateway(settings_for(database, **scripted(model, searxng_url=searx.url))) as running:
        async with signed_in(running.url) as person:
            yield person


def _prompt(model: ScriptedOpenAI) -> list[str]:
    return [str(message["content"]) for message in model.chat_requests()[-1].messages]


async def test_a_call_whose_tool_was_interrupted_gets_a_result_with_the_next_message(
    searcher: Person, searx: Searx, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    model.script.reply = lambda _: [ToolCall("web_search", {"query": query}) for query in ("bees", "ants")]
    with searx.gate.closed():
        saying = searcher.hear(Heard(), "Search.", thread=thread, web_search=True)
        await anext(saying)
        await searx.queries.until(lambda queries: len(queries) == 2)
        assert (await searcher.http.post(f"/threads/{thread}/cancel")).json() == {"cancelled": True}
        async for _ in saying:
            pass
    model.script.reply = lambda _: "Hello again."
    for text in ("Are you there?", "And now?"):
        assert (await searcher.say(text, thread=thread)).text == "Hello again."
    *_, calls, first, second, asked, _, _ = model.chat_requests()[-1].messages
    assert [call["id"] for call in calls["tool_calls"]] == [first["tool_call_id"], second["tool_call_id"]]
    assert {first["content"], second["content"]} == {NO_RESULT}
    assert asked["content"] == "Are you there?"


async def test_a_thread_that_the_model_refuses_begins_anew(person: Person, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await person.say("The word is apricot.", thread=thread)

    def reply(messages: list[Message]) -> str | Sequence[ToolCall]:
        if any("apricot" in str(message["content"]) for message in messages):
            raise BadRequestError("messages with role 'tool' must follow a message with 'tool_calls'")
        return "Hello again."

    model.script.reply = reply
    for text in ("Are you there?", "And now?"):
        assert (await person.say(text, thread=thread)).text == "Hello again."
    assert _prompt(model)[0].endswith(RESET)
    assert _prompt(model)[1:] == ["Are you there?", "Hello again.", "And now?"]


async def test_a_refusal_that_has_nothing_to_do_with_the_thread_costs_nothing(
    person: Person, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    await person.say("The word is apricot.", thread=thread)

    def refuse(_: list[Message]) -> str:
        raise BadRequestError("no such thing")

    model.script.reply = refuse
    heard = await person.say("Are you there?", thread=thread)
    assert heard.data("run.failed")["problem"]["code"] == "model_unavailable"
    model.script.reply = lambda _: "Hello again."
    assert (await person.say("And now?", thread=thread)).text == "Hello again."
    assert _prompt(model)[0] == "The word is apricot."


async def test_a_thread_whose_state_cannot_be_read_begins_anew(
    person: Person, model: ScriptedOpenAI, database: str
) -> None:
    thread = new_thread()
    await person.say("The word is apricot.", thread=thread, memory=False)
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE checkpoint_blobs SET blob = '\\xc1ff'::bytea WHERE channel = 'messages'")
    model.script.reply = lambda _: "Hello again."
    heard = await person.say("Are you there?", thread=thread, memory=False)
    assert (heard.text, heard.names.count("memory.recalled")) == ("Hello again.", 1)
    assert _prompt(model) == [RESET, "Are you there?"]
    page = (await person.http.get(f"/threads/{thread}/messages")).json()
    assert page["items"][0]["text"] == "The word is apricot."


async def test_what_was_said_before_a_failed_answer_is_still_in_the_thread(
    person: Person, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    model.script.chat_status = 503
    assert (await person.say("The word is apricot.", thread=thread)).names[-1] == "run.failed"
    model.script.chat_status = 200
    await person.say("Which word?", thread=thread)
    assert _prompt(model)[-2:] == ["The word is apricot.", "Which word?"]
