"""The application: middleware, handlers, routes and the page, around an agent that is open already."""

from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from agent import Agent
from gateway.auth.local import LocalSignIn, Verifier
from gateway.limits import BodyLimit
from gateway.page import add_page
from gateway.problems import add_problem_handlers
from gateway.routes import chat, config, dev, health, me, memories, profile, threads
from gateway.settings import GatewaySettings


def create_app(agent: Agent, verifier: Verifier, settings: GatewaySettings) -> FastAPI:
    """Return the gateway's application.

    Args:
        agent: does the work; whoever opened it closes it.
        verifier: tells who a token speaks for; a `LocalSignIn` also hands tokens out, to this machine.
        settings: where the page is, and how its users sign in.
    """
    app = FastAPI(title="Keepsake", docs_url=None, redoc_url=None)  # those pages load scripts from elsewhere
    app.state.agent, app.state.verifier, app.state.settings = agent, verifier, settings
    add_problem_handlers(app)
    app.add_middleware(BodyLimit)
    for route in (chat, threads, memories, profile, me, config, health):
        app.include_router(route.router)
    if isinstance(verifier, LocalSignIn):
        app.include_router(dev.make_router(verifier))
        # A page of elsewhere whose name is made to point here must not get a token (DNS rebinding).
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=["localhost", "127.0.0.1"])
    add_page(app, settings)
    return app


def create_worker_app(agent: Agent) -> FastAPI:
    """Return what a worker answers: to operators how it is, to users nothing."""
    app = FastAPI(title="Keepsake's worker", docs_url=None, redoc_url=None)
    app.state.agent = agent
    add_problem_handlers(app)
    app.include_router(health.router)
    return app
