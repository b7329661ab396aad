"""Races between formation and erase, forget or undo: formation never restores forgotten data."""

import asyncio
import json
import random
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import psycopg
import pytest
from prometheus_client import CollectorRegistry

from agent.accounts.erasure import Erasure
from agent.conversations.transcript import Transcript
from agent.database.pools import open_pool
from agent.database.row_security import ROLE, ScopedPool
from agent.errors import ChangedMeanwhileError
from agent.jobs.drain import InboxDrainer
from agent.jobs.metrics import FormationMetrics
from agent.jobs.queue import FormationQueue
from agent.memory.editing.library import Library
from agent.memory.formation.batch import Batch
from agent.memory.formation.extract import ExtractedMemories
from agent.memory.formation.former import ExtractorFormer
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import batches, documents, inbox
from agent.models.embeddings import CachedEmbeddings
from agent.store.factory import index_of
from agent.store.postgres import ExactPostgresStore
from agent.types import Memory, MemoryId, MessageId, Source, ThreadId, UserId
from conftest import DIMS, make_settings
from support.formation import extraction, fact
from support.rounds import ROUNDS
from support.stored_documents import tables_containing
from support.tried_and_held import Record

RACES = 20 * ROUNDS  # per action
MAX_CONCURRENT_RACES = 8
MAX_DELAY_SECONDS = 0.03  # about the duration of either side

SETUP = """
INSERT INTO users (id, issuer, subject) SELECT "user", 'test', "user" FROM racers;
INSERT INTO threads (id, user_id) SELECT thread, "user" FROM racers;
INSERT INTO messages (user_id, id, thread_id, role, text, enqueued)
SELECT "user", message, thread, 'user', 'I live in Canaria.', NOT missed FROM racers;
INSERT INTO store (prefix, key, value)
SELECT 'users.' || user_id || '.inbox', id, jsonb_build_object(
    'text', text, 'source_thread', thread_id, 'ts', now()::text, 'answer', ''
)
FROM messages WHERE enqueued;
"""
"""Each user has one message, which is in the inbox or, if missed, only in the transcript."""


@dataclass(frozen=True)
class Racer:
    """A user with one message in one thread. The prefix of the user id is the action to race."""

    user: UserId
    missed: bool
    thread: ThreadId = field(default_factory=lambda: ThreadId(str(uuid.uuid4())))
    message: MessageId = field(default_factory=lambda: MessageId(str(uuid.uuid4())))
    extraction_started: asyncio.Event = field(default_factory=asyncio.Event)
    extraction_released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def earlier_memory(self) -> Memory:
        """A memory from another thread that the extracted fact replaces."""
        ts = "2026-05-01T09:30:00+00:00"
        source = Source(str(uuid.uuid5(uuid.NAMESPACE_OID, self.user)), str(uuid.uuid4()), "I live in Tenerife", ts)
        return Memory(
            id=MemoryId(str(uuid.uuid5(uuid.NAMESPACE_OID, self.thread))),
            kind="user",
            text="Lives in Tenerife",
            ts=ts,
            sources=(source,),
        )


@dataclass(frozen=True)
class BlockingExtractor:
    """Extracts a fact when the racer releases it."""

    racers: dict[str, Racer]

    async def extract(self, batch: Batch, known: KnownMemories) -> ExtractedMemories:
        racer = self.racers[batch.items[0].thread]
        racer.extraction_started.set()
        await racer.extraction_released.wait()
        return extraction(
            fact("Lives in Canaria", "I live in Canaria.", replaces=1 if known.memories else None),
            personal_context="Lives in Canaria.",
            episode="User told that they live in Canaria.",
        )


@dataclass(frozen=True)
class Components:
    """The components that race, on one database."""

    store: ExactPostgresStore
    library: Library
    erasure: Erasure
    drainer: InboxDrainer

    async def race(self, racer: Racer, action: Callable[[Racer], Awaitable[object]]) -> None:
        """Drain an inbox, and act before, during or after the extraction."""

        async def release_extraction() -> None:
            await asyncio.sleep(random.uniform(0, MAX_DELAY_SECONDS))
            racer.extraction_released.set()

        async def run_action() -> None:
            if not racer.missed:
                await racer.extraction_started.wait()
            await asyncio.gather(action(racer), release_extraction())

        async def drain() -> None:
            if not racer.missed:
                await self.drainer.former.process(
                    self.store, racer.user, await inbox.list_items(self.store, racer.user)
                )
                return
            with suppress(ChangedMeanwhileError):  # the account was erased before the drain
                await self.drainer.flush(racer.user)

        await asyncio.gather(drain(), run_action())


