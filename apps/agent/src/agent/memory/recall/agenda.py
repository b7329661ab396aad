"""Recall of what takes place in a period, or next, by the days that statements name."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.language.agenda.events import Event, events, last_day, names_place, written_out
from agent.language.agenda.questions import AgendaQuestion
from agent.language.dates.periods import Period
from agent.language.parsing.notification_requests import is_reminder
from agent.memory.recall.order import concerns, words
from agent.memory.recall.pending_changes import PendingChanges
from agent.memory.recall.plan_changes import apply_changes, joined_events, parts, plan_change
from agent.memory.recall.standing import StandingMemories, to_hit
from agent.memory.records import batches, namespaces
from agent.memory.records.documents import source_messages
from agent.text_process import compare
from agent.timestamps import parse_timestamp
from agent.types import Hit, RecallResult, UserId

MAX_SEARCHED = 200
"""Results of each search, the most recently written first; of facts, there are usually at most 100."""
SAME_EVENT = 0.7
"""Share of the words of the shorter of two statements of a day from which on they are about the same event."""
UNDATED = date.max
"""Stands for the day of what the user wanted to be reminded of at no time."""

Dated = tuple[date, Event, SearchItem]
"""A day on which an event of an item takes place."""


@dataclass(frozen=True, slots=True)
class AgendaSearch:
    """A question for what takes place in a period, at a local time; messages of the same thread count also."""

    user: UserId
    question: AgendaQuestion
    now: datetime

    async def recall(self, store: BaseStore, standing: StandingMemories) -> RecallResult | None:
        """Search for the statements whose days lie in the period; they are the hits, in the order of time.

        Returns:
            The result, which says so if nothing is planned; None if the question may be answered otherwise: about the
            past, about a place, or if nothing concerns its topic.
        """
        results = await batches.search(store, self.ops())
        pending = [item for items in results for item in items if item.namespace[-1] == "inbox"]
        changes = PendingChanges.of((*standing.changes.messages, *pending))
        chars = sum(len(item.value["text"]) for items in results for item in items)
        period, hits = await compare(self.hits, results, changes, chars=chars)
        may_be_known = self.question.kind == "where" or self.question.topic or period.stop < self.now.date()
        if not hits and may_be_known:
            return None
        return RecallResult(standing.hits, tuple(hits), said=self.heading(period, hits))

    def ops(self) -> list[SearchOp]:
        """Search the facts, the episodes and the pending messages: the days are part of the texts."""
        spaces = [
            namespaces.memories(self.user, "user"),
            namespaces.memories(self.user, "episodic"),
            namespaces.inbox(self.user),
        ]
        return [SearchOp(space, limit=MAX_SEARCHED) for space in spaces]

    def hits(self, results: Sequence[Sequence[SearchItem]], changes: PendingChanges) -> tuple[Period, list[Hit]]:
        """The period in which something takes place, and the statements about it, with their days."""
        memories = {item.key: item for items in results for item in items if item.namespace[-1] != "inbox"}
        processed = {message for item in memories.values() for message in source_messages(item.value, item.key)}
        pending = [
            item
            for items in results
            for item in items
            if item.namespace[-1] == "inbox" and item.value["recallable"] and item.key not in processed
        ]
        current = changes.apply([*memories.values(), *pending])
        stated = self._events(current)
        for period in self.question.periods:
            if found := self._in(period, stated):
                return period, [_to_hit(*one, self._stated(one[2])[0]) for one in found]
        return self.question.periods[0], []

    def heading(self, period: Period, hits: Sequence[Hit]) -> str:
        """The line before the statements; without any, it says so."""
        start, stop = period
        days = f"{start}" if start == stop else f"{start} to {stop}"
        headings = {
            "upcoming": "Planned from now on, by the day on which it takes place:",
            "next": "Planned next:",
            "reminders": "To be reminded of, by day:",
        }
        heading = headings.get(self.question.kind) or f"Planned for {days}, the period asked about:"
        return heading if hits else f"{heading} nothing that they told."

    def _in(self, period: Period, stated: Iterable[tuple[SearchItem, Sequence[Event]]]) -> list[Dated]:
        dated = [(day, event, item) for item, found in stated for day, event in self._days(period, item, found)]
        found = list(_distinct(sorted(dated, key=_order)))
        return found[:1] if self.question.kind == "next" else found

    def _days(self, period: Period, item: SearchItem, found: Sequence[Event]) -> Iterator[tuple[date, Event]]:
        """The events of an item that are asked for, each with its first day in the period."""
        is_remembered = self.question.kind == "reminders"
        if is_remembered and not is_reminder(item.value["text"]):
            return
        for event in found:
            is_undated = is_remembered and event.period.start == UNDATED and period.start <= self.now.date()
            day = UNDATED if is_undated else event.first_day_in(period)
            if day and self._is_asked_for(event, day):
                yield day, event

    def _is_asked_for(self, event: Event, day: date) -> bool:
        kind, today = self.question.kind, self.now.date()
        if kind == "where":
            return names_place(event)
        if kind == "next":
            is_over = day == today and 0 <= event.hour < self.now.hour + self.now.minute / 60
            begins = event.recurrence == "once" and event.period.start >= today and not is_over
            return begins and (not self.question.topic or concerns(event.text, self.question.topic))
        return True

    def _stated(self, item: SearchItem) -> tuple[date, date]:
        """The local days on which the first and the last part of an item were stated."""
        stated = [source["ts"] for source in item.value.get("sources", ())] or [item.value.get("ts", "")]
        first, last = (parse_timestamp(one).astimezone(self.now.tzinfo).date() for one in (stated[0], stated[-1]))
        return first, last

    def _own_events(self, item: SearchItem) -> list[Event]:
        """The events of an item, or what the user wanted to be reminded of at no time, which has no day."""
        text, stated = item.value["text"], self._stated(item)
        is_undated = is_reminder(text) and not any(events(part, stated[0]) for part in parts(text))
        return joined_events(text, *stated, undated=UNDATED if is_undated else None)

    def _events(self, items: Sequence[SearchItem]) -> list[tuple[SearchItem, Sequence[Event]]]:
        """The items with their events, as later ones have changed them."""
        ordered = sorted(items, key=last_stated)
        found = [(item, self._own_events(item)) for item in ordered]
        changes = [plan_change(parts(item.value["text"])[-1], self._stated(item)[1]) for item in ordered]
        if not any(changes):
            return list(found)
        others = [event for _, each in found for event in each]
        return [
            (item, apply_changes(each, filter(None, changes[number + 1 :]), others))
            for number, (item, each) in enumerate(found)
        ]


def last_stated(item: SearchItem) -> str:
    """When the user last stated an item, as it is stored."""
    return str(item.value.get("last_seen") or item.value.get("ts", ""))


def _order(dated: Dated) -> tuple[date, float, bool]:
    day, event, item = dated
    return day, event.hour if event.period.start == day else -1.0, item.namespace[-1] == "episodic"


def _distinct(dated: Iterable[Dated]) -> Iterator[Dated]:
    """Each event once: a memory and the message that it comes from may both state it, and one text several days."""
    seen: list[tuple[date, frozenset[str]]] = []
    for day, event, item in dated:
        stems = words(event.text)
        if not any(_is_same(stems, known, is_same_day=day == when) for when, known in seen):
            seen.append((day, stems))
            yield day, event, item


def _is_same(stems: frozenset[str], known: frozenset[str], *, is_same_day: bool) -> bool:
    if stems == known and stems:
        return True
    shared, fewer = len(stems & known), min(len(stems), len(known))
    return is_same_day and fewer > 0 and shared >= SAME_EVENT * fewer


def _to_hit(day: date, event: Event, item: SearchItem, stated: date) -> Hit:
    text = written_out(event.text, stated)
    return to_hit(item, text=text, day="" if day == UNDATED else day.isoformat(), until=None)


def with_end(hit: Hit, now: datetime) -> Hit:
    """A hit with the last day on which it held, if its words say so and that day is over."""
    stated = parse_timestamp(hit.ts).astimezone(now.tzinfo).date()
    day = None if hit.until else last_day(hit.text, stated)
    return replace(hit, until=day.isoformat()) if day and day < now.date() else hit
