"""Limits per user: their accuracy in several processes, and how responses announce them."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from itertools import islice

import httpx
import psycopg

from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

StartGateway = Callable[..., RunningGateway]


async def post(client: ApiClient, text: str = "Hello.", thread: str | None = None) -> httpx.Response:
    """Send a message and read the reply to its end."""
    return await client.http.post(f"/threads/{thread or new_thread()}/messages", json={"text": text})


def codes(responses: list[httpx.Response]) -> Counter[str]:
    return Counter("ok" if response.is_success else response.json()["code"] for response in responses)


async def test_requests_are_limited_within_five_percent_by_two_gateways_together(start_gateway: StartGateway) -> None:
    first, second = (start_gateway(limit_requests_per_minute=100) for _ in range(2))
    outcomes: Counter[str] = Counter()
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere, signed_in(second.url) as bob:
        for _ in range(8):
            outcomes += codes(list(await asyncio.gather(*(client.http.get("/me") for client in (ada, elsewhere) * 10))))
        assert outcomes["ok"] + outcomes["rate_limited"] == 160
        assert 95 <= outcomes["ok"] <= 105
        assert (await bob.http.get("/me")).is_success


async def test_messages_are_limited_exactly_by_two_gateways_together(start_gateway: StartGateway) -> None:
    first, second = (start_gateway(limit_messages_per_minute=5) for _ in range(2))
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere:
        await ada.http.get("/me")  # creates the account
        responses = await asyncio.gather(*(post(client) for _ in range(5) for client in (ada, elsewhere)))
        assert codes(list(responses)) == {"ok": 5, "rate_limited": 5}
        rejected = next(response for response in responses if response.status_code == 429)
        assert 1 <= int(rejected.headers["Retry-After"]) <= 60


async def test_runs_are_limited_exactly_by_two_gateways_together(
    start_gateway: StartGateway, model: ScriptedOpenAI
) -> None:
    first, second = (start_gateway(limit_runs=2) for _ in range(2))
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere:
        await ada.http.get("/me")
        with model.script.chat_gate.closed():
            posts = [asyncio.create_task(post(client)) for client in (ada, elsewhere, ada, elsewhere)]
            rejected = [await response for response in islice(asyncio.as_completed(posts), 2)]
        assert codes(rejected) == {"too_many_runs": 2}
        assert all(response.headers["Retry-After"] for response in rejected)
        assert codes([await task for task in posts]) == {"ok": 2, "too_many_runs": 2}
        assert (await post(ada)).is_success


async def test_responses_announce_what_remains_of_the_quotas(start_gateway: StartGateway) -> None:
    gateway = start_gateway(limit_requests_per_minute=3, limit_messages_per_minute=10)
    async with signed_in(gateway.url) as ada, signed_in(gateway.url) as bob:
        response = await post(ada)
        assert '"requests";q=3;w=60, "messages";q=10;w=60' in response.headers["RateLimit-Policy"]
        assert re.match(r'"requests";r=2;t=60, "messages";r=\d+;t=60', response.headers["RateLimit"])
        assert re.search(r'"messages";r=9;t=60', (await ada.http.get("/me")).headers["RateLimit"])
        await ada.http.get("/me")
        rejected = await ada.http.get("/me")
        assert (rejected.status_code, rejected.json()["code"]) == (429, "rate_limited")
        assert re.match(r'"requests";r=0;t=\d+', rejected.headers["RateLimit"])
        assert 1 <= int(rejected.headers["Retry-After"]) <= 60
        assert '"requests";r=2;' in (await bob.http.get("/me")).headers["RateLimit"]
        for path in ("/healthz", "/readyz", "/config"):
            assert "RateLimit" not in (await ada.http.get(path)).headers


async def test_zero_means_no_limit(start_gateway: StartGateway) -> None:
    names = ("runs", "messages_per_minute", "requests_per_minute", "tokens_per_day", "embedded_bytes_per_day")
    unlimited = {f"limit_{name}": 0 for name in (*names, "streams", "threads", "memories")}
    gateway = start_gateway(**unlimited)
    async with signed_in(gateway.url) as ada:
        responses = await asyncio.gather(*(post(ada) for _ in range(6)))
        assert codes(list(responses)) == {"ok": 6}
        assert "RateLimit" not in responses[0].headers
    with psycopg.connect(gateway.database) as connection:
        assert connection.execute("SELECT count(*) FROM usage").fetchone() == (0,)


async def test_a_new_window_starts_when_the_old_one_has_ended(start_gateway: StartGateway) -> None:
    first, second = (start_gateway(limit_messages_per_minute=1) for _ in range(2))
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere:
        assert codes([await post(ada), await post(ada)]) == {"ok": 1, "rate_limited": 1}
        with psycopg.connect(first.database) as connection:
            connection.execute("UPDATE usage SET ends_at = now() - interval '1 second'")
        assert codes([await post(elsewhere), await post(elsewhere)]) == {"ok": 1, "rate_limited": 1}


async def test_the_erasure_of_an_account_deletes_its_usage_but_resets_no_limit(start_gateway: StartGateway) -> None:
    gateway = start_gateway(limit_messages_per_minute=2, limit_requests_per_minute=600)
    async with signed_in(gateway.url) as ada:
        await post(ada)
        erased = (await ada.http.delete("/me")).raise_for_status().json()["deleted"]
        assert erased["usage"] >= 1
        with psycopg.connect(gateway.database) as connection:
            assert connection.execute("SELECT count(*) FROM usage").fetchone() == (0,)
        assert codes([await post(ada), await post(ada)]) == {"ok": 1, "rate_limited": 1}


async def test_a_rejected_message_is_stored_nowhere_and_a_retry_of_an_answered_one_is_not_counted(
    start_gateway: StartGateway,
) -> None:
    first, second = (start_gateway(limit_messages_per_minute=2) for _ in range(2))
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere:
        message = {"text": "Hello.", "id": new_thread()}
        path = f"/threads/{new_thread()}/messages"
        for client in (ada, elsewhere, ada):
            assert (await client.http.post(path, json=message)).is_success
        assert codes([await post(ada), await post(elsewhere, thread=new_thread())]) == {"ok": 1, "rate_limited": 1}
        assert len((await ada.http.get("/threads")).json()["items"]) == 2
