"""Configuration that clients read before sign-in."""

from importlib.metadata import version

from fastapi import APIRouter

from gateway.dependencies import CurrentAgent, Settings
from gateway.schemas.installation import Config, OidcConfig, WebSearchConfig

router = APIRouter(tags=["installation"])


@router.get("/config")
async def get_config(agent: CurrentAgent, settings: Settings) -> Config:
    """Get the sign-in method, the models and the features of this installation."""
    page = OidcConfig(
        issuer=settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        audience=settings.oidc_audience,
        scope=settings.oidc_scope,
    )
    return Config(
        name="keepsake",
        version=version("keepsake-gateway"),
        sign_in="oidc" if settings.oidc_issuer else "local",
        local_sign_in=None if settings.oidc_issuer else settings.local_sign_in,
        oidc=page if settings.oidc_issuer else None,
        models=list(agent.models),
        offline=agent.offline,
        web_search=WebSearchConfig(
            available=agent.web_search.tool is not None, why=agent.web_search.unavailable_reason
        ),
    )
