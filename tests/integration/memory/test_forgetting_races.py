"""Races: whatever is erased, forgotten or undone while a drain is at work, stays so."""

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

from agent.accounts.erasure import Erasure
from agent.conversations.transcript import Transcript
from agent.database.pools import open_pool
from agent.database.row_security import ROLE, ScopedPool
from agent.errors import ChangedMeanwhileError
from agent.jobs.drain import InboxDrainer
from agent.jobs.metrics import FormationMetrics
from agent.jobs.queue import FormationQueue
from agent.memory.editing.library import Library
from agent.memory.formation.extract import ExtractedMemories
from agent.memory.formation.former import ExtractorFormer
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import batches, documents, inbox
from agent.memory.records.inbox import InboxItem
from agent.models.embeddings import CachedEmbeddings
from agent.store.factory import index_of
from agent.store.postgres import ExactPostgresStore
from agent.types import Memory, MemoryId, MessageId, Source, ThreadId, UserId
from conftest import DIMS, make_settings
from support.formation import extraction, fact
from support.stored_documents import tables_containing

RACES = 100  # of each of five kinds
AT_ONCE = 8
SPREAD_SECONDS = 0.03  # about as long as either side takes

TALK = """
INSERT INTO users (id, issuer, subject) SELECT "user", 'test', "user" FROM given;
INSERT INTO threads (id, user_id) SELECT thread, "user" FROM given;
INSERT INTO messages (user_id, id, thread_id, role, text, noted)
SELECT "user", message, thread, 'user', 'I live in Canaria.', NOT missed FROM given;
INSERT INTO store (prefix, key, value)
SELECT 'users.' || user_id || '.inbox', id, jsonb_build_object(
    'text', text, 'source_thread', thread_id, 'ts', now()::text, 'answer', ''
)
FROM messages WHERE noted;
"""
"""Everybody has said one thing, which waits in their inbox, or was missed and has still to get there."""


@dataclass(frozen=True)
class Racer:
    """Somebody who has said where they live, in one thread; their id is what will be done about it."""

    user: UserId
    missed: bool
    thread: ThreadId = field(default_factory=lambda: ThreadId(str(uuid.uuid4())))
    message: MessageId = field(default_factory=lambda: MessageId(str(uuid.uuid4())))
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def before(self) -> Memory:
        """Where they lived before, said in another thread."""
        moment = "2026-05-01T09:30:00+00:00"
        source = Source(str(uuid.uuid5(uuid.NAMESPACE_OID, self.user)), str(uuid.uuid4()), "I live in Tenerife", moment)
        return Memory(
            id=MemoryId(str(uuid.uuid5(uuid.NAMESPACE_OID, self.thread))),
            kind="user",
            text="Lives in Tenerife",
            ts=moment,
            sources=(source,),
        )


@dataclass(frozen=True)
class Held:
    """Extracts that somebody lives in Canaria, instead of elsewhere, when it is let go."""

    racers: dict[str, Racer]

    async def extract(self, items: Sequence[InboxItem], known: KnownMemories) -> ExtractedMemories:
        racer = self.racers[items[0].thread]
        racer.begun.set()
        await racer.let_go.wait()
        return extraction(
            fact("Lives in Canaria", "I live in Canaria.", replaces=1 if known.memories else None),
            personal_context="Lives in Canaria.",
            episode="User told that they live in Canaria.",
        )


@dataclass(frozen=True)
class House:
    """The parts that race, on one database."""

    store: ExactPostgresStore
    library: Library
    erasure: Erasure
    drains: InboxDrainer

    async def race(self, racer: Racer, act: Callable[[Racer], Awaitable[object]]) -> None:
        """Drain an inbox, and act before the extractor is at work, while it is, or when it is being written."""

        async def let_go() -> None:
            await asyncio.sleep(random.uniform(0, SPREAD_SECONDS))
            racer.let_go.set()

        async def acted() -> None:
            if not racer.missed:
                await racer.begun.wait()
            await asyncio.gather(act(racer), let_go())

        async def drained() -> None:
            if not racer.missed:
                await self.drains.former.process(self.store, racer.user, await inbox.list_items(self.store, racer.user))
                return
            with suppress(ChangedMeanwhileError):  # the account is erased before there is anything to drain
                await self.drains.flush(racer.user)

        await asyncio.gather(drained(), acted())


