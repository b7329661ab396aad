"""Who is speaking: principals, the verifiers that make them of tokens, and local sign-in."""

import base64
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from jose import jws
from jose.backends.cryptography_backend import CryptographyECKey

from agent import SetupError, UserId
from gateway.auth.tokens import Claims, PublicKey, TokenValidator, is_plain, plain_claim
from gateway.errors import InvalidUserNameError, TokenInvalidError, TokenMissingError

LOCAL_ISSUER = "keepsake-local"
LOCAL_AUDIENCE = "keepsake"
LOCAL_LIFETIME_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is speaking: `user` behind the gateway, `issuer` and `subject` to the world."""

    user: UserId
    issuer: str
    subject: str


class Verifier(Protocol):
    """Tells who a token speaks for."""

    async def verify(self, token: str) -> Principal:
        """Verify a token.

        Raises:
            TokenError: when it is not valid here and now.
            IssuerUnavailableError: when that cannot be told now.
        """
        ...


def label(issuer: str, subject: str) -> UserId:
    """Make the name that a user has everywhere behind the gateway.

    Opaque and free of characters to escape, since it stands in keys, metadata and traces: 52 of `a-z2-7`.
    No issuer holds a NUL, so no two pairs run together.
    """
    digest = hashlib.sha256(f"{issuer}\0{subject}".encode()).digest()
    return UserId(base64.b32encode(digest).decode().rstrip("=").lower())


def principal(claims: Claims, user_claim: str) -> Principal:
    """Read from verified claims who is speaking.

    The subject is the user claim as it stands, letter by letter. `sub` is right with most issuers. Entra's
    `sub` differs from app to app; its `oid` is one for all of them, but unique in one tenant only. So the
    subject of an `oid` is `<tid>/<oid>` where a tenant is named, and a slash in either is refused: no two
    of them can run together. Entra always names it, so nobody's label changes from token to token.

    Raises:
        TokenInvalidError: when the user claim is missing or not plain.

    References:
        learn.microsoft.com/entra/identity-platform/access-token-claims-reference, on `oid`, `sub` and `tid`.
    """
    issuer, subject = plain_claim(claims, "iss"), plain_claim(claims, user_claim)
    if user_claim == "oid":
        parts = [plain_claim(claims, "tid"), subject] if "tid" in claims else [subject]
        if any("/" in part for part in parts):
            raise TokenInvalidError("the token's oid or tid holds a slash")
        subject = "/".join(parts)
    return Principal(label(issuer, subject), issuer, subject)


def bearer_token(authorization: str | None) -> str:
    """Take the token out of an `Authorization` header (RFC 6750, section 2.1).

    Raises:
        TokenMissingError: when there is none, or it is of another scheme.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise TokenMissingError("send Authorization: Bearer <token>")
    return token.strip()


class LocalSignIn(Verifier):
    """Signs users in by name alone, for one's own machine: it asks for no secret."""

    @staticmethod
    def new_key() -> str:
        """Make a key to be kept as long as its tokens shall hold: EC P-256, PEM, unencrypted."""
        pem = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return pem.decode()

    def __init__(self, key: str, *, clock: Callable[[], float] = time.time) -> None:
        self._key = _private_key(key)
        self._public = PublicKey.of(self._key.public_key())
        self._kid = _key_id(self._key)
        self._clock = clock
        self._door = TokenValidator(LOCAL_ISSUER, LOCAL_AUDIENCE, self._find, clock)

    def issue(self, user: str) -> tuple[str, int]:
        """Sign a user in.

        Args:
            user: who it is, kept letter by letter: `A` and `a` are two users.

        Returns:
            The token, and the seconds it lasts.

        Raises:
            InvalidUserNameError: when it is empty, longer than 256 characters, or holds control characters.
        """
        if not is_plain(user):
            raise InvalidUserNameError("a name has 1 to 256 characters, and no control characters")
        now = int(self._clock())
        claims = {
            "iss": LOCAL_ISSUER,
            "aud": LOCAL_AUDIENCE,
            "sub": user,
            "iat": now,
            "exp": now + LOCAL_LIFETIME_SECONDS,
        }
        token = jws.sign(claims, CryptographyECKey(self._key, "ES256"), {"kid": self._kid}, "ES256")
        return token, LOCAL_LIFETIME_SECONDS

    async def verify(self, token: str) -> Principal:
        """Verify a token that `issue` made, here or in another process with the same key."""
        return principal(await self._door.validate(token), "sub")

    async def _find(self, kid: str) -> PublicKey | None:
        return self._public if kid == self._kid else None


def _private_key(pem: str) -> EllipticCurvePrivateKey:
    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SetupError("the key of local sign-in cannot be read") from error
    if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
        raise SetupError("the key of local sign-in is not EC P-256")
    return key


def _key_id(key: EllipticCurvePrivateKey) -> str:
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(public).hexdigest()[:16]
