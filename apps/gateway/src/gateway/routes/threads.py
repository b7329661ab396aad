"""Threads and their transcripts."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic.main import IncEx

import agent as api
from agent import InvalidCursorError, InvalidInputError, InvalidTextError, MessageFeedback, TooManyThreadsError
from gateway.dependencies import SIGNED_IN, THREAD_ERRORS, CurrentAgent, CurrentUser, MessageInPath, ThreadInPath
from gateway.problems import Responses, user_responses
from gateway.schemas import threads as schemas
from gateway.schemas.base import Flag

router = APIRouter(tags=["threads"], dependencies=[SIGNED_IN])

FORGOTTEN: Responses = {200: {"model": schemas.ForgetResult, "description": "Deleted, with `forget=true`."}}


MARKDOWN: Responses = {
    200: {
        "description": "Markdown.",
        "content": {
            "text/markdown": {
                "schema": {"type": "string"},
                "example": "# Moving house\n\n## You · 2026-11-22 09:30 UTC\n\nI live in Oslo.\n",
            }
        },
    }
}


@router.post("/threads", status_code=201, responses=user_responses(InvalidTextError, TooManyThreadsError, body=True))
async def create_thread(
    user: CurrentUser, agent: CurrentAgent, body: schemas.NewThread | None = None
) -> schemas.Thread:
    """Create an empty thread."""
    body = body or schemas.NewThread()
    return schemas.Thread.model_validate(await agent.threads.create(user, title=body.title, temporary=body.temporary))


@router.get(
    "/threads",
    response_model=schemas.ThreadPage,
    responses=user_responses(InvalidInputError, InvalidTextError, InvalidCursorError),
)
async def list_threads(  # noqa: PLR0913, PLR0917 - query parameters
    user: CurrentUser,
    agent: CurrentAgent,
    q: Annotated[str | None, Query(description="Search for threads that contain all of these words.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    before: Annotated[str | None, Query(min_length=1, description="`next_cursor` of the previous page.")] = None,
    archived: Annotated[
        bool | None, Query(description="Only archived threads, or only others; by default others, or all in a search.")
    ] = None,
) -> JSONResponse:
    """List threads, pinned ones first, then the most recently updated; of branches, the one used last.

    Temporary threads are not listed. Search results are the most recently updated first.
    """
    if q is None or not q.strip():
        page = await agent.threads.list_threads(user, limit=limit, before=before, archived=bool(archived))
        exclude: IncEx = {"items": {"__all__": {"snippet"}}}
    else:
        page, exclude = await agent.threads.search(user, q, limit=limit, before=before, archived=archived), {}
    return JSONResponse(schemas.ThreadPage.model_validate(page).model_dump(exclude=exclude))


@router.get("/threads/{thread_id}", responses=user_responses(*THREAD_ERRORS))
async def get_thread(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> schemas.Thread:
    """Get one thread."""
    return schemas.Thread.model_validate(await agent.threads.get(user, thread))


@router.patch("/threads/{thread_id}", responses=user_responses(*THREAD_ERRORS, InvalidTextError, body=True))
async def update_thread(
    body: schemas.ThreadUpdate, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent
) -> schemas.Thread:
    """Rename, pin or archive a thread, with all its branches."""
    changes = body.model_dump(exclude_unset=True)
    return schemas.Thread.model_validate(await agent.threads.update(user, thread, **changes))


@router.delete(
    "/threads/{thread_id}",
    response_model=None,
    status_code=204,
    responses=FORGOTTEN | user_responses(InvalidInputError, *THREAD_ERRORS),
)
async def delete_thread(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    forget: Annotated[Flag, Query(description="Also delete memories that come from this thread only.")] = False,  # noqa: FBT002 - a query parameter
) -> JSONResponse | None:
    """Delete a thread with its transcript, and with all its branches."""
    forgotten = await agent.thread_deletion.delete(user, thread, forget=forget)
    return JSONResponse(schemas.ForgetResult(forgotten=forgotten).model_dump()) if forget else None


@router.get(
    "/threads/{thread_id}/messages", responses=user_responses(InvalidInputError, *THREAD_ERRORS, InvalidCursorError)
)
async def list_messages(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: Annotated[str | None, Query(min_length=1, description="`next_cursor` of the previous page.")] = None,
) -> schemas.MessagePage:
    """List the messages of a thread, the oldest first."""
    page = await agent.threads.messages(user, thread, limit=limit, cursor=cursor)
    return schemas.MessagePage.model_validate(page)


@router.get(
    "/threads/{thread_id}/export",
    response_class=Response,
    responses=MARKDOWN | user_responses(*THREAD_ERRORS),
)
async def export_thread(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Response:
    """Export a thread as Markdown."""
    headers = {"Content-Disposition": f'attachment; filename="{thread}.md"'}
    return Response(await agent.threads.export(user, thread), media_type="text/markdown", headers=headers)


@router.post(
    "/threads/{thread_id}/messages/{message_id}/feedback",
    responses=user_responses(*THREAD_ERRORS, api.MessageNotFoundError, InvalidTextError, body=True),
)
async def rate_message(
    body: schemas.NewMessageFeedback,
    thread: ThreadInPath,
    message: MessageInPath,
    user: CurrentUser,
    agent: CurrentAgent,
) -> schemas.NewMessageFeedback:
    """Rate an answer, change the rating, or remove it."""
    feedback = MessageFeedback(body.rating, body.reason) if body.rating else None
    await agent.rate(user, thread, message, feedback)
    return body
