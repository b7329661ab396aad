"""A concurrency limit that slow holders do not block."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class AdmissionLimiter:
    """Limit concurrent entries; an entry stops counting after some seconds.

    The limit spreads CPU work on the event loop. A task that waits for slow I/O uses no CPU, so it must not keep
    others out.

    Args:
        limit: maximum number of entries that count at the same time.
        max_seconds: time after which an entry stops counting.
    """

    def __init__(self, limit: int, max_seconds: float) -> None:
        self._slots = asyncio.Semaphore(limit)
        self._max_seconds = max_seconds

    @asynccontextmanager
    async def admit(self) -> AsyncIterator[None]:
        """Hold a slot during the block, or until `max_seconds` have passed."""
        await self._slots.acquire()
        holds_slot = True

        def release() -> None:
            nonlocal holds_slot
            if holds_slot:
                holds_slot = False
                self._slots.release()

        timer = asyncio.get_running_loop().call_later(self._max_seconds, release)
        try:
            yield
        finally:
            timer.cancel()
            release()
