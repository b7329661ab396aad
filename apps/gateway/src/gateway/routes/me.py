"""The user's account and profile."""

from fastapi import APIRouter

from gateway.dependencies import SIGNED_IN, TOKEN_ONLY, CurrentAccount, CurrentAgent, CurrentUser
from gateway.errors import KeyNotAllowedError
from gateway.problems import user_responses
from gateway.schemas.account import Me, MeUpdate, Profile, Receipt

router = APIRouter(tags=["me"], dependencies=[SIGNED_IN])


@router.get("/profile", responses=user_responses())
async def get_profile(user: CurrentUser, agent: CurrentAgent) -> Profile:
    """Get a summary of what is known about the user."""
    return Profile.model_validate(await agent.profile(user))


@router.get("/me", responses=user_responses())
async def get_me(account: CurrentAccount) -> Me:
    """Get the user's account."""
    return Me.model_validate(account)


@router.patch("/me", responses=user_responses(body=True))
async def update_me(body: MeUpdate, user: CurrentUser, agent: CurrentAgent) -> Me:
    """Set the time zone, or pause or resume memory. While it is paused, nothing is recalled and nothing is saved."""
    return Me.model_validate(await agent.users.update(user, **body.model_dump(exclude_unset=True)))


@router.delete("/me", dependencies=[TOKEN_ONLY], responses=user_responses(KeyNotAllowedError))
async def erase_me(user: CurrentUser, agent: CurrentAgent) -> Receipt:
    """Delete the account permanently, with all threads and memories."""
    return Receipt(deleted=await agent.erase(user))
