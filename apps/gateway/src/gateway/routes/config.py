"""What the page may ask before anybody has signed in."""

from importlib.metadata import version
from typing import Any

from fastapi import APIRouter

from gateway.dependencies import CurrentAgent, Settings

router = APIRouter(tags=["config"])


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
        "web_search": {"available": agent.web_search.available, "why": agent.web_search.why},
    }
