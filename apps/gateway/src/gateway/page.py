"""The web page, and security headers for every response."""

import re
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.auth.principal import Verifier
from gateway.settings import GatewaySettings

NOT_BUILT = "The web page is not built: run `make install`. The HTTP interface works without it.\n"
CLIENT_ROUTES = {"memory", "settings", "temporary", "thread"}
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The encodings of variants that the build writes beside a file, the smallest first, by their suffixes."""
IMMUTABLE = "public, max-age=31536000, immutable"
ZERO_WEIGHT = re.compile(r"q=0(\.0{0,3})?")
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
    """The files of the page, in the variant that a browser accepts.

    Files in `assets/` have a hash in their names, so browsers keep them; they ask whether others have changed.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, html=True)
        files = (path for path in directory.rglob("*") if path.suffix in ENCODINGS.values())
        self._variants = frozenset(path.relative_to(directory).as_posix() for path in files)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Respond with a file, or at an address of the page (`src/routes.ts`) with the page."""
        path = Path(path).as_posix()
        if path == "." or path.partition("/")[0] in CLIENT_ROUTES:
            path = "index.html"
        encodings = [name for name, suffix in ENCODINGS.items() if path + suffix in self._variants]
        accepted = accepted_encodings(Headers(scope=scope).get("accept-encoding", ""))
        encoding = next((name for name in encodings if name in accepted), None)
        response = await super().get_response(path + ENCODINGS[encoding] if encoding else path, scope)
        if encoding:
            response.headers["Content-Encoding"] = encoding
        if encodings:
            response.headers["Vary"] = "Accept-Encoding"
        is_hashed = path.startswith("assets/") and response.status_code < HTTPStatus.BAD_REQUEST
        response.headers["Cache-Control"] = IMMUTABLE if is_hashed else "no-cache"
        return response


def accepted_encodings(header: str) -> frozenset[str]:
    """The encodings in an `Accept-Encoding` field (RFC 9110, section 12.5.3), without those of weight 0."""
    parts = (part.partition(";") for part in header.lower().split(","))
    return frozenset(name.strip() for name, _, weight in parts if not ZERO_WEIGHT.fullmatch(weight.strip()))


def add_page(app: FastAPI, settings: GatewaySettings, verifier: Verifier) -> None:
    """Serve the built page at `/`. Routes added before take precedence."""
    app.add_middleware(SecurityHeaders, verifier=verifier)
    if (settings.web_dir / "index.html").is_file():
        # Not mounted: a mount would also answer requests for routes of the interface with a wrong method.
        app.router.default = PageFiles(settings.web_dir)
    else:

        @app.get("/", include_in_schema=False)
        async def not_built() -> PlainTextResponse:
            return PlainTextResponse(NOT_BUILT)
