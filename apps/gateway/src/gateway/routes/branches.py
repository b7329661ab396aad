"""Branches of threads."""

from fastapi import APIRouter

import agent as api
from agent import MessageId
from gateway.dependencies import SIGNED_IN, THREAD_ERRORS, CurrentAgent, CurrentUser, ThreadInPath
from gateway.problems import user_responses
from gateway.schemas.threads import Divergence, DivergencePage, NewBranch, Thread

router = APIRouter(tags=["threads"], dependencies=[SIGNED_IN])


@router.post(
    "/threads/{thread_id}/branches",
    status_code=201,
    responses=user_responses(*THREAD_ERRORS, api.MessageNotFoundError, api.TooManyThreadsError, body=True),
)
async def create_branch(body: NewBranch, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Thread:
    """Create a thread with copies of the messages before one, to edit that message or to answer it again.

    Memories of the messages after it stay. The thread and its branches are listed as one.
    """
    before = MessageId(api.parse_uuid(body.before))
    return Thread.model_validate(await agent.branches.create(user, thread, before))


@router.get("/threads/{thread_id}/branches", responses=user_responses(*THREAD_ERRORS))
async def list_branches(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> DivergencePage:
    """List the places of a thread where branches continue differently, with a thread for each continuation."""
    items = [Divergence.model_validate(one) for one in await agent.branches.list_divergences(user, thread)]
    return DivergencePage(items=items, next_cursor=None)
