"""LangGraph's in-memory store with vectors at known angles, and variants of it that rank, fail or hang.

The cosine of `QUERY` or `OWN_QUERY` and a text such as "fact 0.7" is 0.7; of a text without a number, 0.
"""

import asyncio
import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from langgraph.store.base import Op, Result, SearchItem, SearchOp
from langgraph.store.memory import InMemoryStore

from agent.errors import EmbedderUnavailableError
from agent.memory.recall.calibration import Calibrator
from agent.memory.recall.recall import Recaller
from agent.memory.records import batches, documents, inbox, profile
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import Profile, ProfileField, Sentence
from agent.models.embeddings import CachedEmbeddings
from agent.store.operations import WordSearchOp
from agent.types import Kind, Memory, MemoryId, MessageId, RecallResult, Source, ThreadId, UserId

USER = UserId("ada")
NOW = datetime.now(UTC)
TS = NOW.isoformat()
QUERY = "the query"
OWN_QUERY = "What is the query of my own?"
"""A message that concerns the user."""


def days_ago(days: int) -> str:
    """The time some days before `NOW`."""
    return (NOW - timedelta(days=days)).isoformat()


async def embed(texts: Sequence[str]) -> list[list[float]]:
    """Vectors at a known angle to the queries."""
    cosines = [_cosine(text) for text in texts]
    return [[cosine, math.sqrt(1 - cosine * cosine)] for cosine in cosines]


async def unavailable(texts: list[str]) -> list[list[float]]:
    """An embedder that always fails."""
    raise EmbedderUnavailableError(f"no vectors of {len(texts)} texts")


def _cosine(text: str) -> float:
    if text in (QUERY, OWN_QUERY):
        return 1.0
    try:
        return min(float(text.rsplit(" ", 1)[-1]), 1.0)
    except ValueError:
        return 0.0


class WordStore(InMemoryStore):
    """An in-memory store that can also search by words."""

    searches_words = True

    def __init__(self) -> None:
        super().__init__(index={"dims": 2, "embed": embed, "fields": ["text"]})

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        ops = list(ops)
        reads = [SearchOp(op.namespace_prefix, limit=1_000) if isinstance(op, WordSearchOp) else op for op in ops]
        results = await super().abatch(reads)
        return [
            self._sharing_word(op, cast("list[SearchItem]", result)) if isinstance(op, WordSearchOp) else result
            for op, result in zip(ops, results, strict=True)
        ]

    def _sharing_word(self, op: WordSearchOp, items: Sequence[SearchItem]) -> list[SearchItem]:
        words = set((op.query or "").split())
        found = [item for item in items if words & set(item.value["text"].split())]
        return [one for one in found if not (op.unindexed and self._vectors[one.namespace].get(one.key))][: op.limit]


class RankedItem(SearchItem):
    """An item with a fused rank, as from `ExactPostgresStore`."""

    __slots__ = ("rank",)
    rank: float


class RankingStore(WordStore):
    """A store that ranks the results of a search by the field `rank` of their documents, if they have one."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return [_with_ranks(result) for result in await super().abatch(ops)]


def _with_ranks(result: Result) -> Result:
    if not isinstance(result, list):
        return result
    items: list[SearchItem] = []
    for item in result:
        assert isinstance(item, SearchItem)
        items.append(ranked_item(item, item.value["rank"]) if "rank" in item.value else item)
    return items


def ranked_item(item: SearchItem, rank: float) -> RankedItem:
    ranked = RankedItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, item.score)
    ranked.rank = rank
    return ranked


class UnavailableStore(InMemoryStore):
    """A store whose database is unavailable."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        raise ConnectionError(ops)


class FailingSearchStore(WordStore):
    """A store whose searches by vector fail."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        ops = list(ops)
        if any(isinstance(op, SearchOp) and op.query and not isinstance(op, WordSearchOp) for op in ops):
            raise ConnectionError(ops)
        return await super().abatch(ops)


class HangingStore(InMemoryStore):
    """A store that never answers."""

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        await asyncio.Event().wait()
        raise ConnectionError(ops)


def memory(text: str, kind: Kind = "user", *, message: str = "", **fields: Any) -> Memory:  # noqa: ANN401 - any field
    """A memory with its text as the id, from one message or entered by the user."""
    sources = (Source("t", message, "", TS),) if message else ()
    return Memory(
        **{"id": MemoryId(text), "kind": kind, "text": text, "ts": TS, "source_thread": "t"}
        | {"sources": sources}
        | fields
    )


async def add(store: InMemoryStore, *memories: Memory) -> None:
    await batches.put(store, [documents.put_op(USER, one) for one in memories])


async def add_to_inbox(store: InMemoryStore, *texts: str, embedded: bool = True, ts: str = TS) -> None:
    """Add messages of another thread, with their texts as ids."""
    for text in texts:
        item = InboxItem(MessageId(text), ThreadId("other"), text, ts)
        await inbox.add(store, USER, item)
        if embedded:
            await inbox.add_vector(store, USER, item)


async def add_sentences(store: InMemoryStore, *sentences: tuple[ProfileField, str, str]) -> None:
    """Write a profile of (field, text, time) sentences, each from the message "m"."""
    written = Profile()
    for name, text, ts in sentences:
        written = written.with_sentence(name, Sentence(text, ("m",), ts))
    await batches.put(store, [profile.put_op(USER, written)])


def recaller(embeddings: CachedEmbeddings | None = None, *, limit: int = 4, deadline_seconds: float = 5.0) -> Recaller:
    """A recaller with typical cosines: unrelated texts have 0.1 and related ones 0.4."""
    embeddings = embeddings or CachedEmbeddings(embed)
    return Recaller(embeddings, Calibrator(embeddings, "a model", 2), limit, deadline_seconds)


async def recall(  # noqa: PLR0913 - the arguments of `Recaller.recall`, all but the store optional
    store: InMemoryStore,
    text: str = QUERY,
    *,
    context: Iterable[str] = (),
    shown: Sequence[dict[str, Any]] = (),
    now: datetime | None = None,
    embeddings: CachedEmbeddings | None = None,
    **options: Any,  # noqa: ANN401 - of `recaller`
) -> RecallResult:
    recalls = recaller(embeddings, **options)
    return await recalls.recall(store, USER, text, context_messages=set(context), shown=shown, now=now)


def texts(result: RecallResult) -> list[str]:
    """The texts of the hits that concern the message."""
    return [hit.text for hit in result.hits]
