"""The real gateway with agent and worker, run in a thread."""

import asyncio
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from agent import Agent, AgentSettings, open_agent
from gateway.app import create_app
from gateway.http_server import fastest_loop
from gateway.protocol import LimitedConfig
from gateway.server import open_verifier
from gateway.settings import GatewaySettings
from support.asgi_server import StoppableServer, listening_socket


class RunningGateway:
    """Serves Keepsake on 127.0.0.1 between enter and exit, over real HTTP."""

    def __init__(
        self, agent: AgentSettings, gateway: GatewaySettings | Callable[[str], GatewaySettings] | None = None
    ) -> None:
        """Settings of the gateway may depend on its address."""
        self._agent = agent
        self._socket = listening_socket()
        self.database = agent.database_url.get_secret_value() if agent.database_url else ""
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        settings = gateway(self.url) if callable(gateway) else gateway
        self._gateway = settings or GatewaySettings(_env_file=None, local_sign_in="open")
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._server: StoppableServer | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running: Agent | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.stop()
        self._thread.join()

    def drop_connections(self) -> None:
        """Close all connections of clients without a response, as a broken network does."""
        assert self._server is not None
        assert self._loop is not None
        connections = self._server.server_state.connections

        def abort() -> None:
            for one in tuple(connections):
                if one.transport:
                    one.transport.abort()

        self._loop.call_soon_threadsafe(abort)

    def wait_for_runs(self) -> None:
        """Wait until all answers are complete."""
        assert self._running is not None
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._running.wait_for_runs(), self._loop).result()

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=fastest_loop()) as runner:
                runner.run(self._serve())
        except BaseException as error:  # noqa: BLE001 (re-raised in the test's thread)
            self._error = error
        finally:
            self._ready.set()
            self._socket.close()

    async def _serve(self) -> None:
        async with open_agent(self._agent) as agent, open_verifier(self._gateway, agent) as verifier:
            app = create_app(agent, verifier, self._gateway)
            config = LimitedConfig(app, self._gateway, timeout_graceful_shutdown=1)
            self._loop, self._running = asyncio.get_running_loop(), agent
            self._server = StoppableServer(config, self._ready)
            await self._server.serve(sockets=[self._socket])
