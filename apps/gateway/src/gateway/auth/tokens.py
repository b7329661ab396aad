"""The one strict door for tokens.

python-jose checks signatures well, but lets through what it does not understand: missing claims, times that
are no times, unknown critical headers, weak keys, members named twice, any size and any depth. So a token's
form is checked before python-jose sees it, and its claims are checked after.

References:
    RFC 7515 (JWS), RFC 7519 (JWT), RFC 8725 (JWT best current practices), RFC 9068 (JWT access tokens).
"""

import base64
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jose import jws
from jose.backends.cryptography_backend import CryptographyECKey, CryptographyRSAKey
from jose.exceptions import JOSEError

from gateway.errors import TokenExpiredError, TokenInvalidError, TokenMissingError

LEEWAY_SECONDS = 60
MAX_TOKEN_CHARS = 8192
MAX_PLAIN_CHARS = 256
MAX_BRACKETS = 256
"""How many lists and objects a JSON text may open, nested or not: far below Python's recursion limit."""
MAX_LIFETIME_SECONDS = 366 * 24 * 3600
"""How far ahead `exp` may lie. No issuer we know goes beyond 30 days; milliseconds taken for seconds do."""
RSA_BITS = range(2048, 8193)

_ALGORITHMS = ("RS256", "ES256")
_TYPES = ("jwt", "at+jwt")
_REFUSED_HEADERS = frozenset({"crit", "jwk", "jku", "x5c", "x5u"})
_UNPLAIN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

Claims = Mapping[str, object]
"""A JSON object, each of its members named once."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that an issuer signs with, and the one algorithm it may be used with."""

    algorithm: Literal["RS256", "ES256"]
    key: RSAPublicKey | EllipticCurvePublicKey

    @classmethod
    def of(cls, key: object) -> "PublicKey":
        """Pin a key to its algorithm.

        Raises:
            ValueError: when it is neither RSA of 2048 to 8192 bits nor EC P-256.
        """
        if isinstance(key, RSAPublicKey) and key.key_size in RSA_BITS:
            return cls("RS256", key)
        if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
            return cls("ES256", key)
        raise ValueError("neither RSA of 2048 bits or more nor EC P-256")

    def check(self, token: str) -> None:
        """Check the signature of a token in compact form.

        Raises:
            TokenInvalidError: when this key did not sign it, or not with this algorithm.
        """
        make = CryptographyRSAKey if self.algorithm == "RS256" else CryptographyECKey
        try:
            jws.verify(token, make(self.key, self.algorithm), [self.algorithm])
        except JOSEError as error:
            raise TokenInvalidError("the token's signature is not the issuer's") from error


FindKey = Callable[[str], Awaitable[PublicKey | None]]
"""Find the issuer's key of this id; None when it has none."""


@dataclass(frozen=True, slots=True)
class TokenValidator:
    """Lets in what one issuer signed for one audience, and nothing else."""

    issuer: str
    audience: str
    find_key: FindKey
    clock: Callable[[], float] = time.time

    async def validate(self, token: str) -> Claims:
        """Verify a token.

        Returns:
            All its claims. `iss`, `aud`, `exp` and `sub` are there and in order; the others are as the issuer
            wrote them.

        Raises:
            TokenError: when it is not valid here and now.
            IssuerUnavailableError: when the issuer's keys cannot be had.
        """
        kid, claims = _read(token)
        key = await self.find_key(kid)
        if key is None:
            raise TokenInvalidError("the token's key is not one of the issuer's")
        key.check(token)
        self._check(claims)
        return claims

    def _check(self, claims: Claims) -> None:
        if claims.get("iss") != self.issuer:
            raise TokenInvalidError("the token is of another issuer")
        if self.audience not in _audience(claims):
            raise TokenInvalidError("the token is for another audience")
        _check_times(claims, self.clock())
        plain_claim(claims, "sub")


def is_plain(text: str) -> bool:
    """Tell whether a text can name somebody: 1 to 256 characters, none of control, no lone surrogates."""
    return 0 < len(text) <= MAX_PLAIN_CHARS and _UNPLAIN.search(text) is None


