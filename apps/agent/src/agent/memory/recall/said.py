"""Recall of what the user said in a period, or last, and of when they said something."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.language.said.periods import SaidPeriod
from agent.language.said.questions import SaidQuestion
from agent.memory.recall.calibration import Calibration
from agent.memory.recall.order import concerns
from agent.memory.recall.pending_changes import PendingChanges
from agent.memory.recall.relevance import select_relevant
from agent.memory.recall.standing import StandingMemories, compared_chars, to_hit
from agent.memory.records import batches, namespaces
from agent.memory.records.documents import comes_only_from, source_messages
from agent.text_process import compare
from agent.timestamps import parse_timestamp
from agent.types import Hit, RecallResult, UserId

MAX_SAID = 200
"""Results of each search, the most recently written first."""
MAX_RECENT = 10
"""The statements for a question for the latest ones."""
LATEST_DAYS = (2, 60)
"""Ages of the statements that are searched for the latest one, besides those written last, which may be imported."""

Said = tuple[datetime, SearchItem]
"""An item, and when its user said it."""


@dataclass(frozen=True, slots=True)
class SaidSearch:
    """A question for what the user said, at a local time."""

    user: UserId
    question: SaidQuestion
    text: str
    """The message that asks."""
    now: datetime
    context_messages: Set[str]
    """The messages of the thread, which count also."""

    async def recall(
        self, store: BaseStore, standing: StandingMemories, calibration: Calibration, *, embedded: bool
    ) -> RecallResult | None:
        """Search for the statements that are asked for; they are the hits, also if they are standing.

        Returns:
            The result, which says so if nothing was said in the period or at all; None if nothing concerns the topic of
            a question without a period, because it may be known in other words.
        """
        results = await batches.search(store, self.ops(embedded=embedded))
        pending = [item for items in results for item in items if item.namespace[-1] == "inbox"]
        changes = PendingChanges.of((*standing.changes.messages, *pending))
        hits = await compare(self.hits, results, changes, calibration, chars=compared_chars(pending))
        if not hits and self.question.is_about_topic_only:
            return None
        return RecallResult(standing.hits, tuple(hits), said=self.heading(hits))

    def ops(self, *, embedded: bool) -> list[SearchOp]:
        """The searches, whose results may also contain other items; with a vector only for a topic."""
        query = self.text if self.question.topic and embedded else None
        memories, inbox = namespaces.all_memories(self.user), namespaces.inbox(self.user)
        if period := self.question.period:
            start, stop = _utc(period.start), _utc(period.stop)
            conditions = [{"last_seen": {"$gte": start}, "ts": {"$lt": stop}}, {"ts": {"$gte": start, "$lt": stop}}]
        elif query:
            conditions = [{}, {}]
        else:
            times = [*(_utc(self.now - timedelta(days)) for days in LATEST_DAYS), ""]
            conditions = [{key: {"$gte": one}} for one in times for key in ("last_seen", "ts")]
        spaces = [memories, inbox] * (len(conditions) // 2)
        return [
            SearchOp(space, query=query, filter=condition or None, limit=MAX_SAID)
            for space, condition in zip(spaces, conditions, strict=True)
        ]

    def hits(
        self, results: Sequence[Sequence[SearchItem]], changes: PendingChanges, calibration: Calibration
    ) -> list[Hit]:
        """The statements that are asked for, the latest first, with the local time as `last_seen`."""
        memories = {item.key: item for items in results for item in items if item.namespace[-1] != "inbox"}
        processed = {message for item in memories.values() for message in source_messages(item.value, item.key)}
        pending = {
            item.key: item
            for items in results
            for item in items
            if item.namespace[-1] == "inbox" and item.value["recallable"] and item.key not in processed
        }
        found = [item for item in (*memories.values(), *pending.values()) if self._times(item)]
        current = self._on_topic(changes.apply(found), calibration)
        is_first = self.question.is_about_topic_only and not self.question.asks_for_last_time
        dated = ((self._times(item)[0 if is_first else -1], item) for item in current)
        said = sorted(dated, key=itemgetter(0), reverse=True)
        return [
            to_hit(item, last_seen=time.astimezone(self.now.tzinfo).isoformat()) for time, item in self._chosen(said)
        ]

    def heading(self, hits: Sequence[Hit]) -> str:
        """The line before the statements; without any, it says so."""
        question = self.question
        headings = {
            "last": "Said last:",
            "recent": "Said most recently:",
            "conversation": "Said in the last conversation:",
            "when": "Said on these days:",
            "whether": "Said on these days:",
        }
        heading = headings.get(question.kind) or f"Said {_written(question.period)}, the period asked about:"
        nothing = " nothing about this." if question.topic else " nothing."
        return heading if hits else f"{heading}{nothing}"

    def _times(self, item: SearchItem) -> list[datetime]:
        """When the user said something before this message, in the period if there is one; the latest is last."""
        stated = [source["ts"] for source in item.value.get("sources", ())] or [item.value.get("ts", "")]
        period = self.question.period or SaidPeriod(datetime.min.replace(tzinfo=UTC), self.now)
        times = (parse_timestamp(ts) for ts in stated)
        return sorted(one for one in times if period.start <= one < min(period.stop, self.now))

    def _on_topic(self, items: list[SearchItem], calibration: Calibration) -> list[SearchItem]:
        """The items that concern the topic: by their similarity, or because they share a word with it."""
        topic = self.question.topic
        if not topic:
            return items
        scored = [item for item in items if item.score is not None]
        selected = select_relevant([scored], self.text, calibration, limit=MAX_SAID)
        relevant = {one.item.key for chosen in selected for one in chosen}
        return [item for item in items if item.key in relevant or concerns(item.value["text"], topic)]

    def _chosen(self, said: Sequence[Said]) -> Iterable[Said]:
        """Those of the statements in order that a question for the latest ones asks for."""
        if not said or self.question.kind == "period" or self.question.is_about_topic_only:
            return said
        if self.question.kind == "recent":
            return said[:MAX_RECENT]
        if self.question.kind == "last":
            return [one for one in said if one[0] == said[0][0]]
        others = [one for one in said if not comes_only_from(one[1].value, one[1].key, self.context_messages)]
        thread = _thread((others or said)[0][1].value)
        return [one for one in others or said if _thread(one[1].value) == thread]


def _thread(value: dict[str, Any]) -> str:
    """The thread of the latest statement of an item."""
    sources = value.get("sources", ())
    return str(sources[-1]["thread"] if sources else value.get("source_thread", ""))


def _utc(time: datetime) -> str:
    """A time as memories store it, so that texts can be compared."""
    return time.astimezone(UTC).isoformat()


def _written(period: SaidPeriod | None) -> str:
    """A period of days, inclusive ("2026-11-23 to 2026-11-29"), or the hours of a day."""
    if period is None:
        return ""
    start, last = period.start, period.stop - timedelta(days=1)
    if start.hour or period.stop.hour:
        return f"{start:%Y-%m-%d %H:%M} to {period.stop:%Y-%m-%d %H:%M}"
    return f"{start:%Y-%m-%d}" if last.date() <= start.date() else f"{start:%Y-%m-%d} to {last:%Y-%m-%d}"
