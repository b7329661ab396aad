"""Limits on what a user has and consumes: streams, threads, memories, tokens and embedded bytes."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx
import psycopg

from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

StartGateway = Callable[..., RunningGateway]
FACT = {"kind": "user", "text": "Lives in Oslo."}


def code(response: httpx.Response) -> str:
    return "ok" if response.is_success else f"{response.status_code} {response.json()['code']}"


async def post(client: ApiClient, thread: str | None = None) -> str:
    return code(await client.http.post(f"/threads/{thread or new_thread()}/messages", json={"text": "Hello."}))


@asynccontextmanager
async def joined(client: ApiClient, thread: str) -> AsyncIterator[None]:
    """Follow the run of a thread during the block."""
    async with client.http.stream("GET", f"/threads/{thread}/stream") as response:
        assert response.status_code == 200
        yield


async def wait_for_open_streams(gateway: RunningGateway, count: int) -> None:
    statement = "SELECT count(*) FROM open_streams"
    async with await psycopg.AsyncConnection.connect(gateway.database, autocommit=True) as connection:
        while await (await connection.execute(statement)).fetchone() != (count,):  # noqa: ASYNC110 - of a gateway
            await asyncio.sleep(0.01)


async def test_open_streams_are_limited_by_two_gateways_together(
    start_gateway: StartGateway, model: ScriptedOpenAI
) -> None:
    first, second = (start_gateway(limit_streams=2) for _ in range(2))
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere:
        thread = new_thread()
        with model.script.chat_gate.closed():
            reply = asyncio.create_task(ada.send("Hello.", thread=thread))
            await model.wait_for_request("/v1/chat/completions")
            async with joined(ada, thread):
                async with joined(elsewhere, thread):
                    for client in (ada, elsewhere):
                        rejected = await client.http.get(f"/threads/{thread}/stream")
                        assert code(rejected) == "429 too_many_streams"
                        assert rejected.headers["Retry-After"]
                await wait_for_open_streams(first, 1)
                async with joined(elsewhere, thread):
                    pass
        assert (await reply).names[-1] == "run.finished"
    await wait_for_open_streams(first, 0)


async def test_sending_a_message_again_opens_a_stream_that_counts(
    start_gateway: StartGateway, model: ScriptedOpenAI
) -> None:
    gateway = start_gateway(limit_streams=1)
    async with signed_in(gateway.url) as ada:
        thread, message = new_thread(), {"text": "Hello.", "id": new_thread()}
        path = f"/threads/{thread}/messages"
        with model.script.chat_gate.closed():
            reply = asyncio.create_task(ada.http.post(path, json=message))
            await model.wait_for_request("/v1/chat/completions")
            async with ada.http.stream("POST", path, json=message) as again:
                assert again.status_code == 200
                assert code(await ada.http.post(path, json=message)) == "429 too_many_streams"
        assert (await reply).is_success


async def test_threads_are_limited_whether_a_message_or_a_request_creates_them(start_gateway: StartGateway) -> None:
    first, second = (start_gateway(limit_threads=3) for _ in range(2))
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere, signed_in(first.url) as bob:
        thread = new_thread()
        assert await post(ada, thread) == "ok"
        created = await asyncio.gather(*(client.http.post("/threads") for client in (ada, elsewhere) * 2))
        assert sorted(map(code, created)) == ["429 too_many_threads", "429 too_many_threads", "ok", "ok"]
        rejected = await ada.http.post(f"/threads/{new_thread()}/messages", json={"text": "Hello."})
        assert code(rejected) == "429 too_many_threads"
        assert "Retry-After" not in rejected.headers
        assert await post(ada, thread) == "ok"
        await ada.http.delete(f"/threads/{thread}")
        assert await post(ada) == "ok"
        assert await post(bob) == "ok"


async def test_memories_that_a_user_adds_or_imports_are_limited(start_gateway: StartGateway) -> None:
    gateway = start_gateway(limit_memories=2)
    async with signed_in(gateway.url) as ada:
        added = await asyncio.gather(
            *(ada.http.post("/memories", json={"kind": "user", "text": f"Owns {n} cats."}) for n in range(4))
        )
        assert sorted(map(code, added)) == ["429 too_many_memories", "429 too_many_memories", "ok", "ok"]
        imported = await ada.http.post("/memories/import", content=json.dumps(FACT))
        assert code(imported) == "429 too_many_memories"
        assert "Retry-After" not in imported.headers
        assert len(await ada.memories()) == 2
        await ada.http.delete(f"/memories/{(await ada.memories())[0]['id']}")
        assert code(await ada.http.post("/memories/import", content=json.dumps(FACT))) == "ok"


async def test_no_message_starts_once_the_tokens_of_the_day_are_used(start_gateway: StartGateway) -> None:
    first, second = (start_gateway(limit_tokens_per_day=20) for _ in range(2))
    async with signed_in(first.url) as ada, ada.at_gateway(second.url) as elsewhere:
        reply: StreamedReply = await ada.send("Hello.")
        used = sum(reply.data("message.completed")["usage"].values())
        assert used > 20
        rejected = await elsewhere.http.post(f"/threads/{new_thread()}/messages", json={"text": "Hello."})
        assert code(rejected) == "429 daily_limit"
        assert int(rejected.headers["Retry-After"]) > 80_000
        assert '"tokens";r=0;t=' in rejected.headers["RateLimit"]
        assert len((await ada.http.get("/threads")).json()["items"]) == 1


async def test_embedded_bytes_of_messages_memories_searches_and_imports_are_limited_together(
    start_gateway: StartGateway,
) -> None:
    gateway = start_gateway(limit_embedded_bytes_per_day=100)
    async with signed_in(gateway.url) as ada:
        assert code(await ada.http.post("/memories/import", content=json.dumps(FACT) + " " * 100)) == "429 daily_limit"
        assert await ada.memories() == []
        assert code(await ada.http.post("/memories", json={"kind": "user", "text": "x" * 40})) == "ok"
        assert code(await ada.http.get("/memories", params={"q": "y" * 40})) == "ok"
        assert code(await ada.http.get("/memories", params={"q": "y" * 40})) == "429 daily_limit"
        assert await post(ada) == "ok"
        assert code(await ada.http.post("/memories", json={"kind": "user", "text": "z" * 20})) == "429 daily_limit"
        assert len(await ada.memories()) == 1
