"""A queue in which users take turns, so that many requests of one user do not delay those of others."""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

SYSTEM = ""
"""Stands for the process itself, in place of a user."""


class FairQueue:
    """Admit a limited number of concurrent entries, of all users and of each user.

    The entries of a user are admitted in order. Users with waiting entries take turns.

    Args:
        slots: concurrent entries of all users.
        slots_per_user: concurrent entries of each user; `SYSTEM` may use all slots.
        timeout_seconds: how long an entry waits.
    """

    def __init__(self, slots: int, *, slots_per_user: int, timeout_seconds: float) -> None:
        self._slots = self._free = slots
        self._slots_per_user = slots_per_user
        self._timeout_seconds = timeout_seconds
        self._held: Counter[str] = Counter()
        self._statistics = {"requests_queued": 0.0, "requests_wait_ms": 0.0, "requests_errors": 0.0}
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def admit(self, user: str) -> AsyncIterator[None]:
        """Hold a slot during the block.

        Raises:
            TimeoutError: no slot was free for the user in time.
        """
        entry: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(user, deque()).append(entry)
        self._admit_waiting()
        try:
            if not entry.done():
                await self._wait(entry)
            yield
        finally:
            if entry.done() and not entry.cancelled():
                self._release(user)
            else:
                entry.cancel()  # so that it is skipped

    @property
    def statistics(self) -> Mapping[str, float]:
        """Under the names of psycopg_pool: `requests_waiting` now; the others since the start."""
        waiting = sum(not entry.done() for entries in self._waiting.values() for entry in entries)
        return self._statistics | {"requests_waiting": waiting}

    async def _wait(self, entry: asyncio.Future[None]) -> None:
        started = time.monotonic()
        self._statistics["requests_queued"] += 1
        try:
            async with asyncio.timeout(self._timeout_seconds):
                await entry
        except TimeoutError:
            self._statistics["requests_errors"] += 1
            raise
        finally:
            self._statistics["requests_wait_ms"] += 1000 * (time.monotonic() - started)

    def _admit_waiting(self) -> None:
        while self._free and (user := next(filter(self._may_enter, self._waiting), None)) is not None:
            entries = self._waiting[user]
            entry = entries.popleft()
            if entries:
                self._waiting.move_to_end(user)
            else:
                del self._waiting[user]
            if not entry.done():
                self._free -= 1
                self._held[user] += 1
                entry.set_result(None)

    def _may_enter(self, user: str) -> bool:
        return self._held[user] < (self._slots if user == SYSTEM else self._slots_per_user)

    def _release(self, user: str) -> None:
        self._free += 1
        self._held[user] -= 1
        if not self._held[user]:
            del self._held[user]
        self._admit_waiting()
