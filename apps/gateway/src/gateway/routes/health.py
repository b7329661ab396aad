"""What operators, and the page before anybody has signed in, may ask."""

from importlib.metadata import version
from typing import Any

from fastapi import APIRouter

from gateway.dependencies import CurrentAgent, Settings

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """Say that the process lives."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(agent: CurrentAgent) -> dict[str, str]:
    """Say that it can answer: the database does."""
    await agent.ping()
    return {"status": "ready"}


@router.get("/config")
async def config(agent: CurrentAgent, settings: Settings) -> dict[str, Any]:
    """Tell a client how to sign in, and what there is to choose from."""
    client = settings.oidc_client_id or settings.oidc_audience
    return {
        "name": "keepsake",
        "version": version("keepsake-gateway"),
        "sign_in": "oidc" if settings.oidc_issuer else "local",
        "oidc": {"issuer": settings.oidc_issuer, "client_id": client} if settings.oidc_issuer else None,
        "models": list(agent.models),
        "offline": agent.offline,
    }