async def _embed(texts: list[str]) -> list[list[float]]:
    return [[1.0] + [0.0] * (DIMS - 1) for _ in texts]


@asynccontextmanager
async def _open_components(database: str, racers: Sequence[Racer]) -> AsyncIterator[Components]:
    """Open the components, and store the racers' messages."""
    settings = make_settings(database, openai_api_key="x", embedding_dims=DIMS)
    rows = [
        {"user": racer.user, "thread": racer.thread, "message": racer.message, "missed": racer.missed}
        for racer in racers
    ]
    async with open_pool(database, size=8, name="own") as own, open_pool(database, size=8, name="memory") as memory:
        async with ScopedPool(own).unscoped() as connection:
            await connection.execute(
                "CREATE TEMPORARY TABLE racers ON COMMIT DROP AS "
                'SELECT * FROM json_to_recordset(%s) AS racer ("user" text, thread uuid, message uuid, missed bool)',
                (json.dumps(rows),),
            )
            for statement in SETUP.split(";\n")[:-1]:
                await connection.execute(psycopg.sql.SQL(statement))
        store = ExactPostgresStore(memory, index=index_of(settings, CachedEmbeddings(_embed)), role=ROLE)
        transcript = Transcript(ScopedPool(own))
        former = ExtractorFormer(BlockingExtractor({racer.thread: racer for racer in racers}), min_confidence=0.7)
        yield Components(
            store=store,
            library=Library(store, transcript),
            erasure=Erasure(ScopedPool(own), store),
            drainer=InboxDrainer(
                store,
                former,
                FormationQueue(ScopedPool(own), 30, 300),
                transcript,
                FormationMetrics(CollectorRegistry()),
                30,
            ),
        )


@pytest.mark.timeout(180)
async def test_formation_never_restores_forgotten_data_in_any_race(database: str, record: Record) -> None:
    action_names = ("erased", "emptied", "thread", "forgotten", "undone")
    racers = [Racer(UserId(f"{name}-{n}"), missed=n % 5 == 0) for n in range(RACES) for name in action_names]
    async with _open_components(database, racers) as components:
        actions: dict[str, Callable[[Racer], Awaitable[object]]] = {
            "erased": lambda racer: components.erasure.erase(racer.user),
            "emptied": lambda racer: components.library.forget_all(racer.user),
            "thread": lambda racer: components.library.forget_thread(racer.user, racer.thread, {racer.message}),
            "forgotten": lambda racer: components.library.forget(racer.user, racer.earlier_memory.id),
            "undone": lambda racer: components.library.undo(racer.user, racer.earlier_memory.id),
        }
        with_memory = [racer for racer in racers if racer.user.startswith(("forgotten", "undone"))]
        await batches.put(
            components.store, [documents.put_op(racer.user, racer.earlier_memory) for racer in with_memory]
        )
        queue = iter(racers)

        async def run_races() -> None:
            for racer in queue:
                await components.race(racer, actions[racer.user.partition("-")[0]])

        await asyncio.gather(*(run_races() for _ in range(MAX_CONCURRENT_RACES)))
    remaining = _stored_documents(database)
    assert not any(remaining[racer.user] for racer in racers if racer.user.startswith(("erased", "emptied", "thread")))
    assert "Tenerife" not in str([remaining[racer.user] for racer in racers if racer.user.startswith("forgotten")])
    undone = [remaining[racer.user]["user"] for racer in racers if racer.user.startswith("undone")]
    assert {len(texts) for texts in undone} == {1}  # either the new fact or the one that it replaced
    assert tables_containing(database, "erased-") == []
    record(len(racers), len(racers))


def _stored_documents(database: str) -> dict[str, dict[str, list[str]]]:
    """All documents in the store, by user and kind."""
    by_user: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    with psycopg.connect(database) as connection:
        for prefix, value in connection.execute("SELECT prefix, value::text FROM store").fetchall():
            _, user, *_, kind = prefix.split(".")
            by_user[user][kind].append(value)
    return by_user
