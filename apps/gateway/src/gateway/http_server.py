"""The HTTP server: uvicorn's, which ends its requests in an orderly way when it is stopped."""

import asyncio
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import uvicorn

from gateway.protocol import LimitedConfig

# Requests that were sent before clients could know of the stop still get a response.
LATE_REQUESTS_SECONDS = 0.1
ABORT_SECONDS = 0.5
MAX_ACCEPTS = 100


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """The factory of uvloop's event loop; on Windows, that of the only one psycopg supports."""
    if sys.platform == "win32":
        return asyncio.SelectorEventLoop
    import uvloop  # noqa: PLC0415 - not available on Windows

    return uvloop.new_event_loop


@contextmanager
def stop_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function in the event loop for each SIGINT and SIGTERM during the block, and do nothing else."""
    loop = asyncio.get_running_loop()
    before = {
        number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Drain:
    """The end of what outlives requests; this one does nothing."""

    def begin(self) -> None:
        """Announce the stop."""

    async def wait(self) -> None:
        """Wait for the end; cancelled after the grace period."""

    async def end(self) -> None:
        """Interrupt what has not ended."""


class HttpServer(uvicorn.Server):
    """Serve until `stop` is called.

    Then accept no connections, let the work in progress end for a grace period, and interrupt the rest. Unlike
    uvicorn, leave signals to the caller: uvicorn raises them again after it has shut down, which would cancel the
    closing of other resources.
    """

    def __init__(
        self, config: LimitedConfig, on_listening: Callable[[], None], drain: Drain, *, grace_seconds: float
    ) -> None:
        super().__init__(config)
        self._on_listening = on_listening
        self._drain = drain
        self._grace_seconds = grace_seconds
        self._grace: asyncio.Timeout | None = None

    def stop(self) -> None:
        """Stop; if called again, end the grace period."""
        if self.should_exit and self._grace is not None:
            self._grace.reschedule(0)
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        self._on_listening()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all requests, at most `grace_seconds` and a few seconds from now."""
        await self._stop_listening(sockets or [])
        self._drain.begin()
        grace = self._grace = asyncio.timeout(self._grace_seconds)
        with suppress(TimeoutError):
            async with grace:
                await asyncio.sleep(LATE_REQUESTS_SECONDS)
                for connection in list(self.server_state.connections):
                    connection.shutdown()  # closes those without a request in progress
                await self._drain.wait()
        self._grace = None
        await self._drain.end()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(grace.when()):
                while tasks := list(self.server_state.tasks):
                    await asyncio.wait(tasks)
        await self._abort()

    async def _stop_listening(self, sockets: list[socket.socket]) -> None:
        """Accept the connections that the kernel has established, then no others; close each after its response."""
        for _ in range(MAX_ACCEPTS):
            if not select.select(sockets, [], [], 0)[0]:
                break
            await asyncio.sleep(0)
        for server in self.servers:
            server.close()
        for listener in sockets:
            listener.close()
        self.server_state.default_headers.append((b"connection", b"close"))

    async def _abort(self) -> None:
        """Close all connections, and cancel the requests that do not notice this."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        if tasks := list(self.server_state.tasks):
            await asyncio.wait(tasks, timeout=ABORT_SECONDS)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=ABORT_SECONDS)
