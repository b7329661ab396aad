"""Authentication of a request: an access token of the issuer, or a personal key."""

from agent import KEY_PREFIX, Agent
from gateway.auth.principal import Principal, Verifier
from gateway.errors import KeyNotAllowedError, TokenExpiredError, TokenInvalidError


async def authenticate(credentials: str, verifier: Verifier, agent: Agent) -> Principal:
    """Find out who sent a request, from the bearer credentials that it contains.

    Raises:
        TokenError: the token or the key is invalid, or no longer valid.
        IssuerUnavailableError: the keys of the issuer are not available.
        StoreUnavailableError: the database does not answer, so that a personal key cannot be looked up.
    """
    if not is_personal_key(credentials):
        return await verifier.verify(credentials)
    owner = await agent.keys.find_owner(credentials)
    if owner is None:
        raise TokenInvalidError("the key is unknown or revoked")
    return Principal(owner.account.id, owner.issuer, owner.subject, account=owner.account, key_name=owner.key_name)


async def authenticate_session(secret: str, agent: Agent) -> Principal:
    """Find out who sent a request, from the secret in the cookie of a session.

    Raises:
        TokenExpiredError: the session is unknown, has ended or has expired.
        StoreUnavailableError: the database does not answer.
    """
    owner = await agent.sessions.find_owner(secret)
    if owner is None:
        raise TokenExpiredError("the session has ended")
    return Principal(owner.account.id, owner.issuer, owner.subject, account=owner.account)


def is_personal_key(credentials: str) -> bool:
    """Distinguish personal keys from tokens, which begin with the base64url of a JSON object."""
    return credentials.startswith(KEY_PREFIX)


def require_sign_in(principal: Principal) -> Principal:
    """Check that the user has signed in.

    Raises:
        KeyNotAllowedError: the request was sent with a personal key.
    """
    if principal.key_name is not None:
        raise KeyNotAllowedError("send an access token instead")
    return principal
