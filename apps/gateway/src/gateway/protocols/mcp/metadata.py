"""Metadata of the protected resource, from which MCP clients learn where their users sign in.

References:
    RFC 9728 (metadata of protected resources), RFC 8707 (resource indicators).
"""

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import Field

from gateway.dependencies import Settings
from gateway.problems import CHALLENGE_KEY
from gateway.schemas.base import Schema
from gateway.settings import GatewaySettings

MCP_PATH = "/mcp"
METADATA_PATH = "/.well-known/oauth-protected-resource"

router = APIRouter(include_in_schema=False)


class ResourceMetadata(Schema):
    """The members of RFC 9728, section 2, that clients need."""

    resource: str = Field(description="The audience that clients request tokens for.")
    authorization_servers: list[str]
    scopes_supported: list[str]
    bearer_methods_supported: tuple[str, ...] = ("header",)
    resource_name: str = "Keepsake"


@router.get(METADATA_PATH)
@router.get(METADATA_PATH + MCP_PATH)
async def get_resource_metadata(request: Request, settings: Settings) -> ResourceMetadata:
    """Describe how to get a token for `/mcp`; 404 under local sign-in, which has no authorization server."""
    if not settings.oidc_issuer:
        raise HTTPException(404, "Not Found")
    return ResourceMetadata(
        resource=_resource(request, settings),
        authorization_servers=[settings.oidc_issuer],
        scopes_supported=settings.oidc_scope.split(),
    )


async def add_challenge(request: Request, settings: Settings) -> None:
    """Let 401 responses to this request name the metadata."""
    if settings.oidc_issuer:
        address = f"{_base_url(request, settings)}{METADATA_PATH}{MCP_PATH}"
        setattr(request.state, CHALLENGE_KEY, f'Bearer resource_metadata="{address}"')


CHALLENGED = Depends(add_challenge)
"""For routers, before the verification of the token."""


def _resource(request: Request, settings: GatewaySettings) -> str:
    """The required audience if clients accept it as an identifier of this server, otherwise the address of `/mcp`.

    Clients accept the address that they call, and those above it on the same host.
    """
    address = _base_url(request, settings) + MCP_PATH
    audience = settings.oidc_audience
    return audience if f"{address}/".startswith(f"{audience.rstrip('/')}/") else address


def _base_url(request: Request, settings: GatewaySettings) -> str:
    return (settings.public_url or str(request.base_url)).rstrip("/")
