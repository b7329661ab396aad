"""Joining again: after any cut, at any gateway, the rest of an answer follows, and the text is the same."""

import asyncio
import random

import psycopg

from support.client import ApiClient, StreamedReply, new_thread
from support.gateway import RunningGateway
from support.reconnecting_client import ReconnectingClient
from support.scripted_openai import ScriptedOpenAI

WORDS = ["Grüße", "aus", "Ōsaka", "🎻🎻", "\n\n", '"quoted"', "one", "data:", "\u2028", "e\u0301t\u00e9", "x" * 40]


async def test_streams_that_are_cut_at_random_and_joined_again_have_the_same_text(
    client: ApiClient, second_client: ApiClient, model: ScriptedOpenAI
) -> None:
    pick = random.Random(1)
    answers = {f"Question {n}?": " ".join(pick.choices(WORDS, k=40)) for n in range(100)}
    model.script.reply = lambda messages: answers[str(messages[-1]["content"])]
    model.script.token_delay_seconds = 0.005
    at_once = asyncio.Semaphore(10)
    gateways = [client.http, second_client.http]

    async def listen(text: str) -> ReconnectingClient:
        listener, thread = ReconnectingClient(), new_thread()
        async with at_once:
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
    assert sum(listener.reconnects for listener in listeners) > len(answers)


async def test_whoever_joins_without_an_id_hears_the_latest_run_from_its_start(
    client: ApiClient, second_client: ApiClient, model: ScriptedOpenAI
) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "one two three four"
    model.script.hold_after_tokens = 2
    here, there = ReconnectingClient(), ReconnectingClient()
    with model.script.chat_gate.closed():
        saying = asyncio.create_task(client.send("Count.", thread=thread))
        await model.wait_for_request("/v1/chat/completions")
        joining = [
            asyncio.create_task(one.rejoin(at.http, thread)) for one, at in ((here, client), (there, second_client))
        ]
    reply = await saying
    await asyncio.gather(*joining)
    assert here.text == there.text == reply.text == "one two three four"
    afterwards = ReconnectingClient()
    assert await afterwards.rejoin(second_client.http, thread) == 200
    assert afterwards.text == reply.text
    assert afterwards.names == here.names


async def test_whoever_has_heard_everything_is_told_that_there_is_no_more(
    client: ApiClient, second_client: ApiClient
) -> None:
    thread = new_thread()
    listener = ReconnectingClient()
    await listener.send(client.http, thread, "Hello.")
    assert listener.is_finished
    for at in (client, second_client):
        assert await listener.rejoin(at.http, thread) == 204


async def test_where_nothing_was_said_there_is_nothing_to_hear(client: ApiClient) -> None:
    thread = (await client.http.post("/threads", json={})).json()["thread_id"]
    assert await ReconnectingClient().rejoin(client.http, thread) == 204


async def test_what_is_no_event_cannot_be_joined_behind(client: ApiClient) -> None:
    thread = new_thread()
    await client.send("Hello.", thread=thread)
    for other in (f"{new_thread()}.1.1", "", f"{new_thread()}.999999999.0"):
        answer = await client.http.get(f"/threads/{thread}/stream", headers={"Last-Event-ID": other})
        assert answer.status_code == (204 if other else 200)
    for nonsense in ("x", "1", f"{new_thread()}.1", f"{new_thread()}.-1.2", "../.."):
        answer = await client.http.get(f"/threads/{thread}/stream", headers={"Last-Event-ID": nonsense})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_cursor")


async def test_nobody_joins_anothers_answer(ada: ApiClient, bob: ApiClient) -> None:
    thread, own = new_thread(), new_thread()
    reply = ReconnectingClient()
    await reply.send(ada.http, thread, "I live in Oslo.")
    await bob.send("Hello.", thread=own)
    assert (await bob.http.get(f"/threads/{thread}/stream")).status_code == 404
    answer = await bob.http.get(f"/threads/{own}/stream", headers={"Last-Event-ID": str(reply.last_id)})
    assert answer.status_code == 204


async def test_an_answer_streams_while_nothing_can_be_recorded(
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
    afterwards = ReconnectingClient()
    await afterwards.rejoin(client.http, thread)
    assert afterwards.text == reply.text