def plain_claim(claims: Claims, name: str) -> str:
    """Return a claim that must be there and name somebody or something.

    Raises:
        TokenInvalidError: when it is missing or not plain.
    """
    value = claims.get(name)
    if not isinstance(value, str) or not is_plain(value):
        raise TokenInvalidError(f"the token's {name} is missing or not a plain text")
    return value


def decode_base64url(text: str) -> bytes:
    """Decode base64url without padding, in its one canonical form (RFC 7515, section 2).

    Raises:
        ValueError: for anything else, also what Python's decoder would skip or round.
    """
    raw = text.encode("ascii")
    data = base64.urlsafe_b64decode(raw + b"=" * (-len(raw) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=") != raw:
        raise ValueError("not canonical base64url")
    return data


def decode_object(data: bytes) -> Claims:
    """Decode a JSON object in UTF-8 that means the same to everybody who reads it.

    Raises:
        ValueError: when it is none, names a member twice, holds NaN or Infinity, or opens too many brackets.
    """
    if data.count(b"{") + data.count(b"[") > MAX_BRACKETS:
        raise ValueError("too many lists and objects")
    value = _JSON.decode(data.decode())
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - what is wrong is the text
    return value


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is named twice")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_JSON = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_refuse_constant)


def _read(token: str) -> tuple[str, Claims]:
    """Check the form of a token, and return the id of its key and its claims, yet to be believed."""
    if not token:
        raise TokenMissingError("the token is empty")
    if len(token) > MAX_TOKEN_CHARS:
        raise TokenInvalidError("the token is longer than 8 KB")
    try:
        header, payload, _ = map(decode_base64url, token.split("."))
        return _key_id(decode_object(header)), decode_object(payload)
    except ValueError as error:
        raise TokenInvalidError("the token is not a JWT") from error


def _key_id(header: Claims) -> str:
    """Check a token's header.

    `typ` may be missing: RFC 7519, section 5.1 makes it optional, and not every issuer follows RFC 9068
    (Amazon Cognito writes none, Entra and Keycloak write `JWT`). What is there must say JWT or access
    token, so that other JWTs of the same issuer (`logout+jwt`, `dpop+jwt`) are never taken for one.
    """
    typ = header.get("typ", "JWT")
    if not isinstance(typ, str) or typ.lower().removeprefix("application/") not in _TYPES:
        raise TokenInvalidError("the token's typ is neither JWT nor at+jwt")
    if header.get("alg") not in _ALGORITHMS:
        raise TokenInvalidError("the token's alg is neither RS256 nor ES256")
    if not _REFUSED_HEADERS.isdisjoint(header):
        raise TokenInvalidError("the token asks for extensions, or brings its own key")
    return plain_claim(header, "kid")


def _audience(claims: Claims) -> list[str]:
    """Return for whom a token is; empty when it does not say so as RFC 7519, section 4.1.3 wants it."""
    match claims.get("aud"):
        case str(one):
            return [one]
        case list(several) if all(isinstance(one, str) for one in several):
            return several
        case _:
            return []


def _check_times(claims: Claims, now: float) -> None:
    """Check `exp`, `iat` and `nbf` against the time, in seconds since 1970."""
    expiry = _time(claims, "exp")
    if expiry is None or expiry > now + MAX_LIFETIME_SECONDS:
        raise TokenInvalidError("the token's exp is missing or too far ahead")
    if now >= expiry + LEEWAY_SECONDS:
        raise TokenExpiredError("the token has expired")
    for name in ("iat", "nbf"):
        if (_time(claims, name) or 0) > now + LEEWAY_SECONDS:
            raise TokenInvalidError(f"the token's {name} is in the future")


def _time(claims: Claims, name: str) -> int | float | None:
    """Return a claim in seconds since 1970, None when it is not there.

    Booleans are numbers to Python, and 1e400 is infinity: neither is a time.
    """
    if name not in claims:
        return None
    value = claims[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise TokenInvalidError(f"the token's {name} is not a time")
    return value
