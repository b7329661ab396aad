"""Recall: what the model needs to know about the user for a message, found within a deadline."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.deadlines import waiting_timeout
from agent.errors import EmbedderUnavailableError
from agent.language.requests.attributes import asked_attributes, asked_own_attributes
from agent.language.requests.questions import asks_for_everything
from agent.language.revision.contradictions import MAX_COMPARED_CHARS
from agent.memory.recall.agenda import with_end
from agent.memory.recall.calibration import Calibrator
from agent.memory.recall.dismissal import weights
from agent.memory.recall.follow_ups import without_followed
from agent.memory.recall.former_values import with_former_values
from agent.memory.recall.named_persons import asks_for_several
from agent.memory.recall.order import concerns, newer_first, newer_versions
from agent.memory.recall.pending_changes import PendingChanges, is_told
from agent.memory.recall.periods import PeriodSearch
from agent.memory.recall.relevance import by_weight, select_relevant
from agent.memory.recall.standing import StandingMemories, compared_chars, load_standing, to_hit
from agent.memory.recall.word_search import search_words, unindexed_searches
from agent.memory.records import batches, namespaces
from agent.memory.records.documents import comes_only_from, source_messages
from agent.memory.records.namespaces import Namespace
from agent.memory.records.profile import HISTORY_FIELDS, Profile, ProfileField
from agent.models.embeddings import MAX_EMBEDDED_CHARS, CachedEmbeddings
from agent.store.replica import Replica, WalPosition
from agent.text_process import compare
from agent.types import KINDS, Hit, Kind, RecallResult, UserId

logger = logging.getLogger(__name__)

T = TypeVar("T")

SEARCHED_KINDS: tuple[Kind, ...] = ("user", "episodic")
"""The kinds that are searched; all procedural memories are standing."""
MIN_RESULTS = 12
"""Results of each kind to fetch, also for a lower limit, because most hits may be of one kind."""
EXTRA_RESULTS = 12  # of each kind above the limit at most; those that are standing are not recalled again
ATTRIBUTE_RESULTS = 60  # of each kind at least for a question about an attribute ("What sports do I do?")
EXTRA_INBOX_ITEMS = 20
"""Inbox items to fetch above the limit; those of the current thread are dropped."""
REPLICA_SHARE = 0.5
"""Share of the deadline for a search of the replica; the rest is left for the primary."""
MAX_LISTED = 100  # memories of each kind for a question for everything that is known

_HISTORY_PREFIXES: dict[ProfileField, str] = {
    "recent_months": "Lately: ",
    "earlier_context": "Some months ago: ",
    "long_term_background": "Long ago: ",
}


@dataclass(frozen=True, slots=True)
class _Query:
    """A message, its author, and what the prompt contains already."""

    store: BaseStore
    user: UserId
    text: str
    context_messages: Set[str]
    shown: Sequence[Mapping[str, Any]]
    now: datetime | None
    limit: int  # of pending messages without a vector

    @property
    def inbox(self) -> Namespace:
        """The user's pending messages."""
        return namespaces.inbox(self.user)

    async def load_standing(self, *, with_pending: bool = True) -> StandingMemories:
        """Load the standing memories, the newer of two about the same subject first."""
        # Pending messages have no vector at first, or if the embedder failed.
        unindexed = unindexed_searches(self.store, self.inbox, self.text, limit=self.limit) if with_pending else []
        loaded = await load_standing(
            self.store,
            self.user,
            context_messages=self.context_messages,
            shown=self.shown,
            now=self.now,
            with_pending=with_pending,
            unindexed=unindexed,
        )
        chars = sum(min(len(hit.text), MAX_COMPARED_CHARS) for hit in loaded.hits if hit.kind == "inbox")
        return replace(loaded, hits=tuple(await compare(newer_first, loaded.hits, chars=chars)))


