"""Authentication of a request: an access token of the issuer, or a personal key."""

from agent import KEY_PREFIX, Agent
from gateway.auth.principal import Principal, Verifier
from gateway.errors import KeyNotAllowedError, TokenInvalidError


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


def is_personal_key(credentials: str) -> bool:
    """Distinguish personal keys from tokens, which begin with the base64url of a JSON object."""
    return credentials.startswith(KEY_PREFIX)


def require_sign_in(principal: Principal) -> Principal:
    """Check that the user has signed in.

    Raises:
        KeyNotAllowedError: the request was sent with a personal key.
    """
    if principal.account is not None:
        raise KeyNotAllowedError("send an access token instead")
    return principal
