"""The events of one run, in the memory of the process that executes it."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from agent.events import Event, LoggedEvent, Position, RunFailed, RunFinished, Token
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

    async def subscribe(self, after: Position | None = None) -> AsyncIterator[LoggedEvent]:
        """Yield the events after a position, and new ones until the run has ended."""
        index = 0
        while True:
            while index < len(self._events):
                logged = self._events[index]
                index += 1
                if remainder := logged.remainder(after) if after else logged:
                    yield remainder
            if self.is_finished:
                return
            await self._published.wait()

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
