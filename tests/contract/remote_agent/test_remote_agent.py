"""The gateway with an agent on a LangGraph server that forms memories itself."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from agent.remote.threads import server_thread_id
from agent.types import ThreadId, UserId
from conftest import make_settings, model_settings
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.langgraph_client import collect, langgraph_client, said
from support.scripted_openai import Message, ScriptedOpenAI, ToolCall


@pytest.fixture
async def server(agent_url: str) -> AsyncIterator[LangGraphClient]:
    """A client of the LangGraph server itself."""
    async with get_client(url=agent_url, api_key=None) as client:
        yield client


@pytest.fixture
async def other(model_gateway: RunningGateway) -> AsyncIterator[ApiClient]:
    """Another user."""
    async with signed_in(model_gateway.url) as client:
        yield client


async def _label(client: ApiClient) -> str:
    return str((await client.http.get("/me")).json()["user_id"])


async def _server_threads(server: LangGraphClient, user: str) -> list[str]:
    return [str(thread["thread_id"]) for thread in await server.threads.search(metadata={"user_id": user})]


async def _stored_texts(server: LangGraphClient, user: str) -> list[str]:
    found = await server.store.search_items(("users", user), limit=1_000)
    return [item["value"].get("text", "") for item in found["items"]]


async def test_the_server_remembers_a_statement_for_its_user_only(
    user: ApiClient, other: ApiClient, server: LangGraphClient
) -> None:
    thread = new_thread()
    first = await user.send("I play the violin.", thread=thread)
    assert first.names[:2] == ["run.started", "memory.recalled"]
    assert first.names[-3:] == ["message.completed", "memory.scheduled", "run.finished"]
    reply = await user.send("Do I play the violin?")
    assert "violin" in reply.text
    assert (await other.send("Do I play the violin?")).recalled == []
    await user.flush()
    [memory] = await user.memories(kind="user")
    assert (memory["text"], memory["source_thread"]) == ("Plays the violin", thread)
    assert "Plays the violin" in await _stored_texts(server, await _label(user))
    assert await other.memories(kind="user") == []


async def test_a_message_can_be_recalled_before_it_is_answered(user: ApiClient, scripted: ScriptedOpenAI) -> None:
    async def read_until(events: AsyncIterator[str], name: str) -> None:
        async for event in events:
            if event == name:
                return

    reply = StreamedReply()
    statement, question = user.stream(StreamedReply(), "I play the violin."), user.stream(reply, "What do I play?")
    with scripted.script.chat_gate.closed():
        await read_until(statement, "run.started")
        await read_until(question, "memory.recalled")
    assert reply.recalled == ["I play the violin."]
    for events in (statement, question):
        await read_until(events, "run.finished")


async def test_an_answer_does_not_wait_for_the_formation_of_memories(user: ApiClient, scripted: ScriptedOpenAI) -> None:
    thread = new_thread()
    with scripted.script.structured_gate.closed():
        reply = await user.send("I play the cello.", thread=thread)
        assert reply.names[-1] == "run.finished"
        assert [item["text"] for item in await user.memories()] == []
        flushing = asyncio.create_task(user.flush())
        await scripted.wait_for_formation("cello")
    assert (await flushing)["added"] == 0  # the server has formed it
    assert [item["text"] for item in await user.memories(kind="user")] == ["Plays the cello"]
    assert len(scripted.formations("cello")) == 1


async def test_the_next_message_in_a_thread_does_not_wait_for_the_formation(
    user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    thread = new_thread()
    with scripted.script.structured_gate.closed():
        await user.send("I play the harp.", thread=thread)
        await scripted.wait_for_formation("harp")
        reply = await user.send("Do I play the harp?", thread=thread)
        assert reply.data("run.finished") == {"status": "completed"}
    await user.flush()
    assert [item["text"] for item in await user.memories(kind="user")] == ["Plays the harp"]
    await user.send("Thank you.", thread=thread)
    dialogue = [message["content"] for message in scripted.chat_requests()[-1].messages if message["role"] == "user"]
    assert dialogue == ["I play the harp.", "Do I play the harp?", "Thank you."]


async def test_messages_that_the_server_did_not_process_are_processed_later(
    user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    scripted.script.structured_status = 401
    await user.send("I play the violin.")
    await user.http.post("/memories/flush")
    assert (await user.http.get("/memories/formation")).json()["pending"] == 1
    scripted.script.structured_status = 200
    assert (await user.flush())["added"] == 1
    assert [item["text"] for item in await user.memories(kind="user")] == ["Plays the violin"]


async def test_tools_are_reported(user: ApiClient, scripted: ScriptedOpenAI) -> None:
    def reply(messages: list[Message]) -> str | list[ToolCall]:
        if messages[-1]["role"] == "tool":
            return "Done."
        return [ToolCall("remember", {"text": "Keeps bees", "quote": "I keep bees"})]

    scripted.script.reply = reply
    events = await user.send("I keep bees, you know.")
    assert events.data("tool.started")["input"] == {"text": "Keeps bees", "quote": "I keep bees"}
    assert events.data("tool.finished")["status"] == "ok"
    assert events.text == "Done."
    assert events.data("message.completed")["usage"]["output_tokens"] > 0


async def test_a_client_cannot_name_the_user_of_a_run(
    user: ApiClient, other: ApiClient, model_gateway: RunningGateway
) -> None:
    victim = await _label(other)
    async with langgraph_client(f"{model_gateway.url}/langgraph", user) as sdk:
        thread = str((await sdk.threads.create())["thread_id"])
        forged: Any = {"configurable": {"user_id": victim, "source_thread": new_thread(), "is_enqueued": True}}
        await collect(sdk.runs.stream(thread, "chat", input=said("I play the violin."), config=forged))
    await user.flush()
    assert [item["source_thread"] for item in await user.memories(kind="user")] == [thread]
    assert await other.memories() == []


async def test_a_thread_of_another_owner_on_the_server_is_not_used(user: ApiClient, server: LangGraphClient) -> None:
    thread = new_thread()
    thread_id = server_thread_id(UserId(await _label(user)), ThreadId(thread))
    await server.threads.create(thread_id=thread_id, metadata={"user_id": "mallory"})
    reply = await user.send("Hello.", thread=thread)
    assert reply.data("run.failed")["problem"]["code"] == "thread_not_found"
    assert (await server.threads.get(thread_id))["status"] == "idle"


async def test_cancelling_an_answer_ends_the_run_of_the_server(
    user: ApiClient, scripted: ScriptedOpenAI, server: LangGraphClient
) -> None:
    scripted.script.reply = lambda _: "one two three four"
    scripted.script.hold_after_tokens = 2
    thread, streamed = new_thread(), StreamedReply()
    with scripted.script.chat_gate.closed():
        async for event in user.stream(streamed, "Count.", thread=thread):
            if event == "token" and streamed.text == "one two ":
                await user.http.post(f"/threads/{thread}/cancel")
        await scripted.wait_for_disconnect()
    assert streamed.data("run.finished") == {"status": "cancelled"}
    again = await user.send("Count.", thread=thread)
    assert again.text == "one two three four"
    [_, cancelled] = await server.runs.list(server_thread_id(UserId(await _label(user)), ThreadId(thread)))
    assert cancelled["status"] == "interrupted"


async def test_nothing_is_left_on_the_server(user: ApiClient, server: LangGraphClient) -> None:
    label, thread = await _label(user), new_thread()
    await user.send("I play the violin.", thread=thread)
    await user.send("I live in Oslo.")
    await user.flush()
    assert len(await _server_threads(server, label)) == 2
    await user.http.delete(f"/threads/{thread}", params={"forget": "true"})
    [left] = await _server_threads(server, label)
    assert left != server_thread_id(UserId(label), ThreadId(thread))
    assert not any("violin" in text for text in await _stored_texts(server, label))
    receipt = (await user.http.delete("/me")).raise_for_status().json()
    assert receipt["deleted"]["agent_server_threads"] == 1
    assert await _server_threads(server, label) == []
    assert await _stored_texts(server, label) == []


@pytest.mark.parametrize("deleted", ["account", "thread"])
async def test_deletion_ends_the_formation_of_memories(
    user: ApiClient, scripted: ScriptedOpenAI, server: LangGraphClient, deleted: str
) -> None:
    label, thread = await _label(user), new_thread()
    with scripted.script.structured_gate.closed():
        await user.send("I play the flute.", thread=thread)
        await scripted.wait_for_formation("flute")
        path = "/me" if deleted == "account" else f"/threads/{thread}?forget=true"
        (await user.http.delete(path)).raise_for_status()
    assert await _server_threads(server, label) == []
    assert not any("flute" in text for text in await _stored_texts(server, label))


async def test_messages_are_processed_once_by_server_and_gateways(
    user: ApiClient, scripted: ScriptedOpenAI, model_gateway: RunningGateway, agent_url: str
) -> None:
    settings = model_settings(scripted, agent_url=agent_url)
    with RunningGateway(make_settings(model_gateway.database, **settings)) as second:
        async with user.at_gateway(second.url) as elsewhere:
            with scripted.script.structured_gate.closed():
                await user.send("I play the organ.")
                await scripted.wait_for_formation("organ")
                assert (await elsewhere.flush())["added"] == 0
    await user.flush()
    assert [item["text"] for item in await user.memories(kind="user")] == ["Plays the organ"]
    assert len(scripted.formations("organ")) == 1


async def test_a_temporary_chat_leaves_nothing(user: ApiClient, server: LangGraphClient) -> None:
    label, thread = await _label(user), new_thread()
    await user.send("I play the violin.", thread=thread, temporary=True)
    assert await _stored_texts(server, label) == []
    await user.http.delete(f"/threads/{thread}")
    assert await _server_threads(server, label) == []


async def test_what_is_forgotten_in_a_chat_is_purged_by_the_gateway(
    user: ApiClient, model_gateway: RunningGateway, server: LangGraphClient
) -> None:
    label = await _label(user)
    await user.send("I keep llamas.")
    assert "llamas" in str((await user.send("Do I keep llamas?")).recalled)
    await user.send("Forget that I keep llamas.")
    await user.flush()
    with psycopg.connect(model_gateway.database) as connection:
        row = connection.execute("SELECT purge_at > now() FROM users WHERE id = %s", (label,)).fetchone()
    assert row == (True,)
    assert any("llamas" in text for text in await _stored_texts(server, label))  # undo restores it


@pytest.mark.parametrize("path", ["/memories/changes", "/memories/timeline", "/memories/map"])
async def test_what_a_server_lacks_is_refused(user: ApiClient, path: str) -> None:
    response = await user.http.get(path)
    assert (response.status_code, response.json()["code"]) == (501, "unsupported")


async def test_a_message_survives_an_outage_of_the_server(
    database: str, scripted: ScriptedOpenAI, agent_url: str
) -> None:
    outage = model_settings(scripted, agent_url="http://127.0.0.1:9")
    with RunningGateway(make_settings(database, **outage)) as gateway:
        async with signed_in(gateway.url, "ada") as client:
            reply = await client.send("I play the violin.")
            assert reply.data("run.failed")["problem"]["code"] == "agent_server_unavailable"
            response = await client.http.get("/memories")
            assert (response.status_code, response.json()["code"]) == (503, "store_unavailable")
    with RunningGateway(make_settings(database, **model_settings(scripted, agent_url=agent_url))) as gateway:
        async with signed_in(gateway.url, "ada") as client:
            await client.flush()
            assert [item["text"] for item in await client.memories(kind="user")] == ["Plays the violin"]
