"""Recall: ranking, minimum score, limits, duplicates and degradation, on LangGraph's in-memory store."""

import asyncio
import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.base import Op, Result, SearchItem
from langgraph.store.memory import InMemoryStore

from agent.errors import EmbedderUnavailableError
from agent.memory.recall.recall import EXTRA_INBOX_ITEMS, Recaller
from agent.memory.records import batches, inbox, namespaces, profile
from agent.memory.records.documents import to_document
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import Profile, Sentence
from agent.models.embeddings import CachedEmbeddings, Embed
from agent.types import Kind, Memory, MemoryId, MessageId, RecallResult, Source, ThreadId, UserId

USER = UserId("ada")
NOW = datetime.now(UTC)
QUERY = "the query"
TS = NOW.isoformat()


async def _embed(texts: Sequence[str]) -> list[list[float]]:
    """Vectors at a known angle: the cosine of a text such as "fact 0.7" and `QUERY` is 0.7."""
    return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    last_word = text.rsplit(" ", 1)[-1]
    cosine = 1.0 if text == QUERY else float(last_word)
    return [cosine, math.sqrt(1 - cosine * cosine)]


async def _unavailable(texts: list[str]) -> list[list[float]]:
    raise EmbedderUnavailableError(f"no vectors of {len(texts)} texts")


class WordStore(InMemoryStore):
    """An in-memory store that can also search by words."""

    async def asearch_words(
        self, namespaces: Sequence[tuple[str, ...]], query: str, *, limit: int, unindexed: bool = False
    ) -> list[list[SearchItem]]:
        words = set(query.split())
        found = [await self.asearch(namespace, limit=1_000) for namespace in namespaces]
        return [
            [
                item
                for item in items
                if words & set(item.value["text"].split())
                and not (unindexed and self._vectors[item.namespace].get(item.key))
            ][:limit]
            for items in found
        ]


class RankedItem(SearchItem):
    """An item with a fused rank, as from `ExactPostgresStore`."""

    __slots__ = ("rank",)
    rank: float


class RankingStore(InMemoryStore):
    """An in-memory store that ranks items by the field `rank` of their documents."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return [_with_ranks(result) for result in await super().abatch(ops)]


def _with_ranks(result: Result) -> Result:
    if not isinstance(result, list):
        return result
    items: list[SearchItem] = []
    for item in result:
        assert isinstance(item, SearchItem)
        ranked = RankedItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, item.score)
        ranked.rank = item.value["rank"]
        items.append(ranked)
    return items


class UnavailableStore(InMemoryStore):
    """A store whose database is unavailable."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        raise ConnectionError(ops)


