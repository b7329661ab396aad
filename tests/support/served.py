"""An ASGI app on a thread of its own."""

import socket
import threading
from types import TracebackType
from typing import Self

import uvicorn
from starlette.types import ASGIApp


def listening_socket(port: int = 0) -> socket.socket:
    """Return a socket on 127.0.0.1 whose connections send at once.

    asyncio switches Nagle's algorithm off only where the protocol is named, which `socket.create_server` leaves out.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    return listener


class Served:
    """Serves an app on 127.0.0.1 between enter and exit, to sync and async callers alike.

    On exit requests that are under way are dropped, not waited for.
    """

    def __init__(self, app: ASGIApp, *, port: int = 0) -> None:
        self._socket = listening_socket(port)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = _Server(
            uvicorn.Config(app, loop="asyncio", http="h11", ws="none", lifespan="off", log_config=None)
        )
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server.ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()
