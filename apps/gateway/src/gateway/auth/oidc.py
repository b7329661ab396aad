"""Sign-in with an OpenID provider: discovery, its keys, and the verifier that uses them.

References:
    OpenID Connect Discovery 1.0, section 4; RFC 7517 (JWK).
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, nullcontext
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicNumbers
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

from agent import SetupError
from gateway.auth.principal import Principal, Verifier, principal_of
from gateway.auth.tokens import Claims, PublicKey, TokenValidator, decode_base64url, decode_object
from gateway.errors import IssuerUnavailableError

FRESH_SECONDS = 3600
REFETCH_SECONDS = 30
FIRST_RETRY_SECONDS = 2
TIMEOUT_SECONDS = 5.0
MAX_RESPONSE_BYTES = 256 * 1024

log = logging.getLogger(__name__)


@asynccontextmanager
async def open_oidc(
    issuer: str, audience: str, *, user_claim: str = "sub", http: httpx.AsyncClient | None = None
) -> AsyncIterator[Verifier]:
    """Open a verifier for the access tokens of an OpenID provider.

    Nothing is asked of the provider before the first token comes: it may start after us.

    Args:
        issuer: its address, exactly as it stands in its tokens and its discovery document. Entra External ID
            writes another one there than the authority that one signs in at.
        audience: the API that its tokens must be for.
        user_claim: the claim that names the user, see `principal`.
        http: asks the provider; stays open. None opens one for as long as the verifier.

    Raises:
        SetupError: when the issuer's address is neither https nor on this machine.
    """
    if not _is_issuer(issuer):
        raise SetupError("the issuer must be an https address without query and fragment")
    async with (
        nullcontext(http) if http is not None else httpx.AsyncClient() as client,
        aclosing(IssuerKeys(issuer, client)) as keys,
    ):
        yield _OidcVerifier(TokenValidator(issuer, audience, keys.find), user_claim)


class _OidcVerifier(Verifier):
    def __init__(self, door: TokenValidator, user_claim: str) -> None:
        self._door = door
        self._user_claim = user_claim

    async def verify(self, token: str) -> Principal:
        return principal_of(await self._door.validate(token), self._user_claim)


class IssuerKeys:
    """The keys of one issuer by their ids, fetched when one is asked for, and kept for an hour.

    Whoever finds them stale fetches them anew; meanwhile, and when the provider is down, the known keys
    serve everybody else. A key nobody knows is worth one more look, at most every 30 seconds.
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
        self._fetched_at: float | None = None
        self._not_before = float("-inf")
        self._failed = False
        self._flight: asyncio.Task[None] | None = None

    async def find(self, kid: str) -> PublicKey | None:
        """Find a key by its id, None when the issuer has none such that can be used.

        Raises:
            IssuerUnavailableError: when the key is not known, and the issuer did not answer when last asked.
        """
        lead = self._flight is None and self._is_due(kid)
        if lead:
            self._flight = asyncio.create_task(self._fetch())
        if self._flight and (lead or kid not in self._keys):
            # Shielded: whoever leaves while waiting does not take the answer from the others.
            await asyncio.shield(self._flight)
        if kid not in self._keys and self._failed:
            raise IssuerUnavailableError("the issuer's keys cannot be had now")
        return self._keys.get(kid)

    async def aclose(self) -> None:
        """Give up a fetch that is under way."""
        if self._flight:
            self._flight.cancel()
            await asyncio.wait([self._flight])

    def _is_due(self, kid: str) -> bool:
        now = self._clock()
        stale = self._fetched_at is None or now - self._fetched_at >= FRESH_SECONDS
        return (stale or kid not in self._keys) and now >= self._not_before

    async def _fetch(self) -> None:
        first = self._fetched_at is None
        self._not_before = self._clock() + (FIRST_RETRY_SECONDS if first else REFETCH_SECONDS)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                self._keys = await self._ask()
        except (IssuerUnavailableError, TimeoutError) as error:
            self._failed = True
            log.warning("the keys of %s cannot be had: %s", self._issuer, str(error) or "it is too slow")
        else:
            self._failed = False
            self._fetched_at = self._clock()
            if first:
                self._not_before = self._fetched_at
        finally:
            self._flight = None

    async def _ask(self) -> Mapping[str, PublicKey]:
        address = self._issuer.removesuffix("/") + "/.well-known/openid-configuration"
        discovered = await _get(self._http, address)
        if discovered.get("issuer") != self._issuer:
            named = repr(discovered.get("issuer"))[:200]
            raise IssuerUnavailableError(f"its discovery document names another issuer, {named}")
        jwks_uri = discovered.get("jwks_uri")
        if not isinstance(jwks_uri, str) or not _is_safe(jwks_uri):
            raise IssuerUnavailableError("its jwks_uri is not an https address")
        return read_keys(await _get(self._http, jwks_uri))