class HangingStore(InMemoryStore):
    """A store that never answers."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        await asyncio.Event().wait()
        raise ConnectionError(ops)


@pytest.fixture
def store() -> WordStore:
    return WordStore(index={"dims": 2, "embed": _embed, "fields": ["text"]})


def _memory(text: str, kind: Kind = "user", *, message: str = "", **fields: Any) -> Memory:  # noqa: ANN401 - any field
    sources = (Source("t", message, "", TS),) if message else ()
    return Memory(MemoryId(text), kind, text, TS, "t", sources=sources, **fields)


async def _add(store: InMemoryStore, *memories: Memory) -> None:
    for memory in memories:
        await store.aput(namespaces.memories(USER, memory.kind), memory.id, to_document(memory))


async def _add_to_inbox(store: InMemoryStore, *texts: str, embedded: bool = True) -> None:
    for text in texts:
        item = InboxItem(MessageId(text), ThreadId("other"), text, TS)
        await inbox.add(store, USER, item)
        if embedded:
            await inbox.add_vector(store, USER, item)


async def _recall(
    store: InMemoryStore,
    *,
    limit: int = 4,
    context: Iterable[str] = (),
    embeddings: CachedEmbeddings | None = None,
    deadline_seconds: float = 5.0,
) -> RecallResult:
    recaller = Recaller(embeddings or CachedEmbeddings(_embed), limit, deadline_seconds)
    return await recaller.recall(store, USER, QUERY, context_messages=set(context))


def _texts(result: RecallResult) -> list[str]:
    return [hit.text for hit in result.hits]


async def test_hits_of_all_kinds_are_ordered_by_score(store: WordStore) -> None:
    await _add(store, _memory("fact 0.6"), _memory("fact 0.9"), _memory("episode 0.8", "episodic"))
    await _add(store, _memory("wish 0.5", "procedural"))
    await _add_to_inbox(store, "said 0.7")
    result = await _recall(store)
    assert _texts(result) == ["fact 0.9", "episode 0.8", "said 0.7", "fact 0.6", "wish 0.5"]
    assert [hit.kind for hit in result.hits] == ["user", "episodic", "inbox", "user", "procedural"]
    assert [hit.score for hit in result.hits] == pytest.approx([0.9, 0.8, 0.7, 0.6, 0.5])
    assert [hit.id for hit in result.hits] == _texts(result)
    assert [hit.source_thread for hit in result.hits] == ["t", "t", "other", "t", "t"]
    assert not result.degraded


async def test_hits_below_the_minimum_score_are_dropped_except_procedural_ones(store: WordStore) -> None:
    await _add(store, _memory("fact 0.14"), _memory("fact 0.17"), _memory("wish 0.01", "procedural"))
    await _add(store, _memory("episode 0.14", "episodic"), _memory("episode 0.16", "episodic"))
    await _add_to_inbox(store, "said 0.14", "said 0.18")
    assert _texts(await _recall(store)) == ["said 0.18", "fact 0.17", "episode 0.16", "wish 0.01"]


@pytest.mark.parametrize("degraded", [False, True])
async def test_each_kind_is_limited(store: WordStore, degraded: bool) -> None:  # noqa: FBT001 - a case
    kinds: tuple[Kind, ...] = ("user", "episodic", "procedural")
    for n in range(3):
        await _add(store, *(_memory(f"the {kind} 0.{5 + n}", kind) for kind in kinds))
        await _add_to_inbox(store, f"the message 0.{5 + n}")
    result = await _recall(store, limit=2, embeddings=CachedEmbeddings(_unavailable) if degraded else None)
    assert sorted(hit.kind for hit in result.hits) == sorted(["user", "episodic", "procedural", "inbox"] * 2)
    if not degraded:
        assert {text.rsplit(" ", 1)[-1] for text in _texts(result)} == {"0.7", "0.6"}


@pytest.mark.parametrize("embed", [_embed, _unavailable])
async def test_messages_of_the_current_thread_are_not_recalled_and_do_not_use_up_the_limit(
    store: WordStore, embed: Embed
) -> None:
    own = [f"the own {n} 0.9" for n in range(EXTRA_INBOX_ITEMS)]
    await _add_to_inbox(store, *own, "the other 0.5")
    result = await _recall(store, limit=1, context=own, embeddings=CachedEmbeddings(embed))
    assert _texts(result) == ["the other 0.5"]


async def test_an_inbox_item_without_a_vector_is_found_by_its_words(store: WordStore) -> None:
    own = [f"the own {n} 0.9" for n in range(EXTRA_INBOX_ITEMS + 1)]
    await _add_to_inbox(store, *own)
    await _add_to_inbox(store, "the violin 0.5", embedded=False)
    result = await _recall(store, limit=1, context=own)
    assert (_texts(result), result.degraded) == (["the violin 0.5"], False)


async def test_an_inbox_item_is_not_recalled_together_with_a_memory_of_it(store: WordStore) -> None:
    await _add_to_inbox(store, "the violin 0.8", "the cello 0.7", "the viola 0.6", "the harp 0.5")
    await _add(store, _memory("plays violin 0.9", message="the violin 0.8"))
    await _add(store, _memory("played cello 0.9", "episodic", message="the cello 0.7"))
    await _add(store, _memory("likes viola 0.9", "procedural", message="the viola 0.6"))
    assert [hit.text for hit in (await _recall(store)).hits if hit.kind == "inbox"] == ["the harp 0.5"]


async def test_an_inbox_item_that_is_not_recallable_is_not_recalled(store: WordStore) -> None:
    await _add_to_inbox(store, "my password is Tr0ub4dor&3, the one with 0.9", embedded=False)
    await _add_to_inbox(store, "other 0.5")
    assert _texts(await _recall(store)) == ["other 0.5"]


async def test_an_inbox_item_without_a_vector_is_recalled_once(store: WordStore) -> None:
    await _add_to_inbox(store, "the violin 0.8", embedded=False)
    await _add_to_inbox(store, "cello 0.7")
    assert sorted(_texts(await _recall(store))) == ["cello 0.7", "the violin 0.8"]


async def test_the_score_of_a_fact_includes_its_effective_confidence(store: WordStore) -> None:
    old = (NOW - timedelta(weeks=50)).isoformat()
    await _add(
        store,
        _memory("unsure 0.8", confidence=0.5),
        _memory("sure 0.6", confidence=1.0),
        _memory("old 0.9", confidence=0.9, last_seen=old),
        _memory("episode 0.5", "episodic", confidence=0.1, last_seen=old),
    )
    assert _texts(await _recall(store)) == ["sure 0.6", "episode 0.5", "unsure 0.8", "old 0.9"]


async def test_items_are_ordered_and_kept_by_the_rank_of_the_store() -> None:
    ranking_store = RankingStore(index={"dims": 2, "embed": _embed, "fields": ["text"]})
    for text, rank in (("first 0.1", 0.9), ("second 0.8", 0.5), ("dropped 0.1", 0.1), ("third 0.2", 0.05)):
        value = to_document(_memory(text, "episodic")) | {"rank": rank}
        await ranking_store.aput(namespaces.memories(USER, "episodic"), text, value)
    assert _texts(await _recall(ranking_store)) == ["first 0.1", "second 0.8", "third 0.2"]


async def test_the_best_inbox_items_by_rank_are_recalled() -> None:
    ranking_store = RankingStore(index={"dims": 2, "embed": _embed, "fields": ["text"]})
    for text, rank in (("low 0.9", 0.2), ("high 0.8", 0.9)):
        value = InboxItem(MessageId(text), ThreadId("other"), text, TS).as_value() | {"rank": rank}
        await ranking_store.aput(namespaces.inbox(USER), text, value)
    assert _texts(await _recall(ranking_store, limit=1)) == ["high 0.8"]


async def test_without_an_embedder_recall_is_degraded_and_searches_by_words(store: WordStore) -> None:
    await _add(store, _memory("the violin 0.2"), _memory("a cello 0.9"))
    await _add_to_inbox(store, "the harp 0.2")
    await batches.put(store, [profile.put_op(USER, Profile().with_sentence("top_of_mind", _sentence("Moves.", 0)))])
    result = await _recall(store, embeddings=CachedEmbeddings(_unavailable))
    assert sorted(_texts(result)) == ["the harp 0.2", "the violin 0.2"]
    assert result.degraded
    assert result.profile == ("Moves.",)


async def test_an_embedder_that_misses_the_deadline_makes_recall_degraded(store: WordStore) -> None:
    released = asyncio.Event()

    async def embed_late(texts: list[str]) -> list[list[float]]:
        await released.wait()
        return await _embed(texts)

    await _add(store, _memory("the violin 0.2"))
    embeddings = CachedEmbeddings(embed_late)
    result = await _recall(store, embeddings=embeddings, deadline_seconds=0.05)
    assert _texts(result) == ["the violin 0.2"]
    assert result.degraded
    released.set()
    await embeddings.aembed_query(QUERY)


async def test_a_store_without_word_search_recalls_nothing_while_the_embedder_fails() -> None:
    store = InMemoryStore(index={"dims": 2, "embed": _embed, "fields": ["text"]})
    await _add(store, _memory("the violin 0.9"))
    assert await _recall(store, embeddings=CachedEmbeddings(_unavailable)) == RecallResult(degraded=True)


@pytest.mark.parametrize("kind", [UnavailableStore, HangingStore])
async def test_a_store_that_fails_or_hangs_makes_recall_degraded_and_empty(kind: type[InMemoryStore]) -> None:
    assert await _recall(kind(), deadline_seconds=0.05) == RecallResult(degraded=True)


async def test_the_latest_sentence_of_each_field_comes_first_and_history_last(store: WordStore) -> None:
    sentences = Profile()
    for n, text in enumerate(("Was a baker.", "Is a painter.")):
        sentences = sentences.with_sentence("work_context", _sentence(text, n))
    sentences = sentences.with_sentence("earlier_context", _sentence("Learned to swim.", 2))
    sentences = sentences.with_sentence("recent_months", _sentence("Moved.", 3))
    sentences = sentences.with_sentence("top_of_mind", _sentence("Plans a trip.", 4))
    await batches.put(store, [profile.put_op(USER, sentences)])
    assert (await _recall(store)).profile == (
        "Is a painter.",
        "Plans a trip.",
        "Was a baker.",
        "Lately: Moved.",
        "Some months ago: Learned to swim.",
    )


def _sentence(text: str, minute: int) -> Sentence:
    return Sentence(text, ("m",), (NOW + timedelta(minutes=minute)).isoformat())
