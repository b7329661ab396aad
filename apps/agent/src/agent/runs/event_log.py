"""The events of one run, in the memory of the process that executes it."""

import asyncio
from collections import deque
from collections.abc import Sequence

from agent.events import Event, EventSubscription, LoggedEvent, Position, RunFailed, RunFinished, Token
from agent.types import RunId


class EventLog:
    """An append-only log of a run's events with any number of subscribers.

    `publish` never waits, neither for subscribers nor for the event store.
    """

    def __init__(self, run: RunId) -> None:
        self._events: list[LoggedEvent] = []
        self._position = Position(run)
        self._published = asyncio.Event()
        self._saved_count = 0

    def publish(self, event: Event) -> None:
        """Append an event and wake all subscribers."""
        run, events, chars = self._position
        if isinstance(event, Token):
            self._position = Position(run, events, chars + len(event.text))
        else:
            self._position = Position(run, events + 1, chars)
        self._events.append(LoggedEvent(self._position, event))
        self._published.set()
        self._published.clear()

    def subscribe(self, after: Position | None = None) -> "LogSubscription":
        """Iterate over the events after a position, and new ones until the run has ended."""
        return LogSubscription(self, after)

    async def events_from(self, index: int) -> Sequence[LoggedEvent]:
        """Wait for events at or after an index, and return them; empty if the run has ended."""
        while len(self._events) <= index and not self.is_finished:
            await self._published.wait()
        return self._events[index:]

    @property
    def is_finished(self) -> bool:
        """True once the final event has been published."""
        return bool(self._events) and isinstance(self._events[-1].event, RunFinished | RunFailed)

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(logged.event.text for logged in self._events if isinstance(logged.event, Token))

    def unsaved(self) -> Sequence[LoggedEvent]:
        """The events that are not yet in the event store."""
        return self._events[self._saved_count :]

    def with_final(self, events: Sequence[Event]) -> Sequence[LoggedEvent]:
        """The unsaved events, followed by the final ones, which are published only after they are saved."""
        final = EventLog(self._position.run)
        final._position = self._position
        for event in events:
            final.publish(event)
        return [*self.unsaved(), *final._events]

    def mark_saved(self, events: Sequence[LoggedEvent]) -> None:
        """Record that these events, the oldest unsaved ones, are in the event store."""
        self._saved_count += len(events)


class LogSubscription(EventSubscription):
    """The position of a subscriber in a log."""

    def __init__(self, log: EventLog, after: Position | None) -> None:
        self._log = log
        self._after = after
        self._index = 0
        self._unread: deque[LoggedEvent] = deque()

    async def __anext__(self) -> LoggedEvent:
        """Wait for the next event."""
        while not self._unread:
            events = await self._log.events_from(self._index)
            if not events:
                raise StopAsyncIteration
            self._index += len(events)
            self._unread.extend(events if self._after is None else self._remainders(self._after, events))
        return self._unread.popleft()

    def take_available(self) -> Sequence[LoggedEvent]:
        """Return the events that are available without waiting."""
        available = list(self._unread)
        self._unread.clear()
        return available

    @staticmethod
    def _remainders(after: Position, events: Sequence[LoggedEvent]) -> list[LoggedEvent]:
        return [remainder for logged in events if (remainder := logged.remainder(after))]
