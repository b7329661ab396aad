"""The users of the turn measurement and their memories."""

import random
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from openai import AsyncOpenAI
from psycopg.types.json import Jsonb

from agent.database import open_database
from agent.settings import AgentSettings
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label

from .processes import DIMS

USERS = 2_000
KINDS = ["user"] * 24 + ["episodic"] * 12 + ["procedural"] * 4  # of one user
SUBJECTS = ["dog", "garden", "sister", "bicycle", "thesis", "kitchen", "violin", "boat", "team", "novel"]
QUALITIES = ["old", "new", "green", "slow", "dear", "small", "famous", "broken", "quiet", "heavy"]
PLACES = ["Oslo", "Lima", "Kyoto", "Accra", "Turin", "Quito", "Perth", "Minsk", "Dakar", "Sofia"]


def memory_texts() -> list[str]:
    """The texts of all memories."""
    return [f"Their {q} {s} is in {p}" for s in SUBJECTS for q in QUALITIES for p in PLACES]


async def texts_with_vectors(model: str) -> tuple[list[str], list[str]]:
    """The texts of all memories, and their vectors as Postgres reads them."""
    texts = memory_texts()
    async with AsyncOpenAI(base_url=f"{model}/v1", api_key="x") as client:
        embedded = await client.embeddings.create(model="scripted", input=texts, dimensions=DIMS)
    return texts, [str(item.embedding) for item in embedded.data]


async def seed(model: str, data: Path, users: int = USERS, *, database_url: str | None = None) -> None:
    """Insert all memories, interleaved: each user's first memory, then each user's second ….

    Args:
        model: URL of the model.
        data: folder of the embedded Postgres.
        users: how many.
        database_url: another Postgres.
    """
    texts, vectors = await texts_with_vectors(model)
    pick = random.Random(1)
    homes = [f"users.{user_label(LOCAL_ISSUER, user_name(n))}.memories" for n in range(users)]
    rows = [
        (f"{home}.{kind}", str(uuid.UUID(int=pick.getrandbits(128))), pick.randrange(len(texts)), kind)
        for kind in KINDS
        for home in homes
    ]
    settings = AgentSettings(data_dir=data, database_url=database_url, _env_file=None)
    async with (
        open_database(settings) as uri,
        await psycopg.AsyncConnection.connect(uri, autocommit=True) as connection,
        connection.cursor() as cursor,
    ):
        async with cursor.copy("COPY users (id, issuer, subject, compaction_due_at) FROM STDIN") as copy:
            for n in range(users):
                label = user_label(LOCAL_ISSUER, user_name(n))
                await copy.write_row((label, LOCAL_ISSUER, user_name(n), "infinity"))  # without compaction
        async with cursor.copy("COPY store (prefix, key, value) FROM STDIN") as copy:
            for prefix, key, n, kind in rows:
                await copy.write_row((prefix, key, Jsonb(memory_value(texts[n], kind))))
        async with cursor.copy("COPY store_vectors (prefix, key, field_name, embedding) FROM STDIN") as copy:
            for prefix, key, n, _ in rows:
                await copy.write_row((prefix, key, "text", vectors[n]))
        for statement in ("VACUUM ANALYZE", "CHECKPOINT"):
            await cursor.execute(statement)


def user_name(n: int) -> str:
    """The sign-in name of user `n`."""
    return f"user{n}"


def memory_value(text: str, kind: str) -> dict[str, Any]:
    """A memory document as formation writes it."""
    ts = datetime.now(UTC).isoformat()
    thread = str(uuid.uuid4())
    source = {"thread": thread, "message": str(uuid.uuid4()), "quote": text, "ts": ts}
    return {
        "text": text,
        "type": kind,
        "source_thread": thread,
        "ts": ts,
        "category": "personal",
        "confidence": 0.9,
        "sources": [source],
        "confirmed": 1,
        "last_seen": ts,
    }
