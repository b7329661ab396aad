"""Settings of the gateway. Only composition roots read them."""

import ipaddress
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

# apps/gateway/src/gateway/settings.py → apps/web/dist
_WEB_DIR = Path(__file__).parents[3] / "web" / "dist"


class GatewaySettings(BaseSettings):
    """Address, sign-in and web page of the gateway."""

    model_config = SettingsConfigDict(env_prefix="KEEPSAKE_", env_file=".env", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    """0: a free port."""
    oidc_issuer: str = ""
    """Issuer of access tokens; empty: local sign-in, on loopback only."""
    oidc_audience: str = ""
    """Audience that access tokens must have."""
    oidc_client_id: str = ""
    """Client id of the web page; empty: the audience."""
    user_claim: str = "sub"
    """Claim that identifies the user; see `principal_of`."""
    web_dir: Path = _WEB_DIR
    worker: bool = True
    """Whether `keepsake serve` forms memories; false if `keepsake worker` runs separately."""

    @model_validator(mode="after")
    def _check_issuer(self) -> Self:
        if bool(self.oidc_issuer) != bool(self.oidc_audience):
            raise ValueError("KEEPSAKE_OIDC_ISSUER and KEEPSAKE_OIDC_AUDIENCE must be set together")
        if not self.oidc_issuer and not self.on_loopback:
            raise ValueError(
                f"local sign-in requires no password and is not allowed on {self.host}: set KEEPSAKE_OIDC_ISSUER and "
                "KEEPSAKE_OIDC_AUDIENCE, or KEEPSAKE_HOST=127.0.0.1"
            )
        return self

    @property
    def on_loopback(self) -> bool:
        """True if only this machine can connect to the gateway."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
