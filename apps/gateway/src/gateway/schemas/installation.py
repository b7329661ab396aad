"""Schemas of the installation: configuration and health."""

from typing import Literal

from pydantic import Field

from gateway.schemas.base import Schema


class OidcConfig(Schema):
    """OpenID Connect settings of the web page."""

    issuer: str = Field(description="Address of the issuer; its discovery document has the endpoints.")
    client_id: str = Field(description="Client id of the web page.")
    audience: str = Field(description="Audience of the access tokens that the page requests.")
    scope: str = Field(description="Scope that the page requests.")


class WebSearchConfig(Schema):
    """Availability of the web search."""

    available: bool
    why: str | None = Field(description="Why it is not available; null if it is.")


class Config(Schema):
    """Public configuration of this installation."""

    name: Literal["keepsake"]
    version: str = Field(description="Version of the gateway.")
    sign_in: Literal["local", "oidc"]
    local_sign_in: Literal["link", "open"] | None = Field(
        description="Whether local sign-in requires the secret of the sign-in link; null with an issuer."
    )
    oidc: OidcConfig | None = Field(description="Null with local sign-in.")
    models: list[str] = Field(description="Names of the chat models; the first is the default.")
    offline: bool = Field(description="True if the offline model answers, which is not a language model.")
    web_search: WebSearchConfig


class Health(Schema):
    """The process is running, or ready."""

    status: Literal["ok", "ready"]
    detail: str | None = Field(None, description="What an operator should do; absent if nothing.")
