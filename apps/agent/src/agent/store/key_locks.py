"""Writes of one key take effect in the order in which they were asked for, however long each is embedded."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

Place = tuple[str, str]
"""A namespace, joined by dots, and a key."""


class KeyLocks:
    """Whose turn it is to write where, in this process."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Place, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def at(self, places: Iterable[Place]) -> AsyncIterator[None]:
        """Wait until everybody who came earlier has written to these places."""
        # In one order for all, so that no two wait for each other.
        locks = [self._locks.setdefault(place, asyncio.Lock()) for place in sorted(places)]
        async with AsyncExitStack() as stack:
            for lock in locks:
                await stack.enter_async_context(lock)
            yield
