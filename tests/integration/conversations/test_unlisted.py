"""Conversations that their clients keep: their threads are deleted 30 days after the last message."""

import psycopg

from agent.conversations.checkpoints import ScopedSaver
from agent.conversations.temporary import TemporaryThreads
from agent.database import open_pool
from agent.database.row_security import ScopedPool
from support.client import ApiClient, new_thread
from support.gateway import RunningGateway
from support.stored_documents import tables_containing


async def _ask(client: ApiClient, *texts: str) -> None:
    """Send a conversation whose last message is a new one."""
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]
    response = await client.http.post("/v1/chat/completions", json={"messages": messages})
    response.raise_for_status()


async def _sweep(database: str, *, days: float) -> None:
    """Delete outdated threads as if the last message of all threads had been sent this long ago."""
    async with open_pool(database, size=2, name="sweep") as pool, pool.connection() as connection:
        await connection.execute("UPDATE threads SET updated_at = now() - make_interval(secs => %s)", (days * 86_400,))
        await connection.commit()
        await TemporaryThreads(ScopedPool(pool), ScopedSaver(pool)).sweep()


async def test_an_unlisted_thread_is_deleted_after_30_days_and_its_memory_kept(
    client: ApiClient, gateway: RunningGateway
) -> None:
    await _ask(client, "I play the violin.")
    await _ask(client, "I play the violin.", "Nice.", "What is a capo?")
    await client.flush()
    await _sweep(gateway.database, days=29.9)
    assert "messages" in tables_containing(gateway.database, "capo")
    await _sweep(gateway.database, days=30.1)
    with psycopg.connect(gateway.database) as connection:
        for table in ("threads", "messages", "runs"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert [memory["text"] for memory in await client.memories(kind="user")] == ["Plays the violin"]
    assert "Plays the violin" in (await client.send("Do I play the violin?")).recalled


async def test_a_listed_thread_is_kept(client: ApiClient, gateway: RunningGateway) -> None:
    thread = new_thread()
    await client.send("I play the violin.", thread=thread)
    await _sweep(gateway.database, days=365)
    assert len((await client.http.get(f"/threads/{thread}/messages")).json()["items"]) == 2


async def test_a_message_that_is_repeated_after_30_days_adds_nothing_twice(
    client: ApiClient, gateway: RunningGateway
) -> None:
    await _ask(client, "I play the violin.")
    await client.flush()
    before = await client.memories()
    await _sweep(gateway.database, days=30.1)
    await _ask(client, "I play the violin.")
    result = await client.flush()
    assert result["added"] == 0, result
    assert [memory["id"] for memory in await client.memories()] == [memory["id"] for memory in before]
