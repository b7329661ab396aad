"""Recall: what memory has to say to a message, in one round trip and within a deadline."""

import asyncio
import logging
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Protocol, runtime_checkable

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.errors import EmbedderUnavailableError
from agent.memory.records import batches, namespaces, profile
from agent.memory.records.confidence import effective
from agent.memory.records.profile import HISTORY, NOW, Field, Profile
from agent.models.embeddings import CachedEmbeddings
from agent.types import KINDS, Hit, HitKind, Recalled, UserId

logger = logging.getLogger(__name__)

# Under this cosine a memory is not about the message. With MiniLM on LoCoMo's questions 0.15 keeps 86 % of the
# evidence and a third of random turns; 0.2 keeps 76 % and a fifth, and would lose an allergy when asked what to cook.
MIN_SCORE = 0.15
# The inbox holds messages of this thread too, which do not count.
INBOX_SURPLUS = 20

_PERIODS: dict[Field, str] = {
    "recent_months": "Lately: ",
    "earlier_context": "Some months ago: ",
    "long_term_background": "Long ago: ",
}


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

    async def recall(self, store: BaseStore, user: UserId, text: str, *, present: Set[str]) -> Recalled:
        """Return what is known to the user's message, best first, facts by how sure they still are too.

        Who the user is and the ways to help are always recalled: they hold for every answer, whatever it is about.
        Messages whose ids are `present` stand in the thread that the model sees anyway.
        """
        try:
            # The words are searched, and the profile is read, while the vector is still on its way.
            embedded, fresh, known = await asyncio.gather(
                self._is_embedded(text), self._fresh(store, user, text), self._profile(store, user)
            )
            async with asyncio.timeout(self.deadline_seconds):
                found = await self._search(store, user, text, embedded=embedded)
            hits = tuple(self._choose(found, fresh, present))
            return Recalled(hits, degraded=not embedded, profile=_sentences(known))
        except Exception as error:  # whatever is wrong with memory, it must not break an answer
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

    async def _fresh(self, store: BaseStore, user: UserId, text: str) -> list[SearchItem]:
        """Return what the inbox holds without a vector: it is still to come, or its process or embedder failed."""
        async with asyncio.timeout(self.deadline_seconds):
            [fresh] = await _by_words(store, [namespaces.inbox(user)], text, limit=self.limit, unindexed=True)
        return fresh

    async def _profile(self, store: BaseStore, user: UserId) -> Profile:
        async with asyncio.timeout(self.deadline_seconds):
            return await profile.read(store, user)

    async def _search(self, store: BaseStore, user: UserId, text: str, *, embedded: bool) -> list[list[SearchItem]]:
        """Return what each of the kinds and the inbox holds, [len(KINDS) + 1][up to a limit], best first."""
        places = [namespaces.memories(user, kind) for kind in KINDS] + [namespaces.inbox(user)]
        if not embedded:
            return await _by_words(store, places, text, limit=self.limit + INBOX_SURPLUS)
        limits = [self.limit] * len(KINDS) + [self.limit + INBOX_SURPLUS]
        ops = [SearchOp(place, query=text, limit=limit) for place, limit in zip(places, limits, strict=True)]
        return await batches.search(store, ops)

    def _choose(self, found: list[list[SearchItem]], fresh: list[SearchItem], present: Set[str]) -> list[Hit]:
        *by_kind, inbox = found
        facts, episodes, ways = by_kind
        # An item whose vector came in between is in both.
        distinct = {item.key: item for item in [*fresh, *inbox]}.values()
        # One that was distilled in between is what its memories say.
        out = set(present).union(*(_messages(item) for items in by_kind for item in items))
        others = [item for item in distinct if item.value["recallable"] and item.key not in out]
        hits = [
            *_hits("user", _over_floor(facts)[: self.limit]),
            *_hits("episodic", _over_floor(episodes)[: self.limit]),
            *_hits("procedural", ways[: self.limit]),
            *_hits("inbox", _best(_over_floor(others))[: self.limit]),
        ]
        return [hit for _, hit in sorted(hits, key=lambda ranked: -ranked[0])]


def _sentences(known: Profile) -> tuple[str, ...]:
    """Return who the user is: the latest sentence of each field, then those before them; history comes last."""
    told_now, of_history = (
        [[_PERIODS.get(name, "") + one.text for one in reversed(known.sentences.get(name, ()))] for name in fields]
        for fields in (NOW, HISTORY)
    )
    by_turns = [*zip_longest(*told_now), *zip_longest(*of_history)]
    return tuple(sentence for turn in by_turns for sentence in turn if sentence)


async def _by_words(
    store: BaseStore, places: Sequence[tuple[str, ...]], text: str, *, limit: int, unindexed: bool = False
) -> list[list[SearchItem]]:
    if isinstance(store, LexicalStore):
        return await store.asearch_words(places, text, limit=limit, unindexed=unindexed)
    return [[] for _ in places]


def _over_floor(items: Iterable[SearchItem]) -> list[SearchItem]:
    """Drop what is not about the message; what was found by its words alone has no score, and stays."""
    return [item for item in items if item.score is None or max(item.score, _rank(item)) >= MIN_SCORE]


def _best(items: list[SearchItem]) -> list[SearchItem]:
    return sorted(items, key=lambda item: -_rank(item))


def _rank(item: SearchItem) -> float:
    """Return what an item is ranked by: the similarity, in a store that knows no better."""
    rank = getattr(item, "rank", item.score)
    return 0.0 if rank is None else float(rank)


def _messages(item: SearchItem) -> set[str]:
    return {source["message"] for source in item.value.get("sources", ())}


def _hits(kind: HitKind, items: Iterable[SearchItem]) -> Iterable[tuple[float, Hit]]:
    moment = datetime.now(UTC)
    for item in items:
        hit = Hit(
            id=item.key,
            kind=kind,
            text=item.value["text"],
            score=item.score,
            source_thread=item.value.get("source_thread", ""),
            ts=item.value.get("ts", ""),
            last_seen=item.value.get("last_seen", ""),
        )
        sure = effective(item.value.get("confidence", 1.0), hit.last_seen or hit.ts, moment) if kind == "user" else 1.0
        yield _rank(item) * sure, hit
