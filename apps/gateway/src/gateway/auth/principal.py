"""Principals: who sent a request, according to its token."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from agent import User, UserId
from gateway.auth.tokens import Claims, TokenValidator, plain_claim
from gateway.errors import TokenInvalidError, TokenMissingError


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated user: `user` is the id behind the gateway, derived from `issuer` and `subject`."""

    user: UserId
    issuer: str
    subject: str
    account: User | None = None
    """The account, if it was read together with a personal key or a session."""
    key_name: str | None = None
    """The name of the personal key, if the request was sent with one."""


class Verifier:
    """Verifies the tokens of one issuer; `user_claim` identifies the user, see `principal_of`."""

    def __init__(self, validator: TokenValidator, user_claim: str = "sub") -> None:
        self._validator = validator
        self._user_claim = user_claim

    async def verify(self, token: str) -> Principal:
        """Verify a token and return its principal; for the errors, see `TokenValidator.validate`."""
        return principal_of(await self._validator.validate(token), self._user_claim)

    @property
    def origins(self) -> Sequence[str]:
        """The origins that the page connects to for sign-in; those that are known so far."""
        return ()

    async def load_origins(self) -> None:
        """Wait until all origins are known, or the issuer is unavailable."""


def user_label(issuer: str, subject: str) -> UserId:
    """Derive the id that identifies a user behind the gateway.

    It is opaque and needs no escaping, because it becomes part of keys, metadata and traces: 52 characters of `a-z2-7`.
    Issuers contain no NUL, so no two pairs have the same input.
    """
    digest = hashlib.sha256(f"{issuer}\0{subject}".encode()).digest()
    return UserId(base64.b32encode(digest).decode().rstrip("=").lower())


def principal_of(claims: Claims, user_claim: str) -> Principal:
    """Read the principal from verified claims.

    The subject is the user claim, unchanged. With most issuers, that is `sub`. Entra's `sub` differs between apps; its
    `oid` does not, but is unique within one tenant only. The subject of an `oid` is therefore `<tid>/<oid>` if the
    token names a tenant, and a slash in either is rejected, so that no two pairs collide. Entra always names the
    tenant, so a user's label does not change between tokens.

    References:
        learn.microsoft.com/entra/identity-platform/access-token-claims-reference, on `oid`, `sub` and `tid`.
    """
    issuer, subject = plain_claim(claims, "iss"), plain_claim(claims, user_claim)
    if user_claim == "oid":
        parts = [plain_claim(claims, "tid"), subject] if "tid" in claims else [subject]
        if any("/" in part for part in parts):
            raise TokenInvalidError("the token's oid or tid contains a slash")
        subject = "/".join(parts)
    return Principal(user_label(issuer, subject), issuer, subject)


def bearer_token(authorization: str | None) -> str:
    """Extract the token from an `Authorization` header (RFC 6750, section 2.1)."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise TokenMissingError("send Authorization: Bearer <token>")
    return token.strip()
