"""Runs across processes: one per thread and message, each ending exactly once."""

import asyncio
import time
from collections.abc import Sequence

import psycopg
import pytest

from agent.database.pools import open_pool
from agent.database.row_security import ScopedPool
from agent.runs.event_store import EventStore
from gateway import streams
from support.client import ApiClient, Json, StreamedReply, new_thread
from support.gateway import RunningGateway
from support.reconnecting_client import ReconnectingClient
from support.scripted_openai import Message, ScriptedOpenAI


@pytest.fixture
def counting_model(model: ScriptedOpenAI) -> ScriptedOpenAI:
    """A model that counts and pauses after two words while its gate is closed."""
    model.script.reply = lambda _: "one two three four"
    model.script.hold_after_tokens = 2
    return model


async def test_sending_a_message_again_during_its_run_joins_the_run(
    client: ApiClient, second_client: ApiClient, counting_model: ScriptedOpenAI
) -> None:
    thread, message = new_thread(), new_thread()
    replies = [StreamedReply(), StreamedReply(), StreamedReply()]

    async def send(sender: ApiClient, reply: StreamedReply, started: asyncio.Event) -> None:
        async for _ in sender.stream(reply, "Count.", thread=thread, id=message):
            if reply.text == "one two ":
                started.set()

    async with asyncio.TaskGroup() as tasks:
        with counting_model.script.chat_gate.closed():
            for sender, reply in zip((client, client, second_client), replies, strict=True):
                started = asyncio.Event()
                tasks.create_task(send(sender, reply, started))
                await started.wait()
    assert [reply.text for reply in replies] == ["one two three four"] * 3
    assert len({reply.data("run.started")["run_id"] for reply in replies}) == 1
    assert len(counting_model.chat_requests()) == 1


