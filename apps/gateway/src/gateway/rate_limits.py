"""Limits per user in HTTP: the fields `RateLimit` and `RateLimit-Policy`.

References:
    draft-ietf-httpapi-ratelimit-headers-10.
"""

import math
from collections.abc import Callable, Sequence

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent import QuotaState

STATE_KEY = "quota_states"

ReadStates = Callable[[], Sequence[QuotaState]]


def announce_quotas(request: Request, read_states: ReadStates) -> None:
    """Add the fields to the response; the quotas are read when it starts."""
    setattr(request.state, STATE_KEY, read_states)


class RateLimitFields:
    """Middleware that adds the fields to responses; see `announce_quotas`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        state = scope.setdefault("state", {})

        async def send_with_fields(message: Message) -> None:
            if message["type"] == "http.response.start" and (read_states := state.get(STATE_KEY)):
                _add_fields(MutableHeaders(scope=message), read_states())
            await send(message)

        return await self._app(scope, receive, send_with_fields)


def _add_fields(headers: MutableHeaders, states: Sequence[QuotaState]) -> None:
    if not states:
        return
    headers["RateLimit-Policy"] = ", ".join(
        f'"{state.meter}";q={state.quota.limit};w={state.quota.window_seconds:.0f}' for state in states
    )
    headers["RateLimit"] = ", ".join(
        f'"{state.meter}";r={state.remaining};t={math.ceil(state.reset_seconds)}' for state in states
    )
