"""The web page, and security headers for every response."""

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.auth.principal import Verifier
from gateway.settings import GatewaySettings

NOT_BUILT = "The web page is not built: run `make install`. The HTTP interface works without it.\n"
CLIENT_ROUTES = {"memory", "settings", "temporary", "thread"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src {connect}; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class SecurityHeaders:
    """Add a content security policy: browsers load nothing from other hosts, and show the page in no frame.

    Responses other than the page's files are stored in no cache.
    """

    def __init__(self, app: ASGIApp, *, verifier: Verifier) -> None:
        self._app = app
        self._verifier = verifier

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to every response; that with the page waits for the addresses it connects to for sign-in."""
        if scope.get("path", "").split("/")[1:2] in ([""], *([name] for name in CLIENT_ROUTES)):
            await self._verifier.load_origins()
        policy = POLICY.format(connect=" ".join(("'self'", *self._verifier.origins)))

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, with_headers)


class PageFiles(StaticFiles):
    """The files of the page, which browsers may store, but ask whether they have changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Respond with a file, or at an address of the page (`src/routes.ts`) with the page."""
        if path.partition("/")[0] in CLIENT_ROUTES:
            path = "index.html"
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_page(app: FastAPI, settings: GatewaySettings, verifier: Verifier) -> None:
    """Serve the built page at `/`. Routes added before take precedence."""
    app.add_middleware(SecurityHeaders, verifier=verifier)
    if (settings.web_dir / "index.html").is_file():
        # Not mounted: a mount would also answer requests for routes of the interface with a wrong method.
        app.router.default = PageFiles(directory=settings.web_dir, html=True)
    else:

        @app.get("/", include_in_schema=False)
        async def not_built() -> PlainTextResponse:
            return PlainTextResponse(NOT_BUILT)
