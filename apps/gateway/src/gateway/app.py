"""The ASGI applications of the gateway and of the worker."""

from functools import cache, partial

from fastapi import APIRouter, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from agent import Agent
from gateway.auth.local import LocalSignIn
from gateway.auth.principal import Verifier
from gateway.limits import BodyLimit
from gateway.openapi import OPERATOR_ROUTERS, ROUTERS, make_document
from gateway.page import add_page
from gateway.problems import add_problem_handlers
from gateway.routes import dev
from gateway.settings import GatewaySettings


def create_app(agent: Agent, verifier: Verifier, settings: GatewaySettings) -> FastAPI:
    """Create the gateway's application. A `LocalSignIn` also adds the route that issues tokens."""
    app = _create(agent, *ROUTERS)
    app.openapi = cache(make_document)  # type: ignore[method-assign]
    app.state.verifier, app.state.settings = verifier, settings
    app.add_middleware(BodyLimit)
    if isinstance(verifier, LocalSignIn):
        app.include_router(dev.router)
        # DNS rebinding: a foreign page whose host name resolves to this machine must not get a token.
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"])
    add_page(app, settings)
    return app


def create_worker_app(agent: Agent) -> FastAPI:
    """Create the worker's application: health and metrics only."""
    app = _create(agent, *OPERATOR_ROUTERS)
    app.openapi = cache(partial(make_document, *OPERATOR_ROUTERS))  # type: ignore[method-assign]
    return app


def _create(agent: Agent, *routers: APIRouter) -> FastAPI:
    app = FastAPI(docs_url=None, redoc_url=None)  # they load from another host; see apps/web/docs
    app.state.agent = agent
    add_problem_handlers(app)
    for router in routers:
        app.include_router(router)
    return app
