"""A map of the user's memories."""

from fastapi import APIRouter

from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentUser
from gateway.problems import user_responses
from gateway.schemas.memory_map import MemoryMap

router = APIRouter(tags=["memories"], dependencies=[SIGNED_IN])


@router.get("/memories/map", responses=user_responses())
async def get_memory_map(user: CurrentUser, agent: CurrentAgent) -> MemoryMap:
    """Get the user's memories as points, similar ones near each other, at most 10,000."""
    return MemoryMap.model_validate(await agent.maps.read(user))