async def _embed(texts: list[str]) -> list[list[float]]:
    return [[1.0] + [0.0] * (DIMS - 1) for _ in texts]


@asynccontextmanager
async def _opened(database: str, racers: Sequence[Racer]) -> AsyncIterator[House]:
    """Open the parts, and let the racers talk."""
    settings = make_settings(database, openai_api_key="x", embedding_dims=DIMS)
    given = [{"user": one.user, "thread": one.thread, "message": one.message, "missed": one.missed} for one in racers]
    async with open_pool(database, size=8, name="own") as own, open_pool(database, size=8, name="memory") as memory:
        async with ScopedPool(own).unscoped() as connection:
            await connection.execute(
                "CREATE TEMPORARY TABLE given ON COMMIT DROP AS "
                'SELECT * FROM json_to_recordset(%s) AS one ("user" text, thread uuid, message uuid, missed bool)',
                (json.dumps(given),),
            )
            for statement in TALK.split(";\n")[:-1]:
                await connection.execute(psycopg.sql.SQL(statement))
        store = ExactPostgresStore(memory, index=index_of(settings, CachedEmbeddings(_embed)), wall=ROLE)
        transcript = Transcript(ScopedPool(own))
        former = ExtractorFormer(Held({one.thread: one for one in racers}), 0.7)
        yield House(
            store=store,
            library=Library(store, transcript),
            erasure=Erasure(ScopedPool(own), store),
            drains=InboxDrainer(
                store, former, FormationQueue(ScopedPool(own), 30, 300), transcript, FormationMetrics(), 30
            ),
        )


@pytest.mark.timeout(180)
async def test_nothing_is_resurrected_in_five_hundred_races(database: str) -> None:
    kinds = ("erased", "emptied", "thread", "forgotten", "undone")
    racers = [Racer(UserId(f"{kind}-{n}"), missed=n % 5 == 0) for n in range(RACES) for kind in kinds]
    async with _opened(database, racers) as house:
        acts: dict[str, Callable[[Racer], Awaitable[object]]] = {
            "erased": lambda racer: house.erasure.erase(racer.user),
            "emptied": lambda racer: house.library.forget_all(racer.user),
            "thread": lambda racer: house.library.forget_thread(racer.user, racer.thread, {racer.message}),
            "forgotten": lambda racer: house.library.forget(racer.user, racer.before.id),
            "undone": lambda racer: house.library.undo(racer.user, racer.before.id),
        }
        knowing = [racer for racer in racers if racer.user.startswith(("forgotten", "undone"))]
        await batches.put(house.store, [documents.put_op(racer.user, racer.before) for racer in knowing])
        lanes = iter(racers)

        async def lane() -> None:
            for racer in lanes:
                await house.race(racer, acts[racer.user.partition("-")[0]])

        await asyncio.gather(*(lane() for _ in range(AT_ONCE)))
    left = _left(database)
    assert not any(left[racer.user] for racer in racers if racer.user.startswith(("erased", "emptied", "thread")))
    assert "Tenerife" not in str([left[racer.user] for racer in racers if racer.user.startswith("forgotten")])
    undone = [left[racer.user]["user"] for racer in racers if racer.user.startswith("undone")]
    assert {len(texts) for texts in undone} == {1}  # either what was said, or what it would have replaced
    assert tables_containing(database, "erased-") == []


def _left(database: str) -> dict[str, dict[str, list[str]]]:
    """Return what the store holds of each user, by kind."""
    left: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    with psycopg.connect(database) as connection:
        for prefix, value in connection.execute("SELECT prefix, value::text FROM store").fetchall():
            _, user, *_, kind = prefix.split(".")
            left[user][kind].append(value)
    return left
