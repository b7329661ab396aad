"""Serve an ASGI app in a thread."""

import asyncio
import socket
import threading
from types import TracebackType
from typing import Self

import uvicorn
from starlette.types import ASGIApp

_used_ports: set[int] = set()


def listening_socket(port: int = 0) -> socket.socket:
    """A bound socket on 127.0.0.1, by default with a port that this process has not used before.

    langchain-openai shares HTTP clients by address, so a test would get connections of an event loop that is closed.
    asyncio disables Nagle's algorithm only if the socket names its protocol; `socket.create_server` does not.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    if port == 0:
        bound = listener.getsockname()[1]
        if bound in _used_ports:
            with listener:
                return listening_socket()
        _used_ports.add(bound)
    return listener


class StoppableServer(uvicorn.Server):
    """Signals when it is ready, and stops without uvicorn's pauses of 0.1 s."""

    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready
        self._stopping = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self._ready.set()

    async def main_loop(self) -> None:
        await self._stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002 - the base's
        """Stop listening and close idle connections; cancel requests that do not end in time."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if tasks := list(self.server_state.tasks):
            await asyncio.wait(tasks, timeout=0 if self.force_exit else self.config.timeout_graceful_shutdown)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def stop(self) -> None:
        """Stop the server; thread-safe, once it is ready."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._stopping.set)


class AsgiServer:
    """Serves an app on 127.0.0.1 between enter and exit, for sync and async tests.

    Requests in progress are dropped on exit.
    """

    def __init__(self, app: ASGIApp, *, port: int = 0) -> None:
        self._socket = listening_socket(port)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._ready = threading.Event()
        config = uvicorn.Config(app, loop="asyncio", http="h11", ws="none", lifespan="off", log_config=None)
        self._server = StoppableServer(config, self._ready)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.force_exit = True
        self._server.stop()
        self._thread.join()
