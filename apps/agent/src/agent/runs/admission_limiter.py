"""The turnstile: few pass at a time, and whoever stands in it for long is passed by."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class AdmissionLimiter:
    """Lets so many in at once; after some seconds inside, one counts as out.

    It spreads work that is done on this loop. Who waits for something slow does none.
    """

    def __init__(self, limit: int, max_seconds: float) -> None:
        self._free = asyncio.Semaphore(limit)
        self._most_seconds = max_seconds

    @asynccontextmanager
    async def admit(self) -> AsyncIterator[None]:
        """Be inside during the block."""
        await self._free.acquire()
        inside = True

        def leave() -> None:
            nonlocal inside
            if inside:
                inside = False
                self._free.release()

        late = asyncio.get_running_loop().call_later(self._most_seconds, leave)
        try:
            yield
        finally:
            late.cancel()
            leave()
