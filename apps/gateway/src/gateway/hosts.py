"""Loopback hosts, and the check of the `Host` header under local sign-in."""

import ipaddress
import re

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_HOST_HEADER = re.compile(r"(?P<host>\[[0-9a-f:.]{2,45}\]|[0-9a-z.-]{1,253})(:\d{1,5})?", re.ASCII | re.IGNORECASE)


def is_loopback(host: str) -> bool:
    """True if a host, an IPv6 address with or without brackets, can only be this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class LoopbackHostsOnly:
    """Refuse requests for hosts that are not loopback.

    This stops DNS rebinding: a foreign page whose host name resolves to this machine must not get a token.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request with exactly one `Host` header, if it names a loopback host."""
        if scope["type"] == "http":
            hosts = Headers(scope=scope).getlist("host")
            match = _HOST_HEADER.fullmatch(hosts[0]) if len(hosts) == 1 else None
            if match is None or not is_loopback(match["host"]):
                return await PlainTextResponse("Invalid host header", 400)(scope, receive, send)
        return await self._app(scope, receive, send)