def read_keys(jwks: Claims) -> Mapping[str, PublicKey]:
    """Read the keys of a JWK Set that can verify our tokens, by their ids.

    The others are left out (RFC 7517, section 5), and so is an id that stands for two different keys.

    Raises:
        IssuerUnavailableError: when it is no JWK Set.
    """
    entries = jwks.get("keys")
    if not isinstance(entries, list):
        raise IssuerUnavailableError("its keys are no JWK Set")
    found: dict[str, list[PublicKey]] = {}
    for entry in entries:
        if (key := _read_key(entry)) is not None:
            found.setdefault(entry["kid"], []).append(key)
    return {kid: keys[0] for kid, keys in found.items() if all(key == keys[0] for key in keys)}


def _read_key(entry: object) -> PublicKey | None:
    """Read a JWK with an id, made for signatures, and without its private part; None for any other."""
    if not isinstance(entry, dict) or not isinstance(entry.get("kid"), str) or "d" in entry:
        return None
    key = _material(entry)
    if key is None or entry.get("use", "sig") != "sig" or entry.get("key_ops", ["verify"]) != ["verify"]:
        return None
    return key if entry.get("alg", key.algorithm) == key.algorithm else None


def _material(entry: Mapping[str, object]) -> PublicKey | None:
    try:
        match entry:
            case {"kty": "RSA", "n": str(n), "e": str(e)}:
                return PublicKey.of(RSAPublicNumbers(_number(e), _number(n)).public_key())
            case {"kty": "EC", "crv": "P-256", "x": str(x), "y": str(y)}:
                return PublicKey.of(EllipticCurvePublicNumbers(_number(x), _number(y), SECP256R1()).public_key())
    except (ValueError, UnsupportedAlgorithm):
        pass
    return None


def _number(text: str) -> int:
    return int.from_bytes(decode_base64url(text))


async def _get(http: httpx.AsyncClient, address: str) -> Claims:
    """Get a JSON object, at most 256 KB of it, without following redirects."""
    headers = {"accept": "application/json", "accept-encoding": "identity"}
    try:
        async with http.stream("GET", address, headers=headers, follow_redirects=False) as response:
            if response.status_code != httpx.codes.OK:
                raise IssuerUnavailableError(f"{address} answered {response.status_code}")
            return decode_object(await _read_body(response))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise IssuerUnavailableError(f"{address} did not answer: {type(error).__name__}") from error
    except ValueError as error:
        raise IssuerUnavailableError(f"{address} answered no JSON object that can be used") from error


async def _read_body(response: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise ValueError("the body is too large")
    return bytes(body)


def _is_issuer(address: str) -> bool:
    return _is_safe(address) and not {"?", "#", "@"} & set(address)


def _is_safe(address: str) -> bool:
    """Tell whether nobody on the way can change an answer: https, or plain http to this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)))
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    return host == "localhost" or ip_address(host).is_loopback
