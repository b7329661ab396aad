"""Serving: agent, gateway and worker in one process, or a worker alone, from the first line to the last."""

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

from agent import Agent, AgentSettings, SetupError, open_agent
from gateway.app import create_app, create_worker_app
from gateway.auth.local import LocalSignIn, Verifier
from gateway.auth.oidc import open_oidc
from gateway.settings import GatewaySettings

# How long answers that are being streamed may take to end once we are asked to stop.
GRACE_SECONDS = 5

Announce = Callable[[str], None]


async def serve(settings: GatewaySettings, agent_settings: AgentSettings, announce: Announce) -> None:
    """Open everything, tell the address, and serve until asked to stop.

    Raises:
        SetupError: something is missing or does not fit; the message says what to do.
        OSError: the address is taken.
    """
    with _bind(settings.host, settings.port) as listener:
        async with (
            open_agent(agent_settings, start_worker=settings.worker) as agent,
            open_verifier(settings, agent) as verifier,
        ):
            app = create_app(agent, verifier, settings)
            # What is there now stays; to look through it again and again costs every answer some milliseconds.
            gc.collect()
            gc.freeze()
            await _listen(app, listener, announce)


async def serve_worker(settings: AgentSettings, announce: Announce, *, host: str, port: int | None) -> None:
    """Distil what comes due until asked to stop, and, where there is a port, tell operators how it is.

    Raises:
        SetupError: something is missing or does not fit, or there is nothing that a worker could do.
        OSError: the address is taken.
    """
    if not settings.enable_fact_extraction:
        raise SetupError("ENABLE_FACT_EXTRACTION=false: there is nothing to distil")
    if settings.store_type == "memory":
        raise SetupError("LANGGRAPH_STORE_TYPE=memory: only the process that has the memories can distil them")
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
    """Open what tells who is speaking: the issuer's keys, or this installation's own."""
    if settings.oidc_issuer:
        async with open_oidc(settings.oidc_issuer, settings.oidc_audience, user_claim=settings.user_claim) as verifier:
            yield verifier
    else:
        yield LocalSignIn(await agent.users.installation_value("sign_in_key", LocalSignIn.new_key()))


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return what makes the event loop: uvloop's, and on Windows the one that psycopg can use."""
    if sys.platform == "win32":
        return asyncio.SelectorEventLoop
    import uvloop  # noqa: PLC0415 - not to be had on Windows

    return uvloop.new_event_loop


async def _listen(app: FastAPI, listener: socket.socket, announce: Announce) -> None:
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    host, port = listener.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    await _Server(config, lambda: announce(address)).serve(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self._listening()


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only where the protocol is named; with it, tokens come 40 ms late.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener
