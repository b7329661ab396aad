"""Serving: the gateway with agent and worker in one process, or a worker alone."""

import asyncio
import gc
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

from agent import Agent, AgentSettings, SetupError, open_agent
from gateway.app import create_app, create_worker_app
from gateway.auth.local import LocalSignIn
from gateway.auth.oidc import open_oidc
from gateway.auth.principal import Verifier
from gateway.auth.sign_in_link import load_secret
from gateway.auth.token_kind import Clients
from gateway.http_server import Drain, HttpServer, stop_signals
from gateway.listener import address_of, bind
from gateway.process_metrics import ProcessMetrics
from gateway.protocol import LimitedConfig
from gateway.settings import ConnectionLimits, GatewaySettings
from gateway.streams import OpenStreams

logger = logging.getLogger(__name__)

Announce = Callable[[str], None]
"""Called with the address once the server listens; with an empty address if it has none."""


@dataclass(frozen=True, slots=True)
class Membership:
    """What a process of a group gets from its parent; see `process_group`."""

    listener: socket.socket
    embedded_uri: str
    """URI of the embedded Postgres; empty if DATABASE_URL is set."""
    metrics: ProcessMetrics


async def serve(
    settings: GatewaySettings, agent_settings: AgentSettings, announce: Announce, membership: Membership | None = None
) -> None:
    """Open all resources and serve until stopped.

    Raises:
        SetupError: a setting is missing or does not match the database; the message gives the remedy.
        OSError: the address is in use.
    """
    embedded_uri = membership.embedded_uri if membership else ""
    with (
        membership.listener if membership else bind(settings.host, settings.port) as listener,
        ExitStack() as signals,
    ):
        async with (
            open_agent(agent_settings, start_worker=settings.worker, embedded_uri=embedded_uri) as agent,
            open_verifier(settings, agent) as verifier,
            membership.metrics.serve(agent.metrics_text) if membership else nullcontext(),
        ):
            app = create_app(agent, verifier, settings)
            app.state.process_metrics = membership and membership.metrics
            # Objects created at start-up live until the end; scanning them again costs each reply some milliseconds.
            gc.collect()
            gc.freeze()
            drain = AgentDrain(agent, app.state.streams)
            config = LimitedConfig(app, settings)
            server = HttpServer(
                config, partial(announce, address_of(listener)), drain, grace_seconds=settings.drain_seconds
            )
            signals.enter_context(stop_signals(server.stop))
            await server.serve([listener])


async def serve_worker(settings: AgentSettings, announce: Announce, *, host: str, port: int | None) -> None:
    """Form memories until stopped and, if there is a port, serve health and metrics. Raises as `serve` does."""
    if not settings.enable_fact_extraction:
        raise SetupError("ENABLE_FACT_EXTRACTION=false: memory formation is disabled")
    if settings.store_type == "memory":
        raise SetupError("LANGGRAPH_STORE_TYPE=memory: a worker cannot reach the memory of another process")
    with ExitStack() as stack:
        listener = stack.enter_context(bind(host, port)) if port is not None else None
        async with open_agent(settings) as agent:
            if listener is None:
                stop = asyncio.Event()
                stack.enter_context(stop_signals(stop.set))
                announce("")
                await stop.wait()
            else:
                config = LimitedConfig(create_worker_app(agent), ConnectionLimits())
                server = HttpServer(config, partial(announce, address_of(listener)), Drain(), grace_seconds=0)
                stack.enter_context(stop_signals(server.stop))
                await server.serve([listener])


@asynccontextmanager
async def open_verifier(settings: GatewaySettings, agent: Agent) -> AsyncIterator[Verifier]:
    """Open the verifier of the issuer or, without one, local sign-in."""
    if settings.oidc_issuer:
        oidc = open_oidc(
            settings.oidc_issuer,
            settings.oidc_audience,
            user_claim=settings.user_claim,
            clients=Clients(settings.oidc_client_id, settings.oidc_clients),
        )
        async with oidc as verifier:
            yield verifier
    else:
        secret = load_secret(settings.data_dir) if settings.local_sign_in == "link" else ""
        yield await load_local_sign_in(agent, secret)


async def load_local_sign_in(agent: Agent, secret: str = "") -> LocalSignIn:
    """Load the signing key of this installation; the first call creates it."""
    key = await agent.users.installation_value("sign_in_key", LocalSignIn.new_key())
    return LocalSignIn(key, secret=secret)


class AgentDrain(Drain):
    """Let the runs of the agent end, and the streams of their events."""

    def __init__(self, agent: Agent, streams: OpenStreams) -> None:
        self._agent = agent
        self._streams = streams
        self._runs = 0

    def begin(self) -> None:
        """Tell the clients where to continue."""
        self._runs = self._agent.active_runs
        self._streams.announce_stop()

    async def wait(self) -> None:
        """Wait until all answers are complete."""
        await self._agent.wait_for_runs()

    async def end(self) -> None:
        """Interrupt the other answers; their clients can request them again."""
        interrupted = await self._agent.interrupt_runs()
        await self._streams.end()
        if self._runs or interrupted:
            logger.warning("stopped during %d answers, of which %d were interrupted", self._runs, interrupted)
