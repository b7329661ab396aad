"""The header in which LangGraph's clients send a key."""

from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX = "/langgraph"
API_KEY = b"x-api-key"
AUTHORIZATION = b"authorization"


class ApiKeyHeader:
    """Middleware that reads `X-Api-Key` as a bearer token, below `PREFIX` and without an `Authorization` header."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request."""
        if scope["type"] == "http" and scope["path"].startswith(f"{PREFIX}/"):
            names = {name for name, _ in scope["headers"]}
            if API_KEY in names and AUTHORIZATION not in names:
                headers = [(name, value) for name, value in scope["headers"] if name != API_KEY]
                keys = [value for name, value in scope["headers"] if name == API_KEY]
                # Several keys are ambiguous: the joined value is no valid token.
                scope = {**scope, "headers": [*headers, (AUTHORIZATION, b"Bearer " + b",".join(keys))]}
        await self._app(scope, receive, send)
