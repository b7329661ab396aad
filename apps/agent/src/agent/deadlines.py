"""Deadlines in time that the event loop spends waiting.

When many turns share a process, each is delayed by the computations of the others. A deadline in wall-clock time would
pass although nothing hangs, and the turns would lose their memories when they are only late.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

MAX_FACTOR = 10
"""A deadline passes after this multiple of its seconds at the latest, however busy the event loop is."""
TOLERANCE_SECONDS = 0.001
"""The resolution of the event loop's timers."""


class WaitingTimer:
    """Call a function once, after `seconds` in which the thread of the event loop did not compute.

    Must be created in that thread.
    """

    def __init__(self, seconds: float, callback: Callable[[], object]) -> None:
        self._seconds = seconds
        self._callback = callback
        self._loop = asyncio.get_running_loop()
        self._started, self._computed = self._loop.time(), time.thread_time()
        self._timer = self._loop.call_later(seconds, self._check)

    def cancel(self) -> None:
        """Do not call the function, unless it was called already."""
        self._timer.cancel()

    def _check(self) -> None:
        elapsed = self._loop.time() - self._started
        waited = elapsed - (time.thread_time() - self._computed)
        remaining = min(self._seconds - waited, MAX_FACTOR * self._seconds - elapsed)
        if remaining < TOLERANCE_SECONDS:
            self._callback()
        else:
            self._timer = self._loop.call_later(remaining, self._check)


@asynccontextmanager
async def waiting_timeout(seconds: float) -> AsyncIterator[None]:
    """Cancel the block and raise TimeoutError after `seconds` in which the event loop waited; see `MAX_FACTOR`."""
    async with asyncio.timeout(None) as timeout:
        timer = WaitingTimer(seconds, lambda: timeout.reschedule(0.0))
        try:
            yield
        finally:
            timer.cancel()
