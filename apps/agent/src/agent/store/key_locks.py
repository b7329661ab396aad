"""Locks by key: writes of one key take effect in the order of their calls, however long each is embedded."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

ItemKey = tuple[str, str]
"""A namespace, joined by dots, and a key."""


class KeyLocks:
    """Locks for the items of this process, created when they are used."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[ItemKey, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def acquire(self, keys: Iterable[ItemKey]) -> AsyncIterator[None]:
        """Hold the locks of these keys; waiters are served in the order of their calls."""
        # A fixed order avoids deadlocks.
        locks = [self._locks.setdefault(key, asyncio.Lock()) for key in sorted(keys)]
        async with AsyncExitStack() as stack:
            for lock in locks:
                await stack.enter_async_context(lock)
            yield
