"""Floods: one user's requests are limited, and delay those of others only briefly."""

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from agent import AgentSettings
from conftest import make_settings, model_settings
from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

POSTS = 300
MAX_DELAY_RATIO = 40
"""The client and the model share the gateway's CPU here; without limits the ratio was over 200."""
DEFAULTS = {name: field.default for name, field in AgentSettings.model_fields.items() if name.startswith("limit_")}


@pytest.fixture
def limited(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway with the default limits."""
    with RunningGateway(make_settings(database, **model_settings(model, **DEFAULTS))) as running:
        yield running


@pytest.fixture
async def attacker(limited: RunningGateway) -> AsyncIterator[ApiClient]:
    async with signed_in(limited.url) as client:
        unlimited = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        headers = {"Authorization": f"Bearer {client.token}"}
        async with httpx.AsyncClient(base_url=limited.url, headers=headers, limits=unlimited, timeout=60) as http:
            yield ApiClient(http, client.token)


async def timed_turn(client: ApiClient) -> float:
    started = time.perf_counter()
    reply = await client.send("What is the capital of Norway?")
    assert reply.names[-1] == "run.finished"
    return time.perf_counter() - started


async def timed_write(client: ApiClient) -> float:
    started = time.perf_counter()
    (await client.http.post("/memories", json={"kind": "user", "text": "Lives in Oslo."})).raise_for_status()
    return time.perf_counter() - started


async def test_a_flood_of_messages_delays_no_other_user(limited: RunningGateway, attacker: ApiClient) -> None:
    async with signed_in(limited.url) as bob, signed_in(limited.url) as eve:
        idle_turn = statistics.median([await timed_turn(bob) for _ in range(5)])
        idle_write = statistics.median([await timed_write(eve) for _ in range(5)])

        host, port = limited.url.removeprefix("http://").split(":")

        async def post() -> httpx.Response:
            reader, writer = await asyncio.open_connection(host, int(port))
            body = b'{"text": "Hello."}'
            writer.write(
                f"POST /threads/{new_thread()}/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {attacker.token}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            data = await reader.read()
            writer.close()
            head, _, body = data.partition(b"\r\n\r\n")
            return httpx.Response(int(head.split()[1]), content=body)

        started = time.perf_counter()
        flood = [asyncio.create_task(post()) for _ in range(POSTS)]
        await asyncio.sleep(0)
        turn, write = await asyncio.gather(timed_turn(bob), timed_write(eve))
        responses = await asyncio.gather(*flood)
        print(idle_turn, idle_write, turn, write, time.perf_counter() - started)
    outcomes = Counter("ok" if response.is_success else response.json()["code"] for response in responses)
    print(outcomes)
