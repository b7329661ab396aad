"""The kind of a token: only access tokens are accepted, although an issuer signs other kinds with the same keys.

An issuer that follows RFC 9068 marks its access tokens with the header `typ: at+jwt`. Others send `JWT` or nothing, for
every kind; their ID, refresh and logout tokens are recognised by claims.

References:
    RFC 9068, section 4; RFC 8725, section 3.11; OpenID Connect Core 1.0, sections 2 and 3.3.2.11, and Back-Channel
    Logout 1.0, section 2.4; RFC 7800 (`cnf`); RFC 8417 (`events`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gateway.errors import TokenInvalidError

_KIND_CLAIMS = ("typ", "token_use", "token_type", "tokenName")  # Keycloak, Amazon Cognito, Simple JWT, ForgeRock
_ACCESS_KINDS = frozenset({"access", "access_token", "at+jwt", "bearer", "jwt"})
_ID_TOKEN_CLAIMS = frozenset({"nonce", "at_hash", "c_hash", "s_hash"})
_SCOPE_CLAIMS = frozenset({"scope", "scp", "roles"})  # `scp`: Entra, Okta, Ory; `roles`: Entra, for applications
_CLIENT_CLAIMS = ("azp", "client_id", "cid", "appid")  # `cid`: Okta; `appid`: Entra, version 1


@dataclass(frozen=True, slots=True)
class Clients:
    """Clients of an issuer."""

    page: str = ""
    """The client id of the web page; its ID tokens have it as their audience."""
    accepted: tuple[str, ...] = ()
    """The clients whose tokens are accepted; empty: all."""

    def __contains__(self, audience: str) -> bool:
        """True if an audience is also the id of a client."""
        return audience in {self.page, *self.accepted}


ANY_CLIENT = Clients()


def check_kind(typ: str, claims: Mapping[str, object], *, audience_is_client: bool) -> None:
    """Check that a token is an access token that its holder may use alone.

    Args:
        typ: that of the header, in lower case, without `application/`.
        claims: all claims of the token.
        audience_is_client: the audience is also the id of a client, so that ID tokens have the same audience. Then the
            token must be marked as an access token, by its type or by a scope.

    Raises:
        TokenInvalidError: it is another kind of token, or bound to a key of its client.
    """
    if "cnf" in claims:
        raise TokenInvalidError("the token is bound to a key of its client")
    if "events" in claims or not _kinds(claims) <= _ACCESS_KINDS:
        raise TokenInvalidError("the token is not an access token")
    if typ == "at+jwt" or not _SCOPE_CLAIMS.isdisjoint(claims):
        return
    is_marked = bool(_kinds(claims) - {"jwt"})
    if not _ID_TOKEN_CLAIMS.isdisjoint(claims) or (audience_is_client and not is_marked):
        raise TokenInvalidError("the token is an ID token")


def check_client(claims: Mapping[str, object], clients: Clients) -> None:
    """Check that a token was issued to an accepted client.

    Raises:
        TokenInvalidError: it names another client, or none.
    """
    if not clients.accepted:
        return
    named = [claims[name] for name in _CLIENT_CLAIMS if name in claims]
    if not named or not all(isinstance(name, str) and name in clients.accepted for name in named):
        raise TokenInvalidError("the token is for another client")


def _kinds(claims: Mapping[str, object]) -> set[str]:
    """The kinds that a token says it is, in lower case; usually at most one."""
    return {str(claims[name]).lower() for name in _KIND_CLAIMS if name in claims}
