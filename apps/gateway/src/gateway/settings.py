"""What the gateway reads from its environment, in composition roots only."""

import ipaddress
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

# apps/gateway/src/gateway/settings.py → apps/web/dist
_BUILT_PAGE = Path(__file__).parents[3] / "web" / "dist"


class GatewaySettings(BaseSettings):
    """Where the gateway listens, and who may come in."""

    model_config = SettingsConfigDict(env_prefix="KEEPSAKE_", env_file=".env", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    """0: any free one."""
    oidc_issuer: str = ""
    """Empty: local sign-in, on loopback only."""
    oidc_audience: str = ""
    oidc_client_id: str = ""
    """The page's own id at the issuer; empty: the audience."""
    user_claim: str = "sub"
    web_dir: Path = _BUILT_PAGE
    worker: bool = True
    """Whether `keepsake serve` distils too; false where `keepsake worker` does."""

    @model_validator(mode="after")
    def _issuer_is_whole(self) -> Self:
        if bool(self.oidc_issuer) != bool(self.oidc_audience):
            raise ValueError("KEEPSAKE_OIDC_ISSUER and KEEPSAKE_OIDC_AUDIENCE belong together")
        if not self.oidc_issuer and not self.on_loopback:
            raise ValueError(
                f"local sign-in asks for no password, so it is refused on {self.host}: set KEEPSAKE_OIDC_ISSUER and "
                "KEEPSAKE_OIDC_AUDIENCE, or KEEPSAKE_HOST=127.0.0.1"
            )
        return self

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the gateway."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
