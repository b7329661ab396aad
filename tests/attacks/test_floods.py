"""Floods: what one user sends in excess is rejected, and delays no other user for long."""

import asyncio
import logging
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

import httpx
import pytest

from agent import AgentSettings
from conftest import make_settings, model_settings
from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

POSTS = 300
MAX_DELAY_RATIO = 30
"""In idle turns; without limits it was 100. Client and model share the gateway's CPU here, so most of it is theirs."""
DEFAULT_LIMITS = {
    name: field.default for name, field in AgentSettings.model_fields.items() if name.startswith("limit_")
}


@pytest.fixture
def limited(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway with the default limits."""
    with RunningGateway(make_settings(database, **model_settings(model, **DEFAULT_LIMITS))) as running:
        yield running


async def post_message(client: ApiClient) -> httpx.Response:
    """Send a message on a connection of its own, with little work for the client, and read the reply to its end."""
    url = urlsplit(str(client.http.base_url))
    body = b'{"text": "Hello."}'
    head = (
        f"POST /threads/{new_thread()}/messages HTTP/1.1\r\nHost: {url.netloc}\r\nConnection: close\r\n"
        f"Authorization: Bearer {client.token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    writer.write(head.encode() + body)
    response_head, _, content = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return httpx.Response(int(response_head.split()[1]), content=content)


async def timed_turn(client: ApiClient) -> float:
    started = time.perf_counter()
    reply = await client.send("What is the capital of Norway?")
    assert reply.names[-1] == "run.finished"
    return time.perf_counter() - started


async def timed_write(client: ApiClient) -> float:
    started = time.perf_counter()
    (await client.http.post("/memories", json={"kind": "user", "text": "Lives in Oslo."})).raise_for_status()
    return time.perf_counter() - started


async def test_a_flood_of_messages_is_rejected_and_delays_neither_turns_nor_writes_of_others(
    limited: RunningGateway, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with signed_in(limited.url) as ada, signed_in(limited.url) as bob, signed_in(limited.url) as eve:
        idle = statistics.median([await timed_turn(bob) for _ in range(3)])
        flood = [asyncio.create_task(post_message(ada)) for _ in range(POSTS)]
        await asyncio.sleep(0)  # the flood is sent first
        turn, write = await asyncio.gather(timed_turn(bob), timed_write(eve))
        responses = await asyncio.gather(*flood)
    assert max(turn, write) < MAX_DELAY_RATIO * idle
    outcomes = Counter("ok" if response.is_success else response.json()["code"] for response in responses)
    assert set(outcomes) <= {"ok", "too_many_runs", "rate_limited"}
    assert 4 <= outcomes["ok"] <= DEFAULT_LIMITS["limit_messages_per_minute"]
    assert caplog.records == []


async def test_simultaneous_messages_start_no_more_runs_than_allowed(
    limited: RunningGateway, model: ScriptedOpenAI
) -> None:
    async with signed_in(limited.url) as ada:
        with model.script.chat_gate.closed():
            flood = [asyncio.create_task(post_message(ada)) for _ in range(20)]
            rejected = [await response for response in islice(asyncio.as_completed(flood), 16)]
        responses = await asyncio.gather(*flood)
    assert {response.json()["code"] for response in rejected} == {"too_many_runs"}
    assert Counter(response.status_code for response in responses) == {429: 16, 200: 4}
