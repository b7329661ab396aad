"""Recall: search of memory for a user's message, with a deadline."""

import asyncio
import logging
from collections.abc import Awaitable, Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Protocol, TypeVar, runtime_checkable

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.errors import EmbedderUnavailableError
from agent.memory.records import batches, namespaces, profile
from agent.memory.records.documents import effective_confidence, source_messages
from agent.memory.records.profile import CURRENT_FIELDS, HISTORY_FIELDS, Profile, ProfileField
from agent.models.embeddings import CachedEmbeddings
from agent.types import KINDS, Hit, HitKind, RecallResult, UserId

logger = logging.getLogger(__name__)

T = TypeVar("T")

# Minimum cosine similarity. With MiniLM on LoCoMo's questions, 0.15 keeps 86 % of the evidence and a third of random
# turns; 0.2 keeps 76 % and a fifth, and loses an allergy for the question what to cook.
MIN_SCORE = 0.15
# Inbox items to fetch above the limit, because items of the current thread are dropped.
EXTRA_INBOX_ITEMS = 20

_HISTORY_PREFIXES: dict[ProfileField, str] = {
    "recent_months": "Lately: ",
    "earlier_context": "Some months ago: ",
    "long_term_background": "Long ago: ",
}


@runtime_checkable
class LexicalStore(Protocol):
    """A store that can search by words, without a vector."""

    async def asearch_words(
        self, namespaces: Sequence[tuple[str, ...]], query: str, *, limit: int, unindexed: bool = False
    ) -> list[list[SearchItem]]:
        """Search each namespace for up to `limit` items that share a word with the query, best first.

        If `unindexed`, only items without a vector are returned.
        """


@dataclass(frozen=True, slots=True)
class Recaller:
    """Searches a user's memory. It never raises, and takes at most about twice its deadline."""

    embeddings: CachedEmbeddings
    limit: int
    """Maximum number of hits of each kind."""
    deadline_seconds: float
    """Applies to the embedding, and separately to the search."""

    async def recall(self, store: BaseStore, user: UserId, text: str, *, context_messages: Set[str]) -> RecallResult:
        """Recall memories relevant to the user's message.

        Facts are ranked by similarity and effective confidence. Procedural memories and the profile have no minimum
        score, because they apply to every answer. The messages in `context_messages` are not recalled, because the
        model sees them as part of the thread.

        Returns:
            The hits, best first; `degraded` if the vector or the store was not available in time.
        """
        try:
            # Inbox items have no vector while it is being computed, or if the embedder failed.
            unembedded = _search_words(store, [namespaces.inbox(user)], text, limit=self.limit, unindexed=True)
            # The lexical search of the inbox and the profile read run while the embedder computes the vector.
            embedded, [unembedded_items], user_profile = await asyncio.gather(
                self._embed(text), self._within_deadline(unembedded), self._within_deadline(profile.read(store, user))
            )
            results = await self._within_deadline(self._search(store, user, text, embedded=embedded))
            hits = tuple(self._rank_hits(results, unembedded_items, context_messages))
            return RecallResult(hits, degraded=not embedded, profile=_profile_sentences(user_profile))
        except Exception as error:  # a failure of memory must not break an answer
            logger.warning("recall is degraded: the store did not answer", exc_info=error)
            return RecallResult(degraded=True)

    async def _embed(self, text: str) -> bool:
        """Wait until the vector of a text is cached; return False after the deadline, while the call continues."""
        try:
            await self._within_deadline(self.embeddings.aembed_query(text))
        except (EmbedderUnavailableError, TimeoutError) as error:
            logger.warning("recall is degraded: no vector in time", exc_info=error)
            return False
        return True

    async def _within_deadline(self, operation: Awaitable[T]) -> T:
        async with asyncio.timeout(self.deadline_seconds):
            return await operation

    async def _search(self, store: BaseStore, user: UserId, text: str, *, embedded: bool) -> list[list[SearchItem]]:
        """[len(KINDS) + 1][up to a limit] items, best first: of each kind, then of the inbox."""
        searched = [namespaces.memories(user, kind) for kind in KINDS] + [namespaces.inbox(user)]
        if not embedded:
            return await _search_words(store, searched, text, limit=self.limit + EXTRA_INBOX_ITEMS)
        limits = [self.limit] * len(KINDS) + [self.limit + EXTRA_INBOX_ITEMS]
        ops = [SearchOp(space, query=text, limit=limit) for space, limit in zip(searched, limits, strict=True)]
        return await batches.search(store, ops)

    def _rank_hits(
        self, results: list[list[SearchItem]], unembedded_items: list[SearchItem], context_messages: Set[str]
    ) -> list[Hit]:
        *memories, inbox = results
        facts, episodes, procedural = memories
        # An item whose vector was added between the two searches is in both results.
        distinct = {item.key: item for item in [*unembedded_items, *inbox]}.values()
        # An item that was processed between the two searches is already covered by its memories.
        excluded = set(context_messages).union(
            *(source_messages(item.value, item.key) for items in memories for item in items)
        )
        pending = [item for item in distinct if item.value["recallable"] and item.key not in excluded]
        hits = [
            *_scored_hits("user", _relevant(facts)[: self.limit]),
            *_scored_hits("episodic", _relevant(episodes)[: self.limit]),
            *_scored_hits("procedural", procedural[: self.limit]),
            *_scored_hits("inbox", sorted(_relevant(pending), key=_rank, reverse=True)[: self.limit]),
        ]
        return [hit for _, hit in sorted(hits, key=lambda scored: -scored[0])]


def _profile_sentences(user_profile: Profile) -> tuple[str, ...]:
    texts = {
        name: [_HISTORY_PREFIXES.get(name, "") + sentence.text for sentence in reversed(sentences)]
        for name, sentences in user_profile.sentences.items()
    }
    current, history = ([texts.get(name, []) for name in fields] for fields in (CURRENT_FIELDS, HISTORY_FIELDS))
    rounds = [*zip_longest(*current), *zip_longest(*history)]
    return tuple(text for latest in rounds for text in latest if text)


async def _search_words(
    store: BaseStore, searched: Sequence[tuple[str, ...]], text: str, *, limit: int, unindexed: bool = False
) -> list[list[SearchItem]]:
    if isinstance(store, LexicalStore):
        return await store.asearch_words(searched, text, limit=limit, unindexed=unindexed)
    return [[] for _ in searched]


def _relevant(items: Iterable[SearchItem]) -> list[SearchItem]:
    return [item for item in items if item.score is None or max(item.score, _rank(item)) >= MIN_SCORE]


def _rank(item: SearchItem) -> float:
    """The fused rank from `ExactPostgresStore`; in other stores, the similarity."""
    rank = getattr(item, "rank", item.score)
    return 0.0 if rank is None else float(rank)


def _scored_hits(kind: HitKind, items: Iterable[SearchItem]) -> Iterable[tuple[float, Hit]]:
    """Hits with their final scores; the score of a fact includes its effective confidence."""
    now = datetime.now(UTC)
    for item in items:
        value = item.value
        ts, last_seen = value.get("ts", ""), value.get("last_seen", "")
        confidence = effective_confidence(value.get("confidence", 1.0), last_seen or ts, now) if kind == "user" else 1.0
        hit = Hit(item.key, kind, value["text"], item.score, value.get("source_thread", ""), ts, last_seen)
        yield _rank(item) * confidence, hit
