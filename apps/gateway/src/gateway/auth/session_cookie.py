"""The cookie of a browser's session, and protection against requests that other sites make with it (ADR 23)."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from gateway.errors import CrossSiteError
from gateway.settings import GatewaySettings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def read_cookie(request: Request, settings: GatewaySettings) -> str | None:
    """Read the secret of the session; None if there is no cookie.

    Raises:
        CrossSiteError: another site may have made the browser send the request.
    """
    secret = request.cookies.get(_name(request, settings))
    if secret is not None and not _is_same_origin(request):
        raise CrossSiteError("only the page of this installation may use its cookie")
    return secret


def set_cookie(response: Response, request: Request, settings: GatewaySettings, secret: str) -> None:
    """Set the cookie. Scripts cannot read it, and browsers send it with requests from this site only."""
    response.set_cookie(
        _name(request, settings),
        secret,
        max_age=settings.session_hours * 3600,
        path="/",
        secure=_is_secure(request, settings),
        httponly=True,
        samesite="strict",
    )


def delete_cookie(response: Response, request: Request, settings: GatewaySettings) -> None:
    """Make the browser forget the cookie."""
    response.delete_cookie(
        _name(request, settings),
        path="/",
        secure=_is_secure(request, settings),
        httponly=True,
        samesite="strict",
    )


def _is_secure(request: Request, settings: GatewaySettings) -> bool:
    return "https" in (request.url.scheme, urlsplit(settings.public_url).scheme)


def _name(request: Request, settings: GatewaySettings) -> str:
    """With TLS, browsers guarantee for `__Host-` that no other host has set it. Cookies do not distinguish ports."""
    return "__Host-keepsake" if _is_secure(request, settings) else f"keepsake-{request.url.port or 80}"


def _is_same_origin(request: Request) -> bool:
    """Judge by Fetch Metadata and, for browsers that do not send it, by `Origin`.

    Another port of the same host is another origin, but the same site, so that `SameSite` does not protect from it.
    """
    is_safe = request.method in SAFE_METHODS
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site == "same-origin" or (is_safe and site == "none")
    if origin is not None:
        return urlsplit(origin).netloc == request.headers.get("host")
    return is_safe
