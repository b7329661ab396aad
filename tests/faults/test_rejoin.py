"""Rejoining the stream of a run, after any disconnect and at any gateway."""

import asyncio
import random

import psycopg

from support.client import ApiClient, StreamedReply, new_thread
from support.gateway import RunningGateway
from support.reconnecting_client import ReconnectingClient
from support.rounds import ROUNDS
from support.scripted_openai import ScriptedOpenAI
from support.tried_and_held import Record

WORDS = ["Grüße", "aus", "Ōsaka", "🎻🎻", "\n\n", '"quoted"', "one", "data:", "\u2028", "e\u0301t\u00e9", "x" * 40]


async def test_streams_with_random_disconnects_have_the_same_text(
    client: ApiClient, second_client: ApiClient, model: ScriptedOpenAI, record: Record
) -> None:
    pick = random.Random(1)
    answers = {f"Question {n}?": " ".join(pick.choices(WORDS, k=40)) for n in range(25 * ROUNDS)}
    model.script.reply = lambda messages: answers[str(messages[-1]["content"])]
    model.script.token_delay_seconds = 0.005
    limit = asyncio.Semaphore(10)
    gateways = [client.http, second_client.http]

    async def listen(text: str) -> ReconnectingClient:
        listener, thread = ReconnectingClient(), new_thread()
        async with limit:
            await listener.send_with_disconnects(gateways, thread, text, pick)
        [_, reply] = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
        assert reply["text"] == listener.text == answers[text]
        assert listener.names == [
            "run.started",
            "memory.recalled",
            "token",
            "message.completed",
            "memory.scheduled",
            "run.finished",
        ]
        return listener

    listeners = await asyncio.gather(*map(listen, answers))
    reconnects = sum(listener.reconnects for listener in listeners)
    assert reconnects > len(answers)
    record(reconnects, reconnects)


async def test_joining_without_an_event_id_replays_the_latest_run(
    client: ApiClient, second_client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "one two three four"
    model.script.hold_after_tokens = 2
    first, second = ReconnectingClient(), ReconnectingClient()
    with model.script.chat_gate.closed():
        sending = asyncio.create_task(client.send("Count.", thread=thread))
        await model.wait_for_request("/v1/chat/completions")
        joining = [
            asyncio.create_task(one.rejoin(at.http, thread)) for one, at in ((first, client), (second, second_client))
        ]
    reply = await sending
    await asyncio.gather(*joining)
    assert first.text == second.text == reply.text == "one two three four"
    late = ReconnectingClient()
    assert await late.rejoin(second_client.http, thread) == 200
    assert late.text == reply.text
    assert late.names == first.names


async def test_joining_after_the_last_event_returns_204(client: ApiClient, second_client: ApiClient) -> None:
    thread = new_thread()
    listener = ReconnectingClient()
    await listener.send(client.http, thread, "Hello.")
    assert listener.is_finished
    for at in (client, second_client):
        assert await listener.rejoin(at.http, thread) == 204


async def test_joining_a_thread_without_runs_returns_204(client: ApiClient) -> None:
    thread = (await client.http.post("/threads", json={})).json()["thread_id"]
    assert await ReconnectingClient().rejoin(client.http, thread) == 204


async def test_an_invalid_event_id_is_rejected(client: ApiClient) -> None:
    thread = new_thread()
    await client.send("Hello.", thread=thread)
    for event_id in (f"{new_thread()}.1.1", "", f"{new_thread()}.999999999.0"):
        answer = await client.http.get(f"/threads/{thread}/stream", headers={"Last-Event-ID": event_id})
        assert answer.status_code == (204 if event_id else 200)
    for invalid in ("x", "1", f"{new_thread()}.1", f"{new_thread()}.-1.2", "../.."):
        answer = await client.http.get(f"/threads/{thread}/stream", headers={"Last-Event-ID": invalid})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_cursor")


async def test_another_users_run_cannot_be_joined(ada: ApiClient, bob: ApiClient) -> None:
    thread, own = new_thread(), new_thread()
    reply = ReconnectingClient()
    await reply.send(ada.http, thread, "I live in Oslo.")
    await bob.send("Hello.", thread=own)
    assert (await bob.http.get(f"/threads/{thread}/stream")).status_code == 404
    answer = await bob.http.get(f"/threads/{own}/stream", headers={"Last-Event-ID": str(reply.last_id)})
    assert answer.status_code == 204


async def test_a_run_streams_while_its_events_cannot_be_saved(
    client: ApiClient, gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    reply, thread = StreamedReply(), new_thread()
    model.script.reply = lambda _: "word " * 20
    model.script.hold_after_tokens = 19
    with psycopg.connect(gateway.database) as connection, model.script.chat_gate.closed():
        async for event in client.stream(reply, "Hello.", thread=thread):
            if event == "run.started":
                connection.execute("LOCK TABLE run_events")
            if event == "token" and len(reply.text) == len("word " * 19):
                connection.rollback()
                model.script.chat_gate.open()
    assert reply.data("run.finished") == {"status": "completed"}
    late = ReconnectingClient()
    await late.rejoin(client.http, thread)
    assert late.text == reply.text
