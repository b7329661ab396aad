"""The streams of runs, as `langgraph_sdk` reads them."""

from typing import Any, cast

import pytest
from langgraph_sdk.client import LangGraphClient

from contract.langgraph_api.conftest import WORDS
from support.client import ApiClient, new_thread
from support.langgraph_client import collect, new_langgraph_thread, said
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall


async def test_a_run_streams_in_every_mode(sdk: LangGraphClient, user: ApiClient) -> None:
    thread, human = await new_langgraph_thread(sdk), new_thread()
    modes = cast("Any", ["values", "updates", "messages", "custom", "events"])
    parts = await collect(sdk.runs.stream(thread, "chat", input=said("Count.", id=human), stream_mode=modes))
    names = [name for name, _ in parts]
    assert (names[0], names[-1]) == ("metadata", "end")
    assert parts[0][1]["thread_id"] == thread
    before, after = (data["messages"] for name, data in parts if name == "values")
    assert [(message["type"], message["id"], message["content"]) for message in before] == [("human", human, "Count.")]
    assert [message["type"] for message in after] == ["human", "ai"]
    answer = after[1]
    assert answer["content"] == WORDS
    assert answer["usage_metadata"]["total_tokens"] > 0
    partial = [data[0] for name, data in parts if name == "messages/partial"]
    assert all(WORDS.startswith(message["content"]) for message in partial)
    lengths = [len(message["content"].split()) for message in partial]
    assert lengths == sorted(set(lengths))  # several tokens may arrive together
    assert lengths[-1] == len(WORDS.split())
    assert {message["id"] for message in partial} == {answer["id"]}
    assert [list(data) for name, data in parts if name == "messages/metadata"] == [[answer["id"]]]
    assert [data for name, data in parts if name == "messages/complete"] == [[answer]]
    assert [data for name, data in parts if name == "updates"] == [{"answer": {"messages": [answer]}}]
    assert [data["type"] for name, data in parts if name == "custom"] == ["memory.recalled", "memory.scheduled"]
    kinds = [data["event"] for name, data in parts if name == "events"]
    assert kinds == ["on_chain_start", *["on_chat_model_stream"] * len(partial), "on_chain_end"]
    transcript = (await user.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert [(message["id"], message["text"]) for message in transcript] == [(human, "Count."), (answer["id"], WORDS)]


async def test_chunks_of_messages_make_up_the_answer(sdk: LangGraphClient) -> None:
    thread = await new_langgraph_thread(sdk)
    parts = await collect(sdk.runs.stream(thread, "chat", input=said("Count."), stream_mode="messages-tuple"))
    assert {name for name, _ in parts} == {"metadata", "messages", "end"}
    chunks = [data[0] for name, data in parts if name == "messages"]
    assert "".join(chunk["content"] for chunk in chunks) == WORDS
    state = cast("Any", await sdk.threads.get_state(thread))
    assert {chunk["id"] for chunk in chunks} == {state["values"]["messages"][-1]["id"]}
    assert chunks[-1]["response_metadata"] == {"finish_reason": "stop"}


async def test_tool_calls_are_streamed(sdk: LangGraphClient, scripted: ScriptedOpenAI) -> None:
    def reply(messages: list[Message]) -> str | list[ToolCall]:
        if messages[-1]["role"] == "tool":
            return "Saved."
        return [ToolCall("remember", {"text": "Keeps bees", "quote": "I keep bees"})]

    scripted.script.reply = reply
    stream = sdk.runs.stream(None, "chat", input=said("I keep bees."), stream_mode=cast("Any", ["tools", "custom"]))
    parts = await collect(stream)
    tools = [data for name, data in parts if name == "tools"]
    assert [data["event"] for data in tools] == ["on_tool_start", "on_tool_end"]
    assert {data["name"] for data in tools} == {"remember"}
    assert len({data["toolCallId"] for data in tools}) == 1
    customs = [data["type"] for name, data in parts if name == "custom"]
    assert customs == ["memory.recalled", "tool.started", "tool.finished", "memory.scheduled"]


@pytest.mark.parametrize("mode", ["values", "messages", "messages-tuple"])
async def test_a_stream_resumes_after_each_event_that_a_client_received(sdk: LangGraphClient, mode: str) -> None:
    thread, runs = await new_langgraph_thread(sdk), list[Any]()
    stream_mode = cast("Any", mode)
    stream = sdk.runs.stream(thread, "chat", input=said("Count."), stream_mode=stream_mode, on_run_created=runs.append)
    complete = [part async for part in stream]
    run = runs[0]["run_id"]
    for received, part in enumerate(complete):
        last = part.id or "-1"
        rejoined = [one async for one in sdk.runs.join_stream(thread, run, stream_mode=stream_mode, last_event_id=last)]
        assert _outcome([*(complete[: received + 1] if part.id else []), *rejoined]) == _outcome(complete)


def _outcome(parts: list[Any]) -> list[Any]:
    """What a stream amounts to: the text of its chunks, and its last event of each kind."""
    chunks = "".join(part.data[0]["content"] for part in parts if part.event == "messages")
    return [chunks, {part.event: part.data for part in parts if part.event != "messages"}]


async def test_a_stream_is_rejoined_in_the_middle_of_an_answer(sdk: LangGraphClient, scripted: ScriptedOpenAI) -> None:
    thread, runs = await new_langgraph_thread(sdk), list[Any]()
    scripted.script.hold_after_tokens = 2
    with scripted.script.chat_gate.closed():
        stream = sdk.runs.stream(
            thread, "chat", input=said("Count."), stream_mode="messages-tuple", on_run_created=runs.append
        )
        parts, text = [await anext(stream)], ""
        while text != "one two ":
            parts.append(await anext(stream))
            text += parts[-1].data[0]["content"]
        await cast("Any", stream).aclose()
    joined = sdk.runs.join_stream(thread, runs[0]["run_id"], stream_mode="messages-tuple", last_event_id=parts[-1].id)
    parts += [part async for part in joined]
    assert [part.event for part in parts].count("metadata") == 1
    assert "".join(part.data[0]["content"] for part in parts if part.event == "messages") == WORDS


async def test_an_id_that_is_not_an_event_of_the_run_is_rejected(sdk: LangGraphClient, user: ApiClient) -> None:
    thread = await new_langgraph_thread(sdk)
    run = (await sdk.runs.create(thread, "chat", input=said("Count.")))["run_id"]
    url = f"/langgraph/threads/{thread}/runs/{run}/stream"
    for last in ("x", f"{new_thread()}.1.0"):
        assert (await user.http.get(url, headers={"last-event-id": last})).json()["code"] == "invalid_cursor"
    missing = await user.http.get(f"/langgraph/threads/{thread}/runs/{new_thread()}/stream")
    assert missing.status_code == 404


async def test_a_run_is_cancelled_by_a_disconnect_if_the_client_wants_it(
    sdk: LangGraphClient, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    thread, body = await new_langgraph_thread(sdk), {"assistant_id": "chat", "input": said("Count.")}
    with scripted.script.chat_gate.closed():
        for on_disconnect, status in (("cancel", "interrupted"), ("continue", "running")):
            path = f"/langgraph/threads/{thread}/runs/stream"
            async with user.http.stream("POST", path, json=body | {"on_disconnect": on_disconnect}) as response:
                run = response.headers["Content-Location"].rpartition("/")[2]
            if status == "interrupted":
                await sdk.runs.join(thread, run)
            assert (await sdk.runs.get(thread, run))["status"] == status
    assert len((await sdk.runs.join(thread, run))["messages"]) == 3
