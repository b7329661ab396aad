"""Sign-in with OpenID Connect: discovery, keys of the issuer, and the verifier of its tokens.

References:
    OpenID Connect Discovery 1.0, section 4; RFC 7517 (JWK).
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, nullcontext, suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicNumbers
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

from agent import SetupError
from gateway.auth.principal import Verifier
from gateway.auth.token_kind import ANY_CLIENT, Clients
from gateway.auth.tokens import Claims, PublicKey, TokenValidator, decode_base64url, decode_object
from gateway.errors import IssuerUnavailableError

REFRESH_SECONDS = 300
FRESH_SECONDS = 590
"""With the time limit of a fetch, a key that the issuer has withdrawn is accepted for at most 10 minutes."""
REFETCH_SECONDS = 30
FIRST_RETRY_SECONDS = 2
TIMEOUT_SECONDS = 5.0
MAX_RESPONSE_BYTES = 256 * 1024

_PAGE_ENDPOINTS = ("token_endpoint", "userinfo_endpoint", "revocation_endpoint")
_ORIGIN = re.compile(r"https?://[\w.-]+(:\d+)?|https?://\[[0-9a-f:]+\](:\d+)?", re.ASCII | re.IGNORECASE)

logger = logging.getLogger(__name__)


@asynccontextmanager
async def open_oidc(
    issuer: str,
    audience: str,
    *,
    user_claim: str = "sub",
    clients: Clients = ANY_CLIENT,
    http: httpx.AsyncClient | None = None,
) -> AsyncIterator[Verifier]:
    """Open a verifier for the access tokens of an issuer.

    The first request to the issuer is made when the first token arrives, so the issuer may start later.

    Args:
        issuer: exactly as in its tokens and its discovery document. With Entra External ID, it differs from the
            authority used for sign-in.
        audience: required audience of the tokens.
        user_claim: the claim that identifies the user.
        clients: the client of the web page, and those whose tokens are accepted; by default all.
        http: client for requests to the issuer, closed by the caller. By default, the verifier opens its own.

    Raises:
        SetupError: the issuer's address is neither https nor on this machine.
    """
    if not _is_safe(issuer) or {"?", "#", "@"} & set(issuer):
        raise SetupError("the issuer must be an https address without query and fragment")
    async with (
        nullcontext(http) if http is not None else httpx.AsyncClient() as client,
        aclosing(IssuerKeys(issuer, client)) as keys,
    ):
        validator = TokenValidator(issuer, audience, keys.find, clients=clients)
        yield OidcVerifier(validator, user_claim, keys)


class IssuerKeys:
    """The keys of an issuer by their ids, fetched on demand and cached for 10 minutes.

    After 5 minutes, a lookup starts a fetch in the background; after 10, it waits for the fetch. During a fetch, and
    while the issuer is unavailable, other lookups use the cached keys. An unknown id causes a new fetch, at most once
    in 30 seconds.
    """

    def __init__(
        self,
        issuer: str,
        http: httpx.AsyncClient,
        *,
        clock: Callable[[], float] = time.monotonic,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._issuer = issuer
        self._http = http
        self._clock = clock
        self._timeout_seconds = timeout_seconds
        self._keys: Mapping[str, PublicKey] = {}
        self.origins: Sequence[str] = _origins([issuer])
        """The origins of the issuer and its endpoints that the page uses."""
        self._fetched_at: float | None = None
        self._not_before = float("-inf")
        self._failed = False
        self._pending_fetch: asyncio.Task[None] | None = None

    async def find(self, kid: str) -> PublicKey | None:
        """Look up a key; None if the issuer has no usable key with this id.

        Raises:
            IssuerUnavailableError: the key is not cached, and the last fetch failed.
        """
        starts_fetch = self._pending_fetch is None and self._is_due(kid)
        if starts_fetch:
            self._pending_fetch = asyncio.create_task(self._fetch())
        waits = kid not in self._keys or (starts_fetch and self._age >= FRESH_SECONDS)
        if self._pending_fetch and waits:
            # A cancelled lookup must not cancel the fetch of the others.
            await asyncio.shield(self._pending_fetch)
        if kid not in self._keys and self._failed:
            raise IssuerUnavailableError("the keys of the issuer are not available")
        return self._keys.get(kid)

    async def load(self) -> None:
        """Fetch metadata and keys, if that was not done yet; wait for the result."""
        if self._fetched_at is None:
            with suppress(IssuerUnavailableError):
                await self.find("")

    async def aclose(self) -> None:
        """Cancel a running fetch."""
        if self._pending_fetch:
            self._pending_fetch.cancel()
            await asyncio.wait([self._pending_fetch])

    def _is_due(self, kid: str) -> bool:
        return (self._age >= REFRESH_SECONDS or kid not in self._keys) and self._clock() >= self._not_before

    @property
    def _age(self) -> float:
        """Seconds since the last successful fetch."""
        return float("inf") if self._fetched_at is None else self._clock() - self._fetched_at

    async def _fetch(self) -> None:
        first = self._fetched_at is None
        self._not_before = self._clock() + (FIRST_RETRY_SECONDS if first else REFETCH_SECONDS)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                self._keys = await self._request_keys()
        except (IssuerUnavailableError, TimeoutError) as error:
            self._failed = True
            logger.warning("Fetching the keys of %s failed: %s", self._issuer, str(error) or "timed out")
        else:
            self._failed = False
            self._fetched_at = self._clock()
            if first:
                self._not_before = self._fetched_at
        finally:
            self._pending_fetch = None

    async def _request_keys(self) -> Mapping[str, PublicKey]:
        address = self._issuer.removesuffix("/") + "/.well-known/openid-configuration"
        metadata = await _get(self._http, address)
        if metadata.get("issuer") != self._issuer:
            other = repr(metadata.get("issuer"))[:200]
            raise IssuerUnavailableError(f"the discovery document is for another issuer, {other}")
        jwks_uri = metadata.get("jwks_uri")
        if not isinstance(jwks_uri, str) or not _is_safe(jwks_uri):
            raise IssuerUnavailableError("jwks_uri is not an https address")
        keys = read_keys(await _get(self._http, jwks_uri))
        self.origins = _origins([self._issuer, *(metadata.get(name) for name in _PAGE_ENDPOINTS)])
        return keys


class OidcVerifier(Verifier):
    """Verifies the tokens of an issuer."""

    def __init__(self, validator: TokenValidator, user_claim: str, keys: IssuerKeys) -> None:
        super().__init__(validator, user_claim)
        self._keys = keys

    @property
    def origins(self) -> Sequence[str]:
        """Those of the issuer and of its endpoints; before the first fetch, only that of the issuer."""
        return self._keys.origins

    async def load_origins(self) -> None:
        """Fetch the metadata of the issuer, if that was not done yet."""
        await self._keys.load()


def read_keys(jwks: Claims) -> Mapping[str, PublicKey]:
    """Read the usable keys of a JWK Set, by their ids.

    Other keys are ignored (RFC 7517, section 5), and so is an id with two different keys.
    """
    entries = jwks.get("keys")
    if not isinstance(entries, list):
        raise IssuerUnavailableError("the keys are not a JWK Set")
    by_id: dict[str, list[PublicKey]] = {}
    for entry in entries:
        if (key := _read_key(entry)) is not None:
            by_id.setdefault(entry["kid"], []).append(key)
    return {kid: keys[0] for kid, keys in by_id.items() if all(key == keys[0] for key in keys)}


def _read_key(entry: object) -> PublicKey | None:
    """Read a public signature key with an id; None if the JWK is anything else."""
    if not isinstance(entry, dict) or not isinstance(entry.get("kid"), str) or "d" in entry:
        return None
    key = _public_key(entry)
    if key is None or entry.get("use", "sig") != "sig" or entry.get("key_ops", ["verify"]) != ["verify"]:
        return None
    return key if entry.get("alg", key.algorithm) == key.algorithm else None


def _public_key(entry: Mapping[str, object]) -> PublicKey | None:
    with suppress(ValueError, UnsupportedAlgorithm):
        match entry:
            case {"kty": "RSA", "n": str(n), "e": str(e)}:
                return PublicKey.of(RSAPublicNumbers(_integer(e), _integer(n)).public_key())
            case {"kty": "EC", "crv": "P-256", "x": str(x), "y": str(y)}:
                return PublicKey.of(EllipticCurvePublicNumbers(_integer(x), _integer(y), SECP256R1()).public_key())
    return None


def _integer(text: str) -> int:
    return int.from_bytes(decode_base64url(text))


async def _get(http: httpx.AsyncClient, address: str) -> Claims:
    headers = {"accept": "application/json", "accept-encoding": "identity"}
    try:
        async with http.stream("GET", address, headers=headers, follow_redirects=False) as response:
            if response.status_code != httpx.codes.OK:
                raise IssuerUnavailableError(f"{address} responded with {response.status_code}")
            return decode_object(await _read_body(response))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise IssuerUnavailableError(f"{address} did not respond: {type(error).__name__}") from error
    except ValueError as error:
        raise IssuerUnavailableError(f"{address} did not return a valid JSON object") from error


async def _read_body(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise ValueError("the response is too large")
    return bytes(body)


def _origins(addresses: Iterable[object]) -> Sequence[str]:
    """The origins of safe addresses, each once, for use in a content security policy."""
    safe = [urlsplit(address) for address in addresses if isinstance(address, str) and _is_safe(address)]
    origins = [f"{parts.scheme}://{parts.netloc}" for parts in safe]
    return tuple(dict.fromkeys(origin for origin in origins if _ORIGIN.fullmatch(origin)))


def _is_safe(address: str) -> bool:
    """Check that responses cannot be changed in transit: https, or http to this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        if parts.scheme == "http":
            return host == "localhost" or ip_address(host).is_loopback
        return bool(host) and parts.scheme == "https"
    except ValueError:
        return False
