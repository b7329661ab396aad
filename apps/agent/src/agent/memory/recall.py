"""Recall: what memory has to say to a message, in one round trip and within a deadline."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.errors import EmbedderUnavailableError
from agent.memory import batches, namespaces
from agent.models.embeddings import CachedEmbeddings
from agent.types import KINDS, Hit, HitKind, Recalled, ThreadId, UserId

logger = logging.getLogger(__name__)

# Under this cosine a memory is not about the message. With MiniLM on LoCoMo's questions 0.15 keeps 86 % of the
# evidence and a third of random turns; 0.2 keeps 76 % and a fifth, and would lose an allergy when asked what to cook.
FLOOR = 0.15
# The inbox holds this thread's own items too, which are in the thread anyway and do not count.
INBOX_SURPLUS = 20


@runtime_checkable
class LexicalStore(Protocol):
    """A store that can find texts by their words alone, when there is no vector to search with."""

    async def asearch_words(
        self, namespaces: Sequence[tuple[str, ...]], query: str, *, limit: int, unindexed: bool = False
    ) -> list[list[SearchItem]]:
        """Return up to `limit` items of each namespace that share a word with the query, best first.

        If `unindexed`, only those that have no vector.
        """
        ...


@dataclass(frozen=True, slots=True)
class Recaller:
    """Finds what memory has to say; never raises, never takes much longer than its deadline."""

    embeddings: CachedEmbeddings
    limit: int
    """Memories of each kind."""
    deadline_seconds: float
    """For the embedding, and again for the search."""

    async def recall(self, store: BaseStore, user: UserId, thread: ThreadId, text: str) -> Recalled:
        """Return what is known to the user's message, best first.

        The ways to help are always recalled: they hold for every answer, whatever it is about.
        """
        embedded = await self._is_embedded(text)
        try:
            async with asyncio.timeout(self.deadline_seconds):
                found = await self._search(store, user, text, embedded=embedded)
            return Recalled(tuple(self._choose(found, thread)), degraded=not embedded)
        except Exception as error:
            logger.warning("recall is degraded: the store did not answer", exc_info=error)
            return Recalled(degraded=True)

    async def _is_embedded(self, text: str) -> bool:
        """Wait for a text's vector, and say whether it is there; the call goes on when the deadline has passed."""
        try:
            async with asyncio.timeout(self.deadline_seconds):
                await self.embeddings.aembed_query(text)
        except (EmbedderUnavailableError, TimeoutError) as error:
            logger.warning("recall is degraded: no vector in time", exc_info=error)
            return False
        return True

    async def _search(self, store: BaseStore, user: UserId, text: str, *, embedded: bool) -> list[list[SearchItem]]:
        """Return what each of the kinds and the inbox holds, [len(KINDS) + 1][up to a limit], best first."""
        places = [namespaces.memories(user, kind) for kind in KINDS] + [namespaces.inbox(user)]
        if not embedded:
            return await _by_words(store, places, text, limit=self.limit + INBOX_SURPLUS)
        limits = [self.limit] * len(KINDS) + [self.limit + INBOX_SURPLUS]
        ops = [SearchOp(place, query=text, limit=limit) for place, limit in zip(places, limits, strict=True)]
        # What was said a moment ago may be without its vector still, or again: its process was killed, its embedder late.
        found, [fresh] = await asyncio.gather(
            batches.search(store, ops), _by_words(store, places[-1:], text, limit=self.limit, unindexed=True)
        )
        return [*found[:-1], [*found[-1], *fresh]]

    def _choose(self, found: list[list[SearchItem]], thread: ThreadId) -> list[Hit]:
        *by_kind, inbox = found
        facts, episodes, ways = by_kind
        others = [item for item in inbox if item.value["source_thread"] != thread and item.value["recallable"]]
        hits = [
            *_hits("user", _over_floor(facts)[: self.limit]),
            *_hits("episodic", _over_floor(episodes)[: self.limit]),
            *_hits("procedural", ways[: self.limit]),
            *_hits("inbox", _over_floor(others)[: self.limit]),
        ]
        return sorted(hits, key=lambda hit: -(hit.score or 0.0))


async def _by_words(
    store: BaseStore, places: Sequence[tuple[str, ...]], text: str, *, limit: int, unindexed: bool = False
) -> list[list[SearchItem]]:
    if isinstance(store, LexicalStore):
        return await store.asearch_words(places, text, limit=limit, unindexed=unindexed)
    return [[] for _ in places]


def _over_floor(items: Iterable[SearchItem]) -> list[SearchItem]:
    """Drop what is not about the message; what was found by its words has no score, and stays."""
    return [item for item in items if item.score is None or item.score >= FLOOR]


def _hits(kind: HitKind, items: Iterable[SearchItem]) -> Iterable[Hit]:
    for item in items:
        yield Hit(
            id=item.key,
            kind=kind,
            text=item.value["text"],
            score=item.score,
            source_thread=item.value.get("source_thread", ""),
            ts=item.value.get("ts", ""),
        )
