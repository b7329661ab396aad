"""Erasing and forgetting while a drain runs: nothing is resurrected, and nothing is ever half there."""

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

RACES = {"postgres": 80, "memory": 260}  # for each way to erase: a thousand together
AT_ONCE = 10
MOST_STEPS = 200  # of the event loop, that either side may be ahead of the other

BATCHES = 40
COUNTS = """
    SELECT count(*) FILTER (WHERE prefix LIKE '%%.inbox'), count(*) FILTER (WHERE prefix LIKE '%%.user'),
        count(*) FILTER (WHERE prefix LIKE '%%.episodic')
    FROM store WHERE prefix LIKE 'users.' || %(user)s || '.%%'"""

AGAIN: list[Callable[[], ExtractedMemory]] = [
    lambda: fact("Lives in Oslo", "I live in Oslo"),
    lambda: fact("Has a home in Oslo", "I live in Oslo", same_as=1),
    lambda: fact("Lives in Bergen", "moving to Bergen", replaces=1),
]
"""What a message may say of a memory that is being forgotten."""


@dataclass
class Race:
    """Somebody known to live in Oslo, who has just spoken of that and of a violin."""

    store: BaseStore
    user: UserId
    oslo: str
    violin: InboxItem
    home: InboxItem

    @classmethod
    async def begin(cls, store: BaseStore) -> "Race":
        user = new_user()
        told = extractor_returning(fact("Lives in Oslo", "I live in Oslo"), personal_context="Lives in Oslo.")
        await ExtractorFormer(told, min_confidence=0.7).process(
            store, user, await add_to_inbox(store, user, inbox_item("I live in Oslo."))
        )
        [oslo] = await store.asearch(namespaces.memories(user, "user"))
        violin, home = (
            inbox_item("I play the violin.", minute=1),
            inbox_item("I live in Oslo, and am moving to Bergen.", minute=2),
        )
        await add_to_inbox(store, user, violin, home)
        return cls(store, user, oslo.key, violin, home)

    async def run(self, chance: random.Random, erase: "Erase") -> None:
        """Let a drain and somebody who erases meet, the one or the other some steps ahead."""
        said = [fact("Plays the violin", "I play the violin"), chance.choice(AGAIN)()]
        extractor = ScriptedExtractor(
            lambda *_: extraction(*said, episode="User plays the violin.", top_of_mind="Plays the violin.")
        )
        extractor.may_finish.clear()
        drain = asyncio.create_task(
            ExtractorFormer(extractor, min_confidence=0.7).process(self.store, self.user, [self.violin, self.home])
        )
        await extractor.started.wait()
        ahead = chance.randrange(-MOST_STEPS, MOST_STEPS)
        erasing = asyncio.create_task(_after(-ahead, erase(self)))
        await _after(ahead, _nothing())
        extractor.may_finish.set()
        _, check = await asyncio.gather(drain, erasing)
        await check()
        assert len(extractor.calls) == 1

    async def left(self) -> str:
        """Return all that there is, history included."""
        return await recallable_text(self.store, self.user) + str(
            await read_documents(self.store, namespaces.retired(self.user))
        )


Check = Callable[[], Awaitable[None]]
Erase = Callable[[Race], Coroutine[Any, Any, Check]]
T = TypeVar("T")


async def _after(steps: int, work: Awaitable[T]) -> T:
    for _ in range(steps):
        await asyncio.sleep(0)
    return await work


async def _nothing() -> None:
    pass


async def _erase_a_message(race: Race) -> Check:
    """Delete the inbox item of the violin; if that is in time, nothing of it is left."""
    place = namespaces.inbox(race.user)
    [item] = await batches.get(race.store, [GetOp(place, race.violin.message)])
    in_time = item is not None and await batches.commit(
        race.store, [PutOp(place, race.violin.message, None)], unchanged=batches.read_versions([item])
    )

    async def check() -> None:
        assert ("violin" in await race.left()) is not in_time

    return check


async def _forget_a_memory(race: Race) -> Check:
    """Forget that they live in Oslo; what else was said stays known."""
    await changes.commit_change(race.store, lambda: forget(race.store, race.user, race.oslo))

    async def check() -> None:
        left = await race.left()
        assert "Oslo" not in left
        assert "Plays the violin" in left

    return check


async def _erase_everything(race: Race) -> Check:
    """Delete all that there is."""

    async def plan() -> Change[None]:
        homes = (namespaces.all_memories, namespaces.inbox, namespaces.profile, namespaces.retired)
        items = [item for home in homes for item in await lookup.read_all(race.store, home(race.user))]
        return Change([PutOp(item.namespace, item.key, None) for item in items], batches.read_versions(items), None)

    await changes.commit_change(race.store, plan)

    async def check() -> None:
        assert await race.left() == "[[], [], []][]"

    return check


def _cats(items: Sequence[InboxItem], _: KnownMemories) -> ExtractedMemories:
    [item] = items
    return extraction(fact(item.text, item.text), episode=f"User said: {item.text}")


async def _many_races(store: BaseStore, races: int, erase: Erase) -> None:
    chance = random.Random(races)
    for _ in range(races // AT_ONCE):
        begun = await asyncio.gather(*(Race.begin(store) for _ in range(AT_ONCE)))
        await asyncio.gather(*(race.run(chance, erase) for race in begun))


@pytest.mark.parametrize("erase", [_erase_a_message, _forget_a_memory, _erase_everything])
async def test_erasing_and_forgetting_while_a_drain_runs_resurrects_nothing(database: str, erase: Erase) -> None:
    async with postgres_store(database) as store:
        await _many_races(store, RACES["postgres"], erase)


@pytest.mark.parametrize("erase", [_erase_a_message, _forget_a_memory, _erase_everything])
async def test_the_same_holds_in_a_store_that_cannot_commit(erase: Erase) -> None:
    await _many_races(memory_store(indexed=False), RACES["memory"], erase)


async def test_a_reader_never_sees_half_a_batch(database: str) -> None:
    """Each message is either in the inbox, or its fact, its episode and its sentence of the profile are there."""
    user = new_user()
    messages = [inbox_item(f"I have {n} cats.", thread=str(n)) for n in range(BATCHES)]
    seen: list[tuple[int, ...]] = []
    async with postgres_store(database) as store:
        await add_to_inbox(store, user, *messages)
        extractor = ScriptedExtractor(_cats)
        async with await psycopg.AsyncConnection.connect(database, autocommit=True) as reader:
            drain = asyncio.create_task(ExtractorFormer(extractor, min_confidence=0.7).process(store, user, messages))
            while not drain.done():
                found = await reader.execute(COUNTS, {"user": user})
                seen += await found.fetchall()
        await drain
    assert {sum(counts[:2]) for counts in seen} == {BATCHES}
    assert all(facts == episodes for _, facts, episodes in seen)
    assert len(set(seen)) > 2
