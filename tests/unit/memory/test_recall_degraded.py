"""Recall without an embedder, or with a store that fails or hangs."""

import asyncio
import random

import pytest
from langgraph.store.memory import InMemoryStore

from agent.memory.records import namespaces
from agent.models.embeddings import CachedEmbeddings
from agent.types import RecallResult, UserId
from support.memory_stores import (
    QUERY,
    TS,
    USER,
    FailingSearchStore,
    HangingStore,
    UnavailableStore,
    WordStore,
    add,
    add_sentences,
    add_to_inbox,
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


async def test_without_an_embedder_recall_is_degraded_and_searches_by_words(store: WordStore) -> None:
    await add(store, memory("the violin 0.2"), memory("a cello 0.9"), memory("Is vegan"))
    await add_to_inbox(store, "the harp 0.2")
    await add_sentences(store, ("top_of_mind", "Moves.", TS))
    result = await recall(store, embeddings=UNAVAILABLE)
    assert sorted(texts(result)) == ["the harp 0.2", "the violin 0.2"]
    assert (result.degraded, result.has_failed) == (True, False)
    assert [hit.text for hit in result.standing] == ["Is vegan", "Moves."]


async def test_an_embedder_that_misses_the_deadline_makes_recall_degraded(store: WordStore) -> None:
    released = asyncio.Event()

    async def embed_late(late: list[str]) -> list[list[float]]:
        await released.wait()
        return await embed(late)

    await add(store, memory("the violin 0.2"))
    embeddings = CachedEmbeddings(embed_late)
    result = await recall(store, embeddings=embeddings, deadline_seconds=0.05)
    assert (texts(result), result.degraded) == (["the violin 0.2"], True)
    released.set()
    await embeddings.aembed_query(QUERY, owner=namespaces.owner(USER))


async def test_a_store_without_ranks_and_word_search_recalls_by_similarity() -> None:
    store = InMemoryStore(index={"dims": 2, "embed": embed, "fields": ["text"]})
    await add(store, memory("the violin 0.9"), memory("Is vegan"))
    result = await recall(store)
    assert (texts(result), [hit.text for hit in result.standing]) == (["the violin 0.9"], ["Is vegan"])
    degraded = await recall(store, embeddings=UNAVAILABLE)
    assert degraded == RecallResult(standing=result.standing, degraded=True)


async def test_standing_memories_are_kept_if_the_search_fails() -> None:
    store = FailingSearchStore()
    await add(store, memory("the violin 0.9"), memory("Is vegan"))
    result = await recall(store)
    assert ([hit.text for hit in result.standing], result.hits) == (["Is vegan"], ())
    assert (result.degraded, result.has_failed) == (True, False)


async def test_a_changed_memory_is_reported_even_if_the_search_fails() -> None:
    store = FailingSearchStore()
    shown = memory("Is vegan")
    result = await recall(store, shown=[{"id": shown.id, "kind": "user", "text": shown.text}])
    assert (result.has_changed, result.degraded) == (True, True)


async def test_long_comparisons_make_recall_degraded(store: WordStore) -> None:
    await add(store, memory("Is vegan"))
    words = [
        "I",
        "moved",
        "sold",
        "love",
        "hate",
        "my",
        "new",
        "old",
        "car",
        "dog",
        "sister",
        "Oslo",
        "Monday",
        "three",
    ]
    for number in range(8):
        statements = [" ".join(["I", *random.Random(number * 50 + n).choices(words, k=9)]) for n in range(40)]
        await add_to_inbox(store, f"the violin 0.2 {'. '.join(statements)}")
    result = await recall(store, deadline_seconds=0.2)
    assert (texts(result), [hit.text for hit in result.standing]) == ([], ["Is vegan"])
    assert (result.degraded, result.has_failed) == (True, False)


@pytest.mark.parametrize("kind", [UnavailableStore, HangingStore])
async def test_a_store_that_fails_or_hangs_makes_recall_degraded_and_empty(kind: type[InMemoryStore]) -> None:
    assert await recall(kind(), deadline_seconds=0.05) == RecallResult(degraded=True, has_failed=True)


async def test_a_statement_without_a_vector_is_not_standing() -> None:
    assert not await recaller(UNAVAILABLE).is_standing(USER, "I am allergic to bees.")
    assert not await recaller().is_standing(USER, "I am allergic to bees.")


async def test_the_vector_of_another_users_message_is_never_used(store: WordStore) -> None:
    calls: list[list[str]] = []

    async def counted(embedded: list[str]) -> list[list[float]]:
        calls.append(embedded)
        return await embed(embedded)

    recalls = recaller(CachedEmbeddings(counted))
    for user in (USER, UserId("eve")):
        await recalls.recall(store, user, QUERY, context_messages=set())
        await recalls.is_standing(user, QUERY)
    assert calls == [[QUERY], [QUERY]]
