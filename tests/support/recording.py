"""What a local server was sent, for a test on another thread to look at and wait for."""

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recording(Generic[T]):
    """A list that one thread adds to and others wait on."""

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

    def wait_until(self, predicate: Callable[[list[T]], bool], *, timeout_seconds: float = 5.0) -> list[T]:
        """Return the items as soon as the predicate holds for them.

        Raises:
            TimeoutError: with what is there, when it never does.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: predicate(self._items), timeout_seconds):
                raise TimeoutError(f"not so after {timeout_seconds} s: {self._items}")
            return list(self._items)

    async def wait_until_async(self, predicate: Callable[[list[T]], bool], *, timeout_seconds: float = 5.0) -> list[T]:
        """Do as `wait_until`, without blocking the event loop."""
        return await asyncio.to_thread(self.wait_until, predicate, timeout_seconds=timeout_seconds)
