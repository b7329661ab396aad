"""The ASGI applications of the gateway and of the worker."""

from functools import cache, partial

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.types import ASGIApp

from agent import Agent
from gateway.auth.local import LocalSignIn
from gateway.auth.principal import Verifier
from gateway.hosts import LoopbackHostsOnly
from gateway.limits import BodyLimit
from gateway.openapi import OPERATOR_ROUTERS, ROUTERS, make_document
from gateway.page import add_page
from gateway.problems import add_problem_handlers
from gateway.protocols.langgraph.api_key import ApiKeyHeader
from gateway.protocols.langgraph.router import router as langgraph_router
from gateway.protocols.mcp.route import router as mcp_router
from gateway.protocols.openai.routes import router as openai_router
from gateway.rate_limits import RateLimitFields
from gateway.routes import dev
from gateway.settings import GatewaySettings
from gateway.streams import OpenStreams
from gateway.telemetry import HttpMetrics, Telemetry

UNTRACED_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
TRACES_ONLY: TelemetryConfig = {
    "tracing": True,  # with the provider of `agent.opentelemetry`, if there is one
    "metrics": False,
    "logs": False,
    "auto_configure": False,
    "operation_spans": False,
    "exclude": lambda scope: scope["path"] in UNTRACED_PATHS,
}


class MeasuredApp(FastAPI):
    """An app with `Telemetry` outside of all other middleware, also of the one that handles unexpected errors."""

    def build_middleware_stack(self) -> ASGIApp:
        """Wrap the middleware."""
        return Telemetry(super().build_middleware_stack(), self.state.metrics)


def create_app(agent: Agent, verifier: Verifier, settings: GatewaySettings) -> FastAPI:
    """Create the gateway's application. A `LocalSignIn` also adds the route that issues tokens."""
    app = _create(agent, *ROUTERS, langgraph_router, mcp_router, openai_router)
    app.openapi = cache(make_document)  # type: ignore[method-assign]
    app.state.verifier, app.state.settings, app.state.streams = verifier, settings, OpenStreams()
    app.state.mcp = _mcp_app()
    app.state.metrics.open_streams.set_function(lambda: app.state.streams.count)
    app.add_middleware(BodyLimit)
    app.add_middleware(RateLimitFields)
    app.add_middleware(ApiKeyHeader)
    if isinstance(verifier, LocalSignIn):
        app.router.routes.extend(dev.router.routes)
        app.add_middleware(LoopbackHostsOnly)
    add_page(app, settings, verifier)
    return app


@cache
def _mcp_app() -> ASGIApp:
    """The MCP server, which has no state."""
    from gateway.protocols.mcp.server import McpApp  # noqa: PLC0415 - half a second, which other commands do not need

    return McpApp()


def create_worker_app(agent: Agent) -> FastAPI:
    """Create the worker's application: health and metrics only."""
    app = _create(agent, *OPERATOR_ROUTERS)
    app.openapi = cache(partial(make_document, *OPERATOR_ROUTERS))  # type: ignore[method-assign]
    return app


def _create(agent: Agent, *routers: APIRouter) -> FastAPI:
    # The documentation pages load from another host; see apps/web/docs.
    app = MeasuredApp(docs_url=None, redoc_url=None, telemetry=TRACES_ONLY)
    app.state.agent, app.state.metrics, app.state.process_metrics = agent, HttpMetrics(agent.registry), None
    add_problem_handlers(app)
    for router in routers:
        # `include_router` would analyse the signatures of all routes again, at the first request.
        app.router.routes.extend(router.routes)
    return app
