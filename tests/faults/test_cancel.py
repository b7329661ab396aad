"""Stopping an answer takes effect, however fast the model writes."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from agent.runs.event_log import EventLog
from agent.runs.run import Run
from agent.runs.run_state import RunState
from agent.runs.turns import StartedTurn, Turn
from agent.types import MessageId, RunId, ThreadId, UserId, UserMessage
from support.client import ApiClient, StreamedReply, new_thread
from support.scripted_openai import ScriptedOpenAI
from support.tried_and_held import Record

TOKENS = 3_000
MIN_TOKENS_PER_SECOND = 330


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(600)])])
async def test_every_cancel_of_a_fast_answer_takes_effect(
    client: ApiClient, model: ScriptedOpenAI, record: Record, count: int
) -> None:
    model.script.reply = lambda _: "word " * TOKENS
    model.script.token_delay_seconds = 0.0005
    rates = [await _cancel_after(client, tokens=2 + 3 * (n % 20)) for n in range(count)]
    record(count, len(rates))
    assert sorted(rates)[count // 2] >= MIN_TOKENS_PER_SECOND


async def _cancel_after(client: ApiClient, *, tokens: int) -> float:
    """Stop an answer after some tokens; return the rate of tokens per second."""
    thread, reply = new_thread(), StreamedReply()
    stream = client.stream(reply, "Count.", thread=thread, memory=False)
    while await anext(stream) != "token":
        pass
    started, first = time.monotonic(), len(reply.text.split())
    while len(reply.text.split()) < first + tokens:  # an event may contain several
        assert await anext(stream) == "token"
    rate = tokens / (time.monotonic() - started)
    cancelled = (await client.http.post(f"/threads/{thread}/cancel")).json()["cancelled"]
    await _drain(stream)
    assert cancelled
    assert reply.data("run.finished") == {"status": "cancelled"}
    assert len(reply.text.split()) < TOKENS
    return rate


async def test_a_cancel_can_be_requested_again(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    with model.script.chat_gate.closed():
        stream = client.stream(reply := StreamedReply(), "Hello.", thread=thread)
        assert await anext(stream) == "run.started"
        answers = [await client.http.post(f"/threads/{thread}/cancel") for _ in range(2)]
        await _drain(stream)
    assert [answer.status_code for answer in answers] == [200, 200]
    assert reply.data("run.finished") == {"status": "cancelled"}
    assert (await client.http.post(f"/threads/{thread}/cancel")).json() == {"cancelled": False}


async def test_a_swallowed_cancellation_is_repeated_until_the_run_has_ended() -> None:
    swallowed = 0

    async def swallow_twice() -> None:
        nonlocal swallowed
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if swallowed == 2:
                    raise
                swallowed += 1

    turn = Turn(UserId("u"), ThreadId("t"), RunId("r"), UserMessage("Hello.", MessageId("m")))
    state = RunState(turn, StartedTurn(turn), EventLog(turn.run))
    run = Run(state, asyncio.create_task(swallow_twice()))
    await asyncio.sleep(0)
    assert run.cancel()
    assert run.cancel()  # before the first one has taken effect
    await asyncio.wait([run.task])
    assert run.task.cancelled()
    assert not run.cancel()


async def _drain(stream: AsyncIterator[str]) -> None:
    async for _ in stream:
        pass
