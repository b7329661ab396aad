"""Who the user is, in a few sentences."""

from fastapi import APIRouter
from pydantic import BaseModel

from gateway.dependencies import CurrentAgent, CurrentUser

router = APIRouter(tags=["profile"])


class Profile(BaseModel):
    """What is known of the user; a field that nothing is known for is empty."""

    work_context: str
    personal_context: str
    top_of_mind: str
    recent_months: str
    earlier_context: str
    long_term_background: str
    last_updated: str


@router.get("/profile")
async def get(user: CurrentUser, agent: CurrentAgent) -> Profile:
    """Return who the user is."""
    return Profile(**await agent.profile(user))
