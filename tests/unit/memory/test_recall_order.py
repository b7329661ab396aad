"""Recall: the order of standing memories, messages for which a memory is not relevant, and the replica."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest
from langgraph.store.base import SearchItem, SearchOp

from agent.memory.recall.recall import REPLICA_SHARE
from agent.memory.records import batches, namespaces
from agent.memory.records.documents import document_op, to_document
from agent.memory.records.mismatches import Mismatch, with_mismatch
from agent.models.embeddings import CachedEmbeddings
from agent.store.replica import Replica
from support.memory_stores import (
    NOW,
    QUERY,
    USER,
    WordStore,
    add,
    days_ago,
    embed,
    memory,
    recall,
    recaller,
    texts,
    unavailable,
)

UNAVAILABLE = CachedEmbeddings(unavailable)


@pytest.fixture
def store() -> WordStore:
    return WordStore()


async def test_of_pinned_memories_the_relevant_come_first(store: WordStore) -> None:
    pinned = [memory(text, pinned=True) for text in ("boat 0.1", "trip 0.9", "cat 0.2")]
    await add(store, *pinned, memory("Is vegan"))
    standing = [hit.text for hit in (await recall(store)).standing]
    assert (standing[0], standing[-1]) == ("trip 0.9", "Is vegan")


async def test_what_an_application_reported_is_not_standing(store: WordStore) -> None:
    await add(store, memory("Is vegan 0.9", reported_by="CRM"))
    result = await recall(store)
    assert (result.standing, [(hit.text, hit.reported_by) for hit in result.hits]) == ((), [("Is vegan 0.9", "CRM")])


async def test_of_two_standing_memories_about_a_subject_the_newer_comes_first(store: WordStore) -> None:
    older = memory("Lives in Oslo with Kari", last_seen=days_ago(9), confirmed=5)
    await add(store, older, memory("Lives in Bergen with Kari", last_seen=days_ago(1)))
    standing = [hit.text for hit in (await recall(store)).standing]
    assert standing == ["Lives in Bergen with Kari", "Lives in Oslo with Kari"]


async def test_a_memory_that_is_not_relevant_for_a_message_is_not_recalled_for_it(store: WordStore) -> None:
    [vector] = await embed([QUERY])
    mismatch = Mismatch.of(QUERY, recaller().calibrator.model, vector)
    document = with_mismatch(to_document(memory("trip 0.9")), mismatch)
    await batches.put(store, [document_op(namespaces.memories(USER, "user"), "trip", document)])
    await add(store, memory("boat 0.5"))
    assert texts(await recall(store)) == ["boat 0.5"]
    assert texts(await recall(store, "a trip 0.9", embeddings=UNAVAILABLE)) == ["trip 0.9"]


class _Replica:
    """A replica that answers with fixed items, or not."""

    def __init__(self, answer: list[list[SearchItem]] | None) -> None:
        self.answer = answer
        self.calls: list[tuple[int, str, float]] = []

    async def position(self) -> str:
        return "0/1"

    async def search(
        self, ops: Sequence[SearchOp], position: str, *, deadline_seconds: float
    ) -> list[list[SearchItem]] | None:
        self.calls.append((len(ops), position, deadline_seconds))
        return self.answer


@pytest.mark.parametrize(("answers", "shown"), [(True, ["boat 0.9"]), (False, ["trip 0.9"])])
async def test_a_replica_is_searched_within_its_share_of_the_deadline(
    store: WordStore, shown: list[str], *, answers: bool
) -> None:
    await add(store, memory("trip 0.9"))
    item = SearchItem(namespaces.memories(USER, "user"), "boat", to_document(memory("boat 0.9")), NOW, NOW, 0.9)
    replica = _Replica([[item], [], []] if answers else None)
    recalls = replace(recaller(), replica=cast("Replica", replica))
    assert texts(await recalls.recall(store, USER, QUERY, context_messages=set())) == shown
    assert replica.calls == [(3, "0/1", REPLICA_SHARE * recalls.deadline_seconds)]
