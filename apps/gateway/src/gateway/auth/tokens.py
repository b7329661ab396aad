"""Strict validation of JSON Web Tokens.

python-jose verifies signatures correctly but accepts missing claims, malformed times, unknown critical headers, weak
keys, duplicate members, and tokens of any size and depth. The form of a token is therefore checked before python-jose
verifies it, and its claims afterwards.

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

from gateway.auth.token_kind import ANY_CLIENT, Clients, check_client, check_kind
from gateway.errors import TokenExpiredError, TokenInvalidError, TokenMissingError

LEEWAY_SECONDS = 60
MAX_TOKEN_CHARS = 8192
MAX_NAME_CHARS = 256
MAX_BRACKETS = 256
"""Maximum number of arrays and objects in a JSON text: far below Python's recursion limit."""
MAX_LIFETIME_SECONDS = 366 * 24 * 3600
"""Maximum distance of `exp`. Known issuers use at most 30 days; milliseconds given as seconds exceed the limit."""
RSA_BITS = range(2048, 8193)

_ALGORITHMS = ("RS256", "ES256")
_TYPES = ("jwt", "at+jwt")
_REJECTED_HEADERS = frozenset({"crit", "jwk", "jku", "x5c", "x5u"})
_FORBIDDEN_CHARS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

Claims = Mapping[str, object]
"""A JSON object without duplicate members."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A verification key of an issuer, with its only permitted algorithm."""

    algorithm: Literal["RS256", "ES256"]
    key: RSAPublicKey | EllipticCurvePublicKey

    @classmethod
    def of(cls, key: object) -> "PublicKey":
        """Determine the algorithm of a key; raise ValueError if it is neither RSA of 2048 to 8192 bits nor EC P-256."""
        if isinstance(key, RSAPublicKey) and key.key_size in RSA_BITS:
            return cls("RS256", key)
        if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
            return cls("ES256", key)
        raise ValueError("neither RSA of 2048 to 8192 bits nor EC P-256")

    def verify_signature(self, token: str) -> None:
        """Verify the signature of a token in compact form."""
        key_type = CryptographyRSAKey if self.algorithm == "RS256" else CryptographyECKey
        try:
            jws.verify(token, key_type(self.key, self.algorithm), [self.algorithm])
        except JOSEError as error:
            raise TokenInvalidError("the token's signature is invalid") from error


FindKey = Callable[[str], Awaitable[PublicKey | None]]
"""Look up a key of the issuer by its id; None if there is none."""


@dataclass(frozen=True, slots=True)
class TokenValidator:
    """Accepts access tokens of one issuer for one audience."""

    issuer: str
    audience: str
    find_key: FindKey
    clock: Callable[[], float] = time.time
    clients: Clients = ANY_CLIENT

    async def validate(self, token: str) -> Claims:
        """Verify a token.

        Returns:
            All claims. `iss`, `aud`, `exp` and `sub` are present and valid; the others are unchecked.

        Raises:
            TokenError: the token is invalid, or has expired.
            IssuerUnavailableError: the keys of the issuer are not available.
        """
        header, claims = _parse(token)
        key = await self.find_key(plain_claim(header, "kid"))
        if key is None:
            raise TokenInvalidError("the token's key does not belong to the issuer")
        key.verify_signature(token)
        if claims.get("iss") != self.issuer:
            raise TokenInvalidError("the token is from another issuer")
        if self.audience not in _audience(claims):
            raise TokenInvalidError("the token is for another audience")
        _check_times(claims, self.clock())
        plain_claim(claims, "sub")
        check_kind(_type(header), claims, audience_is_client=self.audience in self.clients)
        check_client(claims, self.clients)
        return claims


def is_plain(text: str) -> bool:
    """Check that a text has 1 to 256 characters, without control characters and lone surrogates."""
    return 0 < len(text) <= MAX_NAME_CHARS and _FORBIDDEN_CHARS.search(text) is None


