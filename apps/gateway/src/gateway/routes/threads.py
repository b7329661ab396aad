"""Threads and their transcripts."""

from typing import Annotated

from fastapi import APIRouter, Query, status
from fastapi.responses import JSONResponse

from agent import InvalidCursorError, InvalidIdError, InvalidInputError, InvalidTextError, ThreadNotFoundError
from gateway.dependencies import CurrentAgent, CurrentUser, ThreadInPath
from gateway.problems import Responses, user_responses
from gateway.schemas.threads import (
    ForgetResult,
    ListedThread,
    Message,
    MessagePage,
    NewThread,
    Thread,
    ThreadPage,
    ThreadUpdate,
)

router = APIRouter(tags=["threads"])

FORGOTTEN: Responses = {200: {"model": ForgetResult, "description": "Deleted, with `forget=true`."}}


@router.post(
    "/threads",
    status_code=status.HTTP_201_CREATED,
    responses=user_responses(InvalidInputError, InvalidTextError, body=True),
)
async def create_thread(user: CurrentUser, agent: CurrentAgent, body: NewThread | None = None) -> Thread:
    """Create an empty thread."""
    body = body or NewThread()
    return Thread.of(await agent.threads.create(user, title=body.title, temporary=body.temporary))


@router.get(
    "/threads",
    response_model_exclude_unset=True,  # `snippet` only in a search
    responses=user_responses(InvalidInputError, InvalidTextError, InvalidCursorError),
)
async def list_threads(
    user: CurrentUser,
    agent: CurrentAgent,
    q: Annotated[str | None, Query(description="Search for threads that contain all of these words.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    before: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None,
) -> ThreadPage:
    """List threads, the most recently updated first. Temporary threads are not listed."""
    if q is None or not q.strip():
        page = await agent.threads.list_threads(user, limit=limit, before=before)
        items = [ListedThread.of(thread) for thread in page.items]
    else:
        page = await agent.threads.search(user, q, limit=limit, before=before)
        items = [ListedThread.of(thread).model_copy(update={"snippet": thread.snippet}) for thread in page.items]
    return ThreadPage(items=items, next_cursor=page.next_cursor)


@router.get("/threads/{thread_id}", responses=user_responses(InvalidIdError, ThreadNotFoundError))
async def get_thread(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Thread:
    """Get one thread."""
    return Thread.of(await agent.threads.get(user, thread))


@router.patch(
    "/threads/{thread_id}",
    responses=user_responses(InvalidInputError, InvalidIdError, InvalidTextError, ThreadNotFoundError, body=True),
)
async def rename_thread(body: ThreadUpdate, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Thread:
    """Change the title of a thread."""
    return Thread.of(await agent.threads.rename(user, thread, title=body.title))


@router.delete(
    "/threads/{thread_id}",
    response_model=None,
    status_code=status.HTTP_204_NO_CONTENT,
    responses=FORGOTTEN | user_responses(InvalidInputError, InvalidIdError, ThreadNotFoundError),
)
async def delete_thread(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    forget: Annotated[bool, Query(description="Also delete memories that come from this thread only.")] = False,  # noqa: FBT002 - a query parameter
) -> JSONResponse | None:
    """Delete a thread with its transcript."""
    forgotten = await agent.delete_thread(user, thread, forget=forget)
    return JSONResponse(ForgetResult(forgotten=forgotten).model_dump()) if forget else None


@router.get(
    "/threads/{thread_id}/messages",
    responses=user_responses(InvalidInputError, InvalidIdError, InvalidCursorError, ThreadNotFoundError),
)
async def list_messages(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None,
) -> MessagePage:
    """List the messages of a thread, the oldest first."""
    page = await agent.threads.messages(user, thread, limit=limit, cursor=cursor)
    return MessagePage(items=[Message.of(message) for message in page.items], next_cursor=page.next_cursor)
