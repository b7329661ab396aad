"""A turn: its events, its embedding, its tip, and retries."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent import SetupError
from conftest import DIMS, make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

CHAT = "/v1/chat/completions"


async def test_a_turn_publishes_its_events_in_order(client: ApiClient) -> None:
    reply = await client.send("I play the violin.")
    assert [name for n, name in enumerate(reply.names) if name not in reply.names[:n]] == [
        "run.started",
        "memory.recalled",
        "token",
        "message.completed",
        "memory.scheduled",
        "run.finished",
    ]
    assert reply.data("message.completed")["text"] == reply.text
    assert reply.data("run.finished") == {"status": "completed"}


async def test_a_turn_embeds_its_message_once(client: ApiClient, model: ScriptedOpenAI) -> None:
    await client.send("I play the violin.")
    await client.send("What do I play?")
    texts = ["I play the violin.", "What do I play?"]
    assert [text for text in model.embedded_texts() if text in texts] == texts


async def test_a_message_is_recalled_in_another_thread_before_it_is_answered(
    client: ApiClient, model: ScriptedOpenAI
) -> None:
    first, second = StreamedReply(), StreamedReply()
    with model.script.chat_gate.closed():
        events = client.stream(first, "I play the violin.")
        assert await anext(events) == "run.started"
        await model.wait_for_request(CHAT, 1)  # the model's answer is held
        other_events = client.stream(second, "Which instrument: the violin?")
        async for event in other_events:
            if event == "memory.recalled":
                break
        assert second.recalled == ["I play the violin."]
    await asyncio.gather(_drain(events), _drain(other_events))


async def test_questions_are_not_recalled(client: ApiClient) -> None:
    await client.send("Where is the violin shop?")
    assert (await client.send("Where is the violin shop, please?")).recalled == []


async def test_credentials_are_neither_recalled_nor_remembered(client: ApiClient) -> None:
    await client.send("My API key is sk-proj-" + "a1B2" * 12)
    assert (await client.send("What is my API key?")).recalled == []
    assert (await client.flush())["added"] == 0
    assert not any("sk-proj" in memory["text"] for memory in await client.memories())


async def test_a_turn_without_memory_neither_reads_nor_writes_memory(client: ApiClient, model: ScriptedOpenAI) -> None:
    await client.send("I play the violin.", memory=False)
    reply = await client.send("Do I play the violin?")
    assert reply.recalled == []
    await client.http.patch("/me", json={"memory_enabled": False})
    await client.send("I play the harp.")
    assert (await client.flush())["added"] == 0
    assert not {"I play the violin.", "I play the harp."} & set(model.embedded_texts())


async def test_a_run_continues_after_its_client_disconnects(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    with model.script.chat_gate.closed():
        async for event in client.stream(StreamedReply(), "I play the violin.", thread=thread):
            if event == "memory.recalled":
                break
        await model.wait_for_request(CHAT, 1)
    await _until_answered(client, thread)


async def test_a_thread_answers_one_message_at_a_time(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    with model.script.chat_gate.closed():
        events = client.stream(StreamedReply(), "One.", thread=thread)
        await anext(events)
        rejected = await client.http.post(f"/threads/{thread}/messages", json={"text": "Two."})
        assert (rejected.status_code, rejected.json()["code"]) == (409, "thread_busy")
        assert rejected.headers["Retry-After"] == "2"
    await _drain(events)
    assert (await client.send("Three.", thread=thread)).names[-1] == "run.finished"


async def test_sending_a_message_again_replays_its_answer(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread, message = new_thread(), new_thread()
    first = await client.send("I play the violin.", thread=thread, id=message)
    again = await client.send("I play the violin.", thread=thread, id=message)
    assert again.data("message.completed") == first.data("message.completed")
    assert len(model.chat_requests()) == 1
    other = await client.http.post(f"/threads/{thread}/messages", json={"text": "Other words.", "id": message})
    assert (other.status_code, other.json()["code"]) == (409, "message_id_taken")
    assert "Retry-After" not in other.headers


async def test_a_failing_model_fails_the_run_and_keeps_the_message(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread, message = new_thread(), new_thread()
    model.script.chat_status = 500
    reply = await client.send("I play the violin.", thread=thread, id=message)
    assert reply.names[-1] == "run.failed"
    assert reply.data("run.failed")["problem"]["code"] == "model_unavailable"
    model.script.chat_status = 200
    again = await client.send("I play the violin.", thread=thread, id=message)
    assert again.names[-1] == "run.finished"
    page = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert [item["role"] for item in page] == ["user", "assistant"]


async def test_a_cancelled_answer_keeps_the_text_so_far(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread, streamed = new_thread(), StreamedReply()
    model.script.reply = lambda _: "one two three four"
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        async for event in client.stream(streamed, "Count.", thread=thread):
            if event == "token" and streamed.text.split() == ["one", "two"]:
                answer = await client.http.post(f"/threads/{thread}/cancel")
                assert answer.json() == {"cancelled": True}
    assert streamed.data("run.finished") == {"status": "cancelled"}
    [_, reply] = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert reply["text"] == streamed.text != ""


async def test_a_thread_can_be_deleted_during_a_run(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread, reply = new_thread(), StreamedReply()
    with model.script.chat_gate.closed():
        async for event in client.stream(reply, "Hello.", thread=thread):
            if event == "memory.recalled":
                assert (await client.http.delete(f"/threads/{thread}")).status_code == 204
    assert reply.data("run.finished") == {"status": "cancelled"}
    assert (await client.http.get(f"/threads/{thread}")).status_code == 404


async def test_a_database_with_other_dimensions_is_rejected(database: str, model: ScriptedOpenAI) -> None:
    with pytest.raises(SetupError, match="keepsake reembed"):
        RunningGateway(make_settings(database, **model_settings(model, embedding_dims=DIMS * 2))).__enter__()


async def _drain(events: AsyncIterator[str]) -> None:
    async for _ in events:
        pass


async def _until_answered(client: ApiClient, thread: str) -> None:
    """Wait for the reply in the transcript."""
    async with asyncio.timeout(10):
        while True:
            page = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
            if len(page) == 2:
                return
