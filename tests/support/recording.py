"""A thread-safe list of the requests that a local server received."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

EVENT_SECONDS = 20.0
"""How long to wait for an event on a busy machine."""


class Recording(Generic[T]):
    """A list that one thread appends to and other threads wait on."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._items: list[T] = []

    @property
    def items(self) -> list[T]:
        with self._changed:
            return list(self._items)

    def add(self, *items: T) -> None:
        with self._changed:
            self._items.extend(items)
            self._changed.notify_all()

    def clear(self) -> None:
        with self._changed:
            self._items.clear()

    def wait_until(self, predicate: Callable[[list[T]], bool], *, timeout_seconds: float = EVENT_SECONDS) -> list[T]:
        """Return the items as soon as the predicate is true for them.

        Raises:
            TimeoutError: the predicate stayed false; the message lists the items.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: predicate(self._items), timeout_seconds):
                raise TimeoutError(f"condition not met after {timeout_seconds} s: {self._items}")
            return list(self._items)

    async def wait_until_async(
        self, predicate: Callable[[list[T]], bool], *, timeout_seconds: float = EVENT_SECONDS
    ) -> list[T]:
        """`wait_until` without blocking the event loop."""
        return await asyncio.to_thread(self.wait_until, predicate, timeout_seconds=timeout_seconds)