def plain_claim(claims: Claims, name: str) -> str:
    """Read a claim that must be a plain text; see `is_plain`."""
    value = claims.get(name)
    if not isinstance(value, str) or not is_plain(value):
        raise TokenInvalidError(f"the token's {name} is missing or not a plain text")
    return value


def decode_base64url(text: str) -> bytes:
    """Decode unpadded base64url in its canonical form (RFC 7515, section 2); raise ValueError for any other."""
    raw = text.encode("ascii")
    data = base64.urlsafe_b64decode(raw + b"=" * (-len(raw) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=") != raw:
        raise ValueError("not canonical base64url")
    return data


def decode_object(data: bytes) -> Claims:
    """Decode a JSON object in UTF-8 that every parser interprets in the same way.

    Raises:
        ValueError: it is not an object, has duplicate members, NaN or Infinity, or too many arrays and objects.
    """
    if data.count(b"{") + data.count(b"[") > MAX_BRACKETS:
        raise ValueError("too many arrays and objects")
    value = _JSON.decode(data.decode())
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - the text is wrong, not its type
    return value


def _unique_members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate member")
    return members


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_JSON = json.JSONDecoder(object_pairs_hook=_unique_members, parse_constant=_reject_constant)


def _parse(token: str) -> tuple[Claims, Claims]:
    """Parse a token into its checked header and its claims, both unverified."""
    if not token:
        raise TokenMissingError("the token is empty")
    if len(token) > MAX_TOKEN_CHARS:
        raise TokenInvalidError("the token is longer than 8 KB")
    try:
        first, second, _ = map(decode_base64url, token.split("."))
        header, claims = decode_object(first), decode_object(second)
    except ValueError as error:
        raise TokenInvalidError("the token is not a JWT") from error
    _check_header(header)
    return header, claims


def _check_header(header: Claims) -> None:
    """Check a token's header, except its `kid`.

    `typ` is optional (RFC 7519, section 5.1), and not every issuer follows RFC 9068: Amazon Cognito omits it, Entra and
    Keycloak send `JWT`. Other values are rejected, because an issuer also signs JWTs for other purposes (`logout+jwt`,
    `dpop+jwt`).
    """
    if not isinstance(header.get("typ", "JWT"), str) or _type(header) not in _TYPES:
        raise TokenInvalidError("the token's typ is neither JWT nor at+jwt")
    if header.get("alg") not in _ALGORITHMS:
        raise TokenInvalidError("the token's alg is neither RS256 nor ES256")
    if not _REJECTED_HEADERS.isdisjoint(header):
        raise TokenInvalidError("the token requires extensions or contains a key")


def _type(header: Claims) -> str:
    return str(header.get("typ", "JWT")).lower().removeprefix("application/")


def _audience(claims: Claims) -> list[str]:
    match claims.get("aud"):
        case str(audience):
            return [audience]
        case list(audiences) if all(isinstance(audience, str) for audience in audiences):
            return audiences
        case _:
            return []


def _check_times(claims: Claims, now: float) -> None:
    expiry = _time(claims, "exp")
    if expiry is None or expiry > now + MAX_LIFETIME_SECONDS:
        raise TokenInvalidError("the token's exp is missing or too far in the future")
    if now >= expiry + LEEWAY_SECONDS:
        raise TokenExpiredError("the token has expired")
    for name in ("iat", "nbf"):
        if (_time(claims, name) or 0) > now + LEEWAY_SECONDS:
            raise TokenInvalidError(f"the token's {name} is in the future")


def _time(claims: Claims, name: str) -> int | float | None:
    """Read a claim in seconds since 1970; None if it is missing.

    Booleans, which are numbers in Python, and infinity (1e400) are rejected.
    """
    if name not in claims:
        return None
    value = claims[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise TokenInvalidError(f"the token's {name} is not a time")
    return value
