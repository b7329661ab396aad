"""Serving: the gateway with agent and worker in one process, or a worker alone."""

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from agent import Agent, AgentSettings, SetupError, open_agent
from gateway.app import create_app, create_worker_app
from gateway.auth.local import LocalSignIn
from gateway.auth.oidc import open_oidc
from gateway.auth.principal import Verifier
from gateway.auth.sign_in_link import load_secret
from gateway.settings import GatewaySettings

SHUTDOWN_SECONDS = 5
"""How long open responses may take to end after a stop request."""

Announce = Callable[[str], None]
"""Called with the address once the server listens; with an empty address if it has none."""


async def serve(settings: GatewaySettings, agent_settings: AgentSettings, announce: Announce) -> None:
    """Open all resources and serve until stopped.

    Raises:
        SetupError: a setting is missing or does not match the database; the message gives the remedy.
        OSError: the address is in use.
    """
    with _bind(settings.host, settings.port) as listener:
        async with (
            open_agent(agent_settings, start_worker=settings.worker) as agent,
            open_verifier(settings, agent) as verifier,
        ):
            app = create_app(agent, verifier, settings)
            # Objects created at start-up live until the end; scanning them again costs each reply some milliseconds.
            gc.collect()
            gc.freeze()
            await _listen(app, listener, announce)


async def serve_worker(settings: AgentSettings, announce: Announce, *, host: str, port: int | None) -> None:
    """Form memories until stopped and, if there is a port, serve health and metrics. Raises as `serve` does."""
    if not settings.enable_fact_extraction:
        raise SetupError("ENABLE_FACT_EXTRACTION=false: memory formation is disabled")
    if settings.store_type == "memory":
        raise SetupError("LANGGRAPH_STORE_TYPE=memory: a worker cannot reach the memory of another process")
    if port is None:
        async with open_agent(settings):
            announce("")
            await asyncio.Event().wait()
    else:
        with _bind(host, port) as listener:
            async with open_agent(settings) as agent:
                await _listen(create_worker_app(agent), listener, announce)


@asynccontextmanager
async def open_verifier(settings: GatewaySettings, agent: Agent) -> AsyncIterator[Verifier]:
    """Open the verifier of the issuer or, without one, local sign-in."""
    if settings.oidc_issuer:
        async with open_oidc(settings.oidc_issuer, settings.oidc_audience, user_claim=settings.user_claim) as verifier:
            yield verifier
    else:
        secret = load_secret(settings.data_dir) if settings.local_sign_in == "link" else ""
        yield await load_local_sign_in(agent, secret)


async def load_local_sign_in(agent: Agent, secret: str = "") -> LocalSignIn:
    """Load the signing key of this installation; the first call creates it."""
    key = await agent.users.installation_value("sign_in_key", LocalSignIn.new_key())
    return LocalSignIn(key, secret=secret)


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """The factory of uvloop's event loop; on Windows, that of the only one psycopg supports."""
    if sys.platform == "win32":
        return asyncio.SelectorEventLoop
    import uvloop  # noqa: PLC0415 - not available on Windows

    return uvloop.new_event_loop


async def _listen(app: FastAPI, listener: socket.socket, announce: Announce) -> None:
    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            announce(address)

    host, port = listener.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    options: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False, "lifespan": "off"}
    config = uvicorn.Config(app, timeout_graceful_shutdown=SHUTDOWN_SECONDS, **options)
    await Server(config).serve(sockets=[listener])


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio disables Nagle's algorithm only if the protocol is given; otherwise tokens are delayed by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener
