"""Insert the memories of `make bench` into each system's tables."""

import asyncio
import json
import random
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import LiteralString

import psycopg
from psycopg.types.json import Jsonb

from .peer_systems import LangGraphDev, Note
from .turn_seed import KINDS, memory_texts, texts_with_vectors, user_name

CONCURRENCY = 50


def memory_numbers(users: int, texts: int) -> Iterator[tuple[int, str, int]]:
    """(user, id, number of the text) of all memories, interleaved by user."""
    pick = random.Random(1)
    for _ in KINDS:
        for user in range(users):
            yield user, str(uuid.UUID(int=pick.getrandbits(128))), pick.randrange(texts)


async def seed_langgraph_store(model: str, uri: str, users: int, field: str) -> None:
    """Insert memories into LangGraph's store, in the form of both adapters, which index different fields."""
    texts, vectors = await texts_with_vectors(model)
    rows = [(f"memories.{user_name(user)}", key, n) for user, key, n in memory_numbers(users, len(texts))]
    async with await psycopg.AsyncConnection.connect(uri, autocommit=True) as connection, connection.cursor() as cursor:
        async with cursor.copy("COPY store (prefix, key, value) FROM STDIN") as copy:
            for prefix, key, n in rows:
                value = {"data": texts[n], "kind": "Memory", "content": {"content": texts[n]}}
                await copy.write_row((prefix, key, Jsonb(value)))
        async with cursor.copy("COPY store_vectors (prefix, key, field_name, embedding) FROM STDIN") as copy:
            for prefix, key, n in rows:
                await copy.write_row((prefix, key, field, vectors[n]))
        await cursor.execute("VACUUM ANALYZE")


async def seed_mem0(model: str, uri: str, users: int) -> None:
    """Insert memories into mem0's collection, with the payload that it writes."""
    texts, vectors = await texts_with_vectors(model)
    now = datetime.now(UTC).isoformat()
    insert: LiteralString = "COPY mem0 (id, vector, payload) FROM STDIN"
    async with await psycopg.AsyncConnection.connect(uri, autocommit=True) as connection, connection.cursor() as cursor:
        async with cursor.copy(insert) as copy:
            for user, key, n in memory_numbers(users, len(texts)):
                payload = {
                    "data": texts[n],
                    "text_lemmatized": texts[n].lower(),
                    "hash": key,
                    "created_at": now,
                    "updated_at": now,
                    "user_id": user_name(user),
                }
                await copy.write_row((key, vectors[n], json.dumps(payload)))
        await cursor.execute("VACUUM ANALYZE")


async def seed_langgraph_dev(dev: LangGraphDev, users: Sequence[int]) -> None:
    """Store the memories of these users only, because they are in the server's memory.

    The texts are unique, because the server rejects puts that arrive together and have the same text.
    """
    limit = asyncio.Semaphore(CONCURRENCY)
    texts = memory_texts()

    async def put(user: int, key: str, n: int) -> None:
        async with limit:
            await dev.put(user, [Note(key, f"{texts[n]} ({key[:8]})")])

    numbers = memory_numbers(max(users) + 1, len(texts))
    await asyncio.gather(*(put(user, key, n) for user, key, n in numbers if user in users))
