"""Races of formation with erasing and forgetting: nothing is restored, and no partial result is visible."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg
import pytest
from langgraph.store.base import BaseStore, GetOp, PutOp

from agent.memory.editing.forget import forget
from agent.memory.formation.extract import ExtractedMemories, ExtractedMemory
from agent.memory.formation.former import ExtractorFormer
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import batches, changes, lookup, namespaces
from agent.memory.records.changes import Change
from agent.memory.records.inbox import InboxItem
from agent.types import UserId
from support.formation import (
    ScriptedExtractor,
    add_to_inbox,
    extraction,
    extractor_returning,
    fact,
    inbox_item,
    memory_store,
    new_user,
    postgres_store,
    read_documents,
    recallable_text,
)
from support.rounds import ROUNDS
from support.tried_and_held import Record

RACES = {"postgres": 20 * ROUNDS, "memory": 60 * ROUNDS}  # per eraser
CONCURRENT_RACES = 10
MAX_HEAD_START = 200  # in cycles of the event loop

BATCHES = 40
COUNTS = """
    SELECT count(*) FILTER (WHERE prefix LIKE '%%.inbox'), count(*) FILTER (WHERE prefix LIKE '%%.user'),
        count(*) FILTER (WHERE prefix LIKE '%%.episodic')
    FROM store WHERE prefix LIKE 'users.' || %(user)s || '.%%'"""

STATEMENTS: list[Callable[[], ExtractedMemory]] = [
    lambda: fact("Lives in Oslo", "I live in Oslo"),
    lambda: fact("Has a home in Oslo", "I live in Oslo", same_as=1),
    lambda: fact("Lives in Bergen", "moving to Bergen", replaces=1),
]
"""Facts that a message may state about the memory that is being forgotten."""


@dataclass
class Race:
    """A user who is known to live in Oslo, and whose inbox has a message about Oslo and one about a violin."""

    store: BaseStore
    user: UserId
    oslo_key: str
    violin_item: InboxItem
    home_item: InboxItem

    @classmethod
    async def create(cls, store: BaseStore) -> "Race":
        user = new_user()
        extractor = extractor_returning(fact("Lives in Oslo", "I live in Oslo"), personal_context="Lives in Oslo.")
        await ExtractorFormer(extractor, min_confidence=0.7).process(
            store, user, await add_to_inbox(store, user, inbox_item("I live in Oslo."))
        )
        [oslo] = await store.asearch(namespaces.memories(user, "user"))
        violin_item, home_item = (
            inbox_item("I play the violin.", minute=1),
            inbox_item("I live in Oslo, and am moving to Bergen.", minute=2),
        )
        await add_to_inbox(store, user, violin_item, home_item)
        return cls(store, user, oslo.key, violin_item, home_item)

    async def run(self, rng: random.Random, eraser: "Eraser") -> None:
        """Run a drain and an eraser concurrently; a random one of them has a head start."""
        memories = [fact("Plays the violin", "I play the violin"), rng.choice(STATEMENTS)()]
        extractor = ScriptedExtractor(
            lambda *_: extraction(*memories, episode="User plays the violin.", top_of_mind="Plays the violin.")
        )
        extractor.may_finish.clear()
        drain = asyncio.create_task(
            ExtractorFormer(extractor, min_confidence=0.7).process(
                self.store, self.user, [self.violin_item, self.home_item]
            )
        )
        await extractor.started.wait()
        head_start = rng.randrange(-MAX_HEAD_START, MAX_HEAD_START)
        erasing = asyncio.create_task(after_cycles(-head_start, eraser(self)))
        await after_cycles(head_start, do_nothing())
        extractor.may_finish.set()
        _, check = await asyncio.gather(drain, erasing)
        await check()
        assert len(extractor.calls) == 1

    async def all_text(self) -> str:
        """Everything stored about the user, including history."""
        return await recallable_text(self.store, self.user) + str(
            await read_documents(self.store, namespaces.retired(self.user))
        )


Check = Callable[[], Awaitable[None]]
Eraser = Callable[[Race], Coroutine[Any, Any, Check]]
T = TypeVar("T")


async def after_cycles(steps: int, awaitable: Awaitable[T]) -> T:
    for _ in range(steps):
        await asyncio.sleep(0)
    return await awaitable


async def do_nothing() -> None:
    pass


async def erase_message(race: Race) -> Check:
    """Delete the inbox item about the violin. If the drain has not committed it yet, nothing of it must remain."""
    namespace = namespaces.inbox(race.user)
    [item] = await batches.get(race.store, [GetOp(namespace, race.violin_item.message)])
    deleted = item is not None and await batches.commit(
        race.store, [PutOp(namespace, race.violin_item.message, None)], unchanged=batches.read_versions([item])
    )

    async def check() -> None:
        assert ("violin" in await race.all_text()) is not deleted

    return check


async def forget_memory(race: Race) -> Check:
    """Forget the memory about Oslo. The fact about the violin must remain."""
    await changes.commit_change(race.store, lambda: forget(race.store, race.user, race.oslo_key))

    async def check() -> None:
        all_text = await race.all_text()
        assert "Oslo" not in all_text
        assert "Plays the violin" in all_text

    return check


async def erase_everything(race: Race) -> Check:
    """Delete everything."""

    async def plan() -> Change[None]:
        roots = (namespaces.all_memories, namespaces.inbox, namespaces.profile, namespaces.retired)
        items = [item for root in roots for item in await lookup.read_all(race.store, root(race.user))]
        return Change([PutOp(item.namespace, item.key, None) for item in items], batches.read_versions(items), None)

    await changes.commit_change(race.store, plan)

    async def check() -> None:
        assert await race.all_text() == "[[], [], []][]"

    return check


def extract_statement(items: Sequence[InboxItem], _: KnownMemories) -> ExtractedMemories:
    [item] = items
    return extraction(fact(item.text, item.text), episode=f"User said: {item.text}")


async def run_races(store: BaseStore, races: int, eraser: Eraser) -> None:
    rng = random.Random(races)
    for _ in range(races // CONCURRENT_RACES):
        race_batch = await asyncio.gather(*(Race.create(store) for _ in range(CONCURRENT_RACES)))
        await asyncio.gather(*(race.run(rng, eraser) for race in race_batch))


@pytest.mark.parametrize("eraser", [erase_message, forget_memory, erase_everything])
async def test_a_concurrent_drain_restores_nothing_that_was_erased_or_forgotten(
    database: str, record: Record, eraser: Eraser
) -> None:
    async with postgres_store(database) as store:
        await run_races(store, RACES["postgres"], eraser)
    record(RACES["postgres"], RACES["postgres"])


@pytest.mark.parametrize("eraser", [erase_message, forget_memory, erase_everything])
async def test_a_concurrent_drain_restores_nothing_in_a_store_without_transactions(
    record: Record, eraser: Eraser
) -> None:
    await run_races(memory_store(indexed=False), RACES["memory"], eraser)
    record(RACES["memory"], RACES["memory"])


async def test_a_reader_never_sees_part_of_a_batch(database: str) -> None:
    """Each message is either in the inbox, or all of its fact, episode and profile sentence are stored."""
    user = new_user()
    messages = [inbox_item(f"I sailed to island number {n}.", thread=str(n)) for n in range(BATCHES)]
    counts_seen: list[tuple[int, ...]] = []
    async with postgres_store(database) as store:
        await add_to_inbox(store, user, *messages)
        extractor = ScriptedExtractor(extract_statement)
        async with await psycopg.AsyncConnection.connect(database, autocommit=True) as reader:
            drain = asyncio.create_task(ExtractorFormer(extractor, min_confidence=0.7).process(store, user, messages))
            while not drain.done():
                cursor = await reader.execute(COUNTS, {"user": user})
                counts_seen += await cursor.fetchall()
        await drain
    assert {sum(counts[:2]) for counts in counts_seen} == {BATCHES}
    assert all(facts == episodes for _, facts, episodes in counts_seen)
    assert len(set(counts_seen)) > 2