@dataclass(frozen=True, slots=True)
class Recaller:
    """Searches a user's memory. It never raises, and waits at most about twice its deadline."""

    embeddings: CachedEmbeddings
    calibrator: Calibrator
    limit: int
    """Maximum number of hits per kind, on average."""
    deadline_seconds: float
    """Applies to the waiting for the embedding, and for the search with the comparison of its results."""
    replica: Replica | None = None
    """Searched instead of the store while it is new enough."""

    async def recall(  # noqa: PLR0913 - what the prompt contains already, and the time, besides the message
        self,
        store: BaseStore,
        user: UserId,
        text: str,
        *,
        context_messages: Set[str],
        shown: Sequence[Mapping[str, Any]] = (),
        now: datetime | None = None,
    ) -> RecallResult:
        """Load the standing memories, and recall those that concern the user's message.

        A question for everything that is known lists all memories by weight.

        Args:
            store: contains the memories.
            user: their owner.
            text: the user's message, of which the first `MAX_EMBEDDED_CHARS` are read.
            context_messages: the messages that the model sees as part of the thread; they are not recalled.
            shown: the memories in the standing part of the thread's tip, as in `Hit.as_dict`.
            now: the current time in the user's time zone, on whose date it depends whether a memory has expired.

        Returns:
            The hits, best first; `degraded` if the vector or the store was not available in time.
        """
        query = _Query(store, user, text[:MAX_EMBEDDED_CHARS], context_messages, shown, now, self.limit)
        try:
            # The reads that need no vector run meanwhile, in one round trip.
            embedded, position, standing = await asyncio.gather(
                self._embed(user, query.text), self._position(), self._within_deadline(query.load_standing)
            )
        except Exception as error:  # a failure of memory must not break an answer
            logger.warning("recall is degraded: the store failed, or a comparison took too long", exc_info=error)
            return await self._without_search(query)
        try:
            find = partial(self._find, query, standing, position, embedded=embedded)
            result = await self._within_deadline(find)
            return replace(result, has_changed=standing.has_changed, degraded=not embedded)
        except Exception as error:  # standing memories are part of the prompt even if the search fails
            logger.warning("recall is degraded: the search failed", exc_info=error)
            return RecallResult(standing.hits, has_changed=standing.has_changed, degraded=True)

    async def _without_search(self, query: _Query) -> RecallResult:
        """The standing memories without the changes of pending messages, which may take long to compare."""
        try:
            standing = await self._within_deadline(partial(query.load_standing, with_pending=False))
        except Exception as error:  # a failure of memory must not break an answer
            logger.warning("recall is degraded: the store did not answer", exc_info=error)
            return RecallResult(degraded=True, has_failed=True)
        return RecallResult(standing.hits, has_changed=standing.has_changed, degraded=True)

    async def _find(
        self, query: _Query, standing: StandingMemories, position: WalPosition | None, *, embedded: bool
    ) -> RecallResult:
        """Search, and rank the results."""
        period = PeriodSearch(query.user, query.text, query.now or datetime.now(UTC), query.context_messages)
        if found := await period.recall(query.store, standing, self.calibrator.current, embedded=embedded):
            return found
        limit = self._search_limit(query.text, standing)
        *memories, inbox = await self._search(query, position, embedded=embedded, limit=limit)
        candidates = [*standing.changes.unscored(), *standing.unindexed, *inbox]
        pending = _pending(memories, candidates, query.context_messages)
        lowered = await self._lowered(query, memories) if embedded else {}
        rank = partial(self._result, query, [*memories, pending], standing, limit=limit, lowered=lowered)
        found = await compare(rank, chars=compared_chars(pending))
        return await with_former_values(query.store, query.user, query.text, found)

    async def is_standing(self, user: UserId, text: str) -> bool:
        """Check whether a statement matters for every message, by its vector; False if that is not available."""
        try:
            vector = await self._within_deadline(
                lambda: self.embeddings.aembed_query(text, owner=namespaces.owner(user))
            )
        except (EmbedderUnavailableError, TimeoutError):
            return False
        return self.calibrator.current.is_standing(vector)

    async def _embed(self, user: UserId, text: str) -> bool:
        """Wait until the vector of a text is cached; return False after the deadline, while the call continues."""
        try:
            await self._within_deadline(lambda: self.embeddings.aembed_query(text, owner=namespaces.owner(user)))
        except (EmbedderUnavailableError, TimeoutError) as error:
            logger.warning("recall is degraded: no vector in time (%s)", type(error.__cause__ or error).__name__)
            return False
        return True

    async def _position(self) -> WalPosition | None:
        """What the replica must have replayed; None without a replica, or if the primary does not answer in time."""
        if not self.replica:
            return None
        try:
            return await self._within_deadline(self.replica.position)
        except TimeoutError:
            return None

    async def _within_deadline(self, operation: Callable[[], Awaitable[T]]) -> T:
        # Not a coroutine object, which would never be awaited if the task was cancelled before it started.
        async with waiting_timeout(self.deadline_seconds):
            return await operation()

    def _search_limit(self, text: str, standing: StandingMemories) -> int:
        """Results of each kind to fetch."""
        limit = max(self.limit, MIN_RESULTS) + min(len(standing.hits), EXTRA_RESULTS)
        names_attribute = asked_attributes(text) or asked_own_attributes(text)
        return max(limit, ATTRIBUTE_RESULTS) if names_attribute or asks_for_several(text) else limit

    async def _search(
        self, query: _Query, position: WalPosition | None, *, embedded: bool, limit: int
    ) -> list[list[SearchItem]]:
        """[len(SEARCHED_KINDS) + 1][up to a limit] items, best first: of each kind, then of the inbox."""
        searched = [*(namespaces.memories(query.user, kind) for kind in SEARCHED_KINDS), query.inbox]
        if asks_for_everything(query.text):
            return await batches.search(query.store, [SearchOp(space, limit=MAX_LISTED) for space in searched])
        if not embedded:
            return await search_words(query.store, searched, query.text, limit=self.limit + EXTRA_INBOX_ITEMS)
        limits = [*[limit] * len(SEARCHED_KINDS), limit + EXTRA_INBOX_ITEMS]
        ops = [SearchOp(space, query=query.text, limit=limit) for space, limit in zip(searched, limits, strict=True)]
        if self.replica and position:
            deadline = self.deadline_seconds * REPLICA_SHARE
            if (found := await self.replica.search(ops, position, deadline_seconds=deadline)) is not None:
                return found
        return await batches.search(query.store, ops)

    async def _lowered(self, query: _Query, results: Sequence[Sequence[SearchItem]]) -> dict[str, float]:
        """The lower weights of results for a message whose vector is cached; see `weights`."""
        marked = [item for items in results for item in items if "not_relevant" in item.value]
        if not marked:
            return {}
        vector = await self.embeddings.aembed_query(query.text, owner=namespaces.owner(query.user))
        return weights(marked, vector, self.calibrator.model, self.calibrator.current)

    def _result(
        self,
        query: _Query,
        results: list[list[SearchItem]],
        standing: StandingMemories,
        *,
        limit: int,
        lowered: Mapping[str, float],
    ) -> RecallResult:
        known, history = {hit.id for hit in standing.hits}, _history(standing.profile)
        changes = PendingChanges.of((*standing.changes.messages, *results[-1]))
        if asks_for_everything(query.text):
            listed = (to_hit(item, score=None) for items in results for item in by_weight(changes.apply(items)))
            hits = [hit for hit in listed if hit.id not in known]
            return RecallResult(standing.hits, (*hits, *history), lists_everything=True)
        results = [without_followed(items, changes.messages) for items in results]
        selected = select_relevant(results, query.text, self.calibrator.current, limit=limit, lowered=lowered)
        relevant = sorted((one for items in selected for one in items), key=lambda one: -one.rank)
        ranks = {one.item.key: one.rank for one in relevant}
        relevant = [one for one in relevant if not any(is_told(one.item, hit.text) for hit in standing.hits)]
        named = [one.item for one in relevant if one.item.key in known]
        unknown = [
            one.item
            for one in relevant
            if one.item.key not in known and not comes_only_from(one.item.value, one.item.key, query.context_messages)
        ]
        unknown = changes.apply(unknown)[: self.limit * len(KINDS)]
        newer = newer_versions([to_hit(item) for item in unknown], standing.hits)
        ranked = sorted([*unknown, *changes.apply(named)], key=lambda item: -ranks.get(item.key, 0.0))
        now = query.now or datetime.now(UTC)
        concerned = (hit for hit in history if concerns(hit.text, query.text))
        return RecallResult(
            standing=tuple(with_end(hit, now) for hit in _by_importance(standing.hits, newer, ranks)),
            hits=(*(with_end(to_hit(item), now) for item in ranked), *concerned),
        )


def _pending(
    memories: Sequence[Sequence[SearchItem]], items: Sequence[SearchItem], context_messages: Set[str]
) -> list[SearchItem]:
    # An item may be in several results; a search of the message scores it. One that was processed between them is
    # covered by its memories.
    processed = {message for found in memories for item in found for message in source_messages(item.value, item.key)}
    distinct = {item.key: item for item in items}
    excluded = processed | context_messages
    return [item for item in distinct.values() if item.value["recallable"] and item.key not in excluded]


def _by_importance(standing: tuple[Hit, ...], newer: Sequence[Hit], ranks: Mapping[str, float]) -> tuple[Hit, ...]:
    """Add the newer versions of standing memories before them. Of pinned memories, the relevant come first."""
    by_relevance = sorted(standing, key=lambda hit: (not hit.pinned, -ranks.get(hit.id, 0.0) * hit.pinned))
    return tuple(newer_first(newer, ordered=by_relevance))


def _history(profile: Profile) -> list[Hit]:
    """The sentences of the history, the latest first."""
    return [
        Hit(name, "profile", _HISTORY_PREFIXES[name] + sentence.text, None, "", sentence.ts)
        for name in HISTORY_FIELDS
        for sentence in reversed(profile.sentences.get(name, ()))
    ]
