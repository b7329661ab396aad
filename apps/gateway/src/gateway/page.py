"""The web page, and security headers for every response."""

from urllib.parse import urlsplit

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from starlette.datastructures import MutableHeaders
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.settings import GatewaySettings

NOT_BUILT = "The web page is not built: run `make install`. The HTTP interface works without it.\n"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src {connect}; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class SecurityHeaders:
    """Add a content security policy: browsers load nothing from other hosts, and show the page in no frame."""

    def __init__(self, app: ASGIApp, *, connect: str) -> None:
        self._app = app
        self._policy = POLICY.format(connect=f"'self' {connect}".strip())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to every response."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = self._policy
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
            await send(message)

        await self._app(scope, receive, with_headers)


def add_page(app: FastAPI, settings: GatewaySettings) -> None:
    """Serve the built page at `/`. Routes added before take precedence."""
    issuer = urlsplit(settings.oidc_issuer)
    app.add_middleware(SecurityHeaders, connect=f"{issuer.scheme}://{issuer.netloc}" if settings.oidc_issuer else "")
    if (settings.web_dir / "index.html").is_file():
        app.mount("/", StaticFiles(directory=settings.web_dir, html=True))
    else:

        @app.get("/", include_in_schema=False)
        async def not_built() -> PlainTextResponse:
            return PlainTextResponse(NOT_BUILT)
