"""Personal keys, for clients that support only an address and a key."""

from fastapi import APIRouter

from agent import InvalidIdError, InvalidTextError, KeyNotFoundError, TooManyKeysError
from gateway.dependencies import SIGNED_IN, TOKEN_ONLY, CurrentAgent, CurrentUser, KeyInPath
from gateway.errors import KeyNotAllowedError
from gateway.problems import user_responses
from gateway.schemas.account import Key, KeyPage, NewKey, SecretKey

router = APIRouter(tags=["me"], dependencies=[SIGNED_IN, TOKEN_ONLY])


@router.post(
    "/me/keys",
    status_code=201,
    responses=user_responses(InvalidTextError, KeyNotAllowedError, TooManyKeysError, body=True),
)
async def create_key(body: NewKey, user: CurrentUser, agent: CurrentAgent) -> SecretKey:
    """Create a key, which the response shows this once.

    It is sent like an access token, and gives access to everything except keys, erasure of the account and sign-in.
    """
    key, secret = await agent.keys.create(user, name=body.name)
    return SecretKey(**Key.model_validate(key).model_dump(), key=secret)


@router.get("/me/keys", responses=user_responses(KeyNotAllowedError))
async def list_keys(user: CurrentUser, agent: CurrentAgent) -> KeyPage:
    """List the user's keys, the latest first."""
    return KeyPage(items=[Key.model_validate(key) for key in await agent.keys.list_keys(user)], next_cursor=None)


@router.delete(
    "/me/keys/{key_id}", status_code=204, responses=user_responses(InvalidIdError, KeyNotAllowedError, KeyNotFoundError)
)
async def revoke_key(key: KeyInPath, user: CurrentUser, agent: CurrentAgent) -> None:
    """Revoke a key. Further requests with it are refused at once."""
    await agent.keys.revoke(user, key)
