"""Settings of the gateway. Only composition roots read them."""

import os
import sys
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from gateway.hosts import is_loopback

# apps/gateway/src/gateway/settings.py → apps/web/dist
_WEB_DIR = Path(__file__).parents[3] / "web" / "dist"


class ConnectionLimits(BaseModel):
    """Limits of the server that apply before a request is authenticated."""

    max_connections: Annotated[int, Field(ge=1)] = 2_000
    """Connections at once; idle ones are closed for new ones."""
    max_header_bytes: Annotated[int, Field(ge=1_024)] = 32_768
    """Size of a request's URL and headers."""
    max_headers: Annotated[int, Field(ge=10)] = 100
    receive_seconds: Annotated[float, Field(gt=0)] = 10.0
    """Time for the headers of a request, and for each 40 kB of a body."""


class GatewaySettings(BaseSettings, ConnectionLimits):
    """Address, sign-in and web page of the gateway."""

    model_config = SettingsConfigDict(
        env_prefix="KEEPSAKE_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    """0: a free port."""
    public_url: str = ""
    """Address of the page in browsers, if it is not that of host and port (containers); empty: host and port."""
    oidc_issuer: str = ""
    """Issuer of access tokens; empty: local sign-in, on loopback only."""
    oidc_audience: str = ""
    """Audience that access tokens must have."""
    oidc_client_id: str = "keepsake-web"
    """Client id of the web page at the issuer."""
    oidc_clients: Annotated[tuple[str, ...], NoDecode] = ()
    """Clients whose access tokens are accepted, with that of the page; empty: all clients of the issuer."""
    oidc_scope: str = "openid profile"
    """What the page requests. Entra also needs a scope of the API here (`api://…/chat`)."""
    user_claim: str = "sub"
    """Claim that identifies the user; see `principal_of`."""
    local_sign_in: Literal["link", "open"] = "link"
    """Local sign-in requires the secret in the link that is printed at start-up, or (`open`) nothing."""
    session_hours: Annotated[int, Field(ge=1, le=8_760)] = 720
    """How long a browser stays signed in."""
    data_dir: Path = Path(".keepsake")
    """The folder with the secret of local sign-in; the agent's setting of the same name."""
    web_dir: Path = _WEB_DIR
    worker: bool = True
    """Whether `keepsake serve` forms memories; false if `keepsake worker` runs separately."""
    processes: Annotated[int, Field(ge=1, le=256)] | Literal["auto"] = 1
    """How many processes of `keepsake serve` share the port; `auto`: one per core."""
    drain_seconds: Annotated[float, Field(ge=0, le=60)] = 5.0
    """Time for answers to end after a stop request; those that remain are interrupted."""

    @field_validator("oidc_clients", mode="before")
    @classmethod
    def _comma_separated(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @model_validator(mode="after")
    def _check_issuer(self) -> Self:
        if bool(self.oidc_issuer) != bool(self.oidc_audience):
            raise ValueError("KEEPSAKE_OIDC_ISSUER and KEEPSAKE_OIDC_AUDIENCE must be set together")
        if not self.oidc_issuer and not self._allows_local_sign_in:
            raise ValueError(
                f"local sign-in is not allowed on {self.public_url or self.host}: set KEEPSAKE_OIDC_ISSUER and "
                "KEEPSAKE_OIDC_AUDIENCE, or KEEPSAKE_HOST=127.0.0.1"
            )
        return self

    @property
    def process_count(self) -> int:
        """The number of processes."""
        if self.processes != "auto":
            return self.processes
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1

    @property
    def on_loopback(self) -> bool:
        """True if only this machine can connect to the gateway."""
        return is_loopback(self.host)

    @property
    def _allows_local_sign_in(self) -> bool:
        """Check that only this machine can connect; in a container, which is published on loopback, also the secret."""
        if self.on_loopback:
            return True
        return self.local_sign_in == "link" and is_loopback(urlsplit(self.public_url).hostname or "")
