"""Telling: what a run of this process has told so far, in memory, for whoever listens."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from agent.events import Event, LoggedEvent, Position, RunFailed, RunFinished, Token
from agent.types import RunId


class EventLog:
    """Everything that one run has told, from the first to the last.

    Whoever tells never waits, neither for a listener nor for whoever keeps it.
    """

    def __init__(self, run: RunId) -> None:
        self._events: list[LoggedEvent] = []
        self._position = Position(run)
        self._published = asyncio.Event()
        self._saved_count = 0

    def publish(self, event: Event) -> None:
        """Say something to all who listen."""
        run, events, chars = self._position
        if isinstance(event, Token):
            self._position = Position(run, events, chars + len(event.text))
        else:
            self._position = Position(run, events + 1, chars)
        self._events.append(LoggedEvent(self._position, event))
        self._published.set()
        self._published.clear()

    async def subscribe(self, after: Position | None = None) -> AsyncIterator[LoggedEvent]:
        """Yield what is behind a position, and go on until the run has ended."""
        n = 0
        while True:
            while n < len(self._events):
                told = self._events[n]
                n += 1
                if rest := told.remainder(after) if after else told:
                    yield rest
            if self.is_finished:
                return
            await self._published.wait()

    @property
    def is_finished(self) -> bool:
        """Whether the last event has been told."""
        return bool(self._events) and isinstance(self._events[-1].event, RunFinished | RunFailed)

    @property
    def text(self) -> str:
        """What the assistant has said so far."""
        return "".join(told.event.text for told in self._events if isinstance(told.event, Token))

    def unsaved(self) -> Sequence[LoggedEvent]:
        """Return what is not yet in the recording."""
        return self._events[self._saved_count :]

    def with_final(self, events: Sequence[Event]) -> Sequence[LoggedEvent]:
        """Return what is not yet in the recording, and what will be told last, which nobody hears before it is kept."""
        last = EventLog(self._position.run)
        last._position = self._position
        for event in events:
            last.publish(event)
        return [*self.unsaved(), *last._events]

    def mark_saved(self, told: Sequence[LoggedEvent]) -> None:
        """Say that this is in the recording now."""
        self._saved_count += len(told)
