"""The user's own account."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from gateway.dependencies import CurrentAgent, CurrentUser, SignedIn

router = APIRouter(tags=["me"])


class MeChange(BaseModel):
    """What a user can switch."""

    memory_enabled: bool


@router.get("/me")
async def get(user: SignedIn) -> dict[str, Any]:
    """Return who the token speaks for."""
    return {"user_id": user.id, "memory_enabled": user.memory_enabled}


@router.patch("/me")
async def change(body: MeChange, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Pause memory, or go on with it: while it is paused nothing is read, and nothing is kept."""
    changed = await agent.users.set_memory_enabled(user, enabled=body.memory_enabled)
    return {"user_id": changed.id, "memory_enabled": changed.memory_enabled}


@router.delete("/me")
async def erase(user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Delete the account with everything in it, and tell how many rows of each table that were."""
    return {"deleted": await agent.erase(user)}