async def test_a_thread_answers_one_message_at_a_time_across_gateways(
    client: ApiClient, second_client: ApiClient, counting_model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    with counting_model.script.chat_gate.closed():
        sending = asyncio.create_task(client.send("One.", thread=thread))
        await counting_model.wait_for_chat("One.")
        rejected = await second_client.http.post(f"/threads/{thread}/messages", json={"text": "Two."})
        assert (rejected.status_code, rejected.json()["code"]) == (409, "thread_busy")
    await sending
    assert (await second_client.send("Three.", thread=thread)).names[-1] == "run.finished"


async def test_the_thread_is_free_when_the_last_event_arrives(client: ApiClient, second_client: ApiClient) -> None:
    thread = new_thread()
    for n in range(10):
        reply = await (client if n % 2 else second_client).send(f"Number {n}.", thread=thread)
        assert reply.names[-1] == "run.finished"


async def test_an_answer_is_cancelled_from_another_gateway_within_a_second(
    client: ApiClient, second_client: ApiClient, counting_model: ScriptedOpenAI
) -> None:
    thread, streamed = new_thread(), StreamedReply()
    with counting_model.script.chat_gate.closed():
        async for event in client.stream(streamed, "Count.", thread=thread):
            if event == "token" and streamed.text == "one two ":
                answer = await second_client.http.post(f"/threads/{thread}/cancel")
                assert answer.json() == {"cancelled": True}
                cancelled = time.monotonic()
        assert await counting_model.wait_for_disconnect() - cancelled < 1.0
    assert streamed.data("run.finished") == {"status": "cancelled"}
    [_, reply] = await _messages(client, thread)
    assert (reply["text"], reply["status"]) == ("one two ", "cancelled")
    assert (await second_client.http.post(f"/threads/{thread}/cancel")).json() == {"cancelled": False}


async def test_the_next_prompt_contains_the_cancelled_turn(client: ApiClient, counting_model: ScriptedOpenAI) -> None:
    thread = new_thread()
    await _send_and_cancel(client, counting_model, thread)
    await client.send("Go on.", thread=thread)
    await client.send("Thank you.", thread=thread)
    second, third = [request.messages for request in counting_model.chat_requests()[1:]]
    assert _dialogue(second) == [("user", "Count."), ("assistant", "one two "), ("user", "Go on.")]
    assert _dialogue(third)[:3] == _dialogue(second)


async def test_a_cancelled_answer_is_replayed_unchanged(client: ApiClient, counting_model: ScriptedOpenAI) -> None:
    thread, message = new_thread(), new_thread()
    reply = await _send_and_cancel(client, counting_model, thread, id=message)
    again = await client.send("Count.", thread=thread, id=message)
    assert again.text == reply.text
    assert again.data("run.finished") == {"status": "cancelled"}


async def test_a_failed_answer_is_kept_until_a_retry_replaces_it(
    client: ApiClient, counting_model: ScriptedOpenAI
) -> None:
    thread, message = new_thread(), new_thread()
    counting_model.script.disconnect_after_tokens = 2
    streamed = await client.send("Count.", thread=thread, id=message)
    assert streamed.data("run.failed")["problem"]["code"] == "model_unavailable"
    [_, reply] = await _messages(client, thread)
    assert (reply["text"], reply["status"]) == ("one two ", "failed")
    counting_model.script.disconnect_after_tokens = None
    again = await client.send("Count.", thread=thread, id=message)
    assert again.data("run.finished") == {"status": "completed"}
    [_, reply] = await _messages(client, thread)
    assert reply["text"] == again.text == "one two three four"
    assert _dialogue(counting_model.chat_requests()[-1].messages) == [("user", "Count.")]
    await client.send("Thank you.", thread=thread)
    assert _dialogue(counting_model.chat_requests()[-1].messages)[:2] == [("user", "Count."), ("assistant", again.text)]


async def test_a_run_that_another_process_has_ended_stops_writing(
    client: ApiClient, gateway: RunningGateway, counting_model: ScriptedOpenAI
) -> None:
    thread, reply = new_thread(), StreamedReply()
    with psycopg.connect(gateway.database) as connection, counting_model.script.chat_gate.closed():
        async for event in client.stream(reply, "Count.", thread=thread):
            if event == "memory.recalled":
                connection.execute("UPDATE runs SET status = 'failed', ended_at = now()")
                connection.commit()
    assert reply.data("run.failed")["problem"]["code"] == "run_interrupted"
    assert [message["role"] for message in await _messages(client, thread)] == ["user"]


async def test_the_next_message_ends_the_run_of_a_dead_process(
    client: ApiClient, gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    thread, run, message = new_thread(), new_thread(), new_thread()
    await client.send("One.", thread=thread)
    with psycopg.connect(gateway.database) as connection:
        [[user]] = connection.execute("SELECT id FROM users").fetchall()
        connection.execute(
            "INSERT INTO messages (user_id, id, thread_id, role, text, seen) "
            "VALUES (%s, %s, %s, 'user', 'Two.', false)",
            (user, message, thread),
        )
        connection.execute("INSERT INTO runs VALUES (%s, %s, %s, %s, 'running', now())", (user, run, thread, message))
        for events, chars, text in (
            (1, 0, ""),
            (1, 4, "one "),
            (1, 8, "one two "),
            (1, 11, "thr"),
        ):  # overlapping tokens
            name = "token" if text else "run.started"
            connection.execute(
                "INSERT INTO run_events VALUES (%s, %s, %s, %s, %s, jsonb_build_object('text', %s::text))",
                (user, run, events, chars, name, text),
            )
    reply = await client.send("Three.", thread=thread)
    assert reply.data("run.finished") == {"status": "completed"}
    texts = [one["text"] for one in await _messages(client, thread)]
    assert texts[2:5] == ["Two.", "one two thr", "Three."]
    assert _dialogue(model.chat_requests()[-1].messages)[2:] == [
        ("user", "Two."),
        ("assistant", "one two thr"),
        ("user", "Three."),
    ]


async def test_a_thread_is_deleted_during_a_run_of_another_gateway(
    client: ApiClient, second_client: ApiClient, gateway: RunningGateway, counting_model: ScriptedOpenAI
) -> None:
    thread, reply = new_thread(), StreamedReply()
    with counting_model.script.chat_gate.closed():
        async for event in client.stream(reply, "I play the violin.", thread=thread):
            if event == "token" and reply.text == "one two ":
                answer = await second_client.http.delete(f"/threads/{thread}", params={"forget": "true"})
                assert answer.is_success
                assert (await second_client.http.get(f"/threads/{thread}")).status_code == 404
    assert reply.data("run.finished") == {"status": "cancelled"}
    assert _tables_with_data(gateway) == []


async def test_a_run_whose_thread_was_deleted_leaves_no_data(
    client: ApiClient, gateway: RunningGateway, counting_model: ScriptedOpenAI
) -> None:
    reply = StreamedReply()
    with psycopg.connect(gateway.database) as connection, counting_model.script.chat_gate.closed():
        async for event in client.stream(reply, "I play the violin.", thread=new_thread()):
            if event == "memory.recalled":
                connection.execute("DELETE FROM threads")
                connection.commit()
                counting_model.script.chat_gate.open()
    assert reply.data("run.finished") == {"status": "cancelled"}
    assert _tables_with_data(gateway) == []


async def test_saved_events_expire(client: ApiClient, gateway: RunningGateway) -> None:
    old, new = new_thread(), new_thread()
    await client.send("Old.", thread=old)
    with psycopg.connect(gateway.database) as connection:
        connection.execute("UPDATE runs SET ended_at = ended_at - interval '11 minutes'")
    await client.send("New.", thread=new)
    async with open_pool(gateway.database, size=1, name="test") as pool:
        await EventStore(ScopedPool(pool)).delete_expired()
    assert await ReconnectingClient().rejoin(client.http, old) == 204
    assert await ReconnectingClient().rejoin(client.http, new) == 200
    assert len(await _messages(client, old)) == 2


async def _send_and_cancel(client: ApiClient, model: ScriptedOpenAI, thread: str, **body: object) -> StreamedReply:
    """Cancel a run after two words."""
    reply = StreamedReply()
    with model.script.chat_gate.closed():
        async for event in client.stream(reply, "Count.", thread=thread, **body):
            if event == "token" and reply.text == "one two ":
                await client.http.post(f"/threads/{thread}/cancel")
    assert reply.data("run.finished") == {"status": "cancelled"}
    return reply


async def _messages(client: ApiClient, thread: str) -> list[Json]:
    return list((await client.http.get(f"/threads/{thread}/messages")).json()["items"])


def _dialogue(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in messages if one["role"] != "system"]


def _tables_with_data(gateway: RunningGateway) -> list[str]:
    """The tables with any data of threads and memories."""
    tables = ["threads", "messages", "runs", "run_events", "store", "store_vectors"]
    tables += ["checkpoints", "checkpoint_blobs", "checkpoint_writes"]
    with psycopg.connect(gateway.database) as connection:
        count = psycopg.sql.SQL("SELECT count(*) FROM {}")
        return [
            table
            for table in tables
            if connection.execute(count.format(psycopg.sql.Identifier(table))).fetchall() != [(0,)]
        ]


async def test_keep_alive_comments_contain_no_event(
    client: ApiClient, counting_model: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PING_SECONDS", 0.01)
    lines: list[str] = []
    with counting_model.script.chat_gate.closed():
        async with client.http.stream("POST", f"/threads/{new_thread()}/messages", json={"text": "Count."}) as answer:
            async for line in answer.aiter_lines():
                lines.append(line)
                if line.startswith(":") and any("two" in earlier for earlier in lines):
                    counting_model.script.chat_gate.open()
    frames = "\n".join(line for line in lines if not line.startswith(":")).strip().split("\n\n")
    assert all([part.partition(":")[0] for part in frame.split("\n")] == ["id", "event", "data"] for frame in frames)
    assert "run.finished" in frames[-1]
