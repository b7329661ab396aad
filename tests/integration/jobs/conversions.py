"""Conversions of vectors to another embedding model, and databases to convert."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from agent import AgentSettings, Progress, reembed_database
from agent.store.conversion import PAGE_SIZE
from conftest import make_settings, model_settings
from support.client import ApiClient
from support.scripted_openai import EMBEDDINGS, Gate, ScriptedOpenAI

TEXTS = 2 * PAGE_SIZE + 22
WITHOUT_DELAYS = ((0.0, 64), (0.0, 16), (0.0, 1))


class ClosesAfter(Gate):
    """A gate that closes after a number of requests."""

    def __init__(self, requests: int) -> None:
        super().__init__()
        self._remaining = requests

    async def wait(self) -> None:
        if self._remaining == 0:
            self.close()
        self._remaining -= 1
        await super().wait()


def rows(database: str, statement: LiteralString | sql.Composed) -> list[tuple[Any, ...]]:
    with psycopg.connect(database, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def fill(database: str) -> None:
    """Write three pages of memories of one user."""
    rows(
        database,
        f"""INSERT INTO store (prefix, key, value)
        SELECT 'users.ada.memories.user', n::text, jsonb_build_object('text', 'Knows number ' || n)
        FROM generate_series(1, {TEXTS}) AS n""",
    )
    rows(
        database,
        """INSERT INTO store_vectors (prefix, key, field_name, embedding)
        SELECT prefix, key, 'text', array_fill(0.1, ARRAY[384])::vector FROM store
        WHERE prefix = 'users.ada.memories.user'""",
    )


async def converted(settings: AgentSettings) -> list[Progress]:
    return [progress async for progress in reembed_database(settings, attempts=WITHOUT_DELAYS)]


async def half_done(settings: AgentSettings) -> None:
    """Start a conversion, and stop it after a page."""
    async with aclosing(reembed_database(settings)) as conversion:
        async for progress in conversion:
            if progress.done == PAGE_SIZE:
                return


async def add(client: ApiClient, *texts: str) -> None:
    for text in texts:
        (await client.http.post("/memories", json={"text": text})).raise_for_status()


@asynccontextmanager
async def held_conversion(model: ScriptedOpenAI, settings: AgentSettings) -> AsyncIterator[None]:
    """Pause a conversion during the second page, until the end of the block."""
    model.script.embeddings_gate = ClosesAfter(1)
    conversion = asyncio.create_task(converted(settings))
    await model.wait_for_request(EMBEDDINGS, 2, timeout_seconds=30)
    try:
        yield
    finally:
        model.script.embeddings_gate.open()
        await conversion


def changed(database: str, model: ScriptedOpenAI, dims: int = 768) -> AgentSettings:
    return make_settings(database, **model_settings(model, embedding_dims=dims))
