"""The user's memories."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import ClientDisconnect

import agent as api
from agent import ImportFormat, Kind, MessageId
from gateway.dependencies import MEMORY_ERRORS, SIGNED_IN, CurrentAgent, CurrentUser, MemoryInPath
from gateway.problems import Responses, user_responses
from gateway.schemas import memories as schemas
from gateway.schemas.account import Receipt
from gateway.schemas.base import Flag

router = APIRouter(tags=["memories"], dependencies=[SIGNED_IN])


class MemoryIdConvertor(StringConvertor):
    """A memory's id in a path; not the name of another resource, for which a wrong method is 405."""

    regex = "(?!(?:changes|export|flush|formation|import|inbox|limit|map|timeline)(?:/|$))[^/]+"


register_url_convertor("memory", MemoryIdConvertor())

JSON_LINES = "application/x-ndjson"
LINES = {
    JSON_LINES: {
        "schema": {"type": "string", "description": "One JSON object per line."},
        "example": '{"kind": "user", "text": "Lives in Oslo"}\n',
    }
}
EXPORT_OF_OTHERS = {
    "application/json": {
        "schema": {"description": "An export of another application."},
        "example": {"results": [{"memory": "Has two cats", "created_at": "2026-01-01T00:00:00Z"}]},
    }
}
EXPORTED: Responses = {200: {"description": "Memories, history, profile and inbox.", "content": LINES}}
REMOVED: Responses = {204: {"description": "Undone; no memory takes its place."}}


@router.get(
    "/memories",
    responses=user_responses(
        api.InvalidInputError, api.InvalidCursorError, api.EmbedderUnavailableError, api.DailyLimitError
    ),
)
async def list_memories(  # noqa: PLR0913, PLR0917 - query parameters
    user: CurrentUser,
    agent: CurrentAgent,
    kind: Kind | None = None,
    q: Annotated[str | None, Query(max_length=2_000, description="Search by meaning and words.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Annotated[str | None, Query(min_length=1, description="`next_cursor` of the previous page.")] = None,
) -> schemas.MemoryPage:
    """List memories, the latest first; with `q` the most similar first, each with its score."""
    page = await agent.memories.list_memories(user, kind=kind, query=q, limit=limit, cursor=cursor)
    return schemas.MemoryPage(items=[schemas.Memory.of(memory) for memory in page.items], next_cursor=page.next_cursor)


@router.post(
    "/memories",
    status_code=201,
    responses=user_responses(
        api.InvalidTextError, api.EmbedderUnavailableError, api.DailyLimitError, api.TooManyMemoriesError, body=True
    ),
)
async def add_memory(body: schemas.NewMemory, user: CurrentUser, agent: CurrentAgent) -> schemas.Memory:
    """Add a memory. Credentials and instructions to the assistant are rejected."""
    return schemas.Memory.of(await agent.memories.add(user, **body.model_dump()))


@router.delete("/memories", responses=user_responses())
async def forget_all_memories(user: CurrentUser, agent: CurrentAgent) -> Receipt:
    """Delete all memories permanently, with their history, the profile and the inbox. Threads are kept."""
    return Receipt(deleted=await agent.memories.forget_all(user))


@router.post("/memories/flush", responses=user_responses(api.FormationFailedError))
async def flush_inbox(user: CurrentUser, agent: CurrentAgent) -> schemas.FlushResult:
    """Process the inbox now, instead of waiting until the user has been inactive for a while."""
    return schemas.FlushResult.model_validate(await agent.formation.flush(user))


@router.get("/memories/formation", responses=user_responses())
async def get_formation_status(user: CurrentUser, agent: CurrentAgent) -> schemas.FormationStatus:
    """Get the number of pending messages, and the error of the last attempt to process them."""
    return schemas.FormationStatus.model_validate(await agent.formation.status(user))


@router.get("/memories/limit", responses=user_responses())
async def get_fact_limit(user: CurrentUser, agent: CurrentAgent) -> schemas.FactLimit:
    """Get the number of facts, their limit, and the facts that moved to history because of it."""
    return schemas.FactLimit.of(await agent.fact_limit(user))


@router.get("/memories/export", response_class=StreamingResponse, responses=EXPORTED | user_responses())
async def export_memories(user: CurrentUser, agent: CurrentAgent) -> StreamingResponse:
    """Export all of the user's memory as JSON lines, which `POST /memories/import` accepts."""
    pages = agent.export_memories(user)
    first = await anext(pages, b"")  # an error here can still become a problem response
    headers = {"Content-Disposition": 'attachment; filename="memories.jsonl"'}
    return StreamingResponse(_chain(first, pages), media_type=JSON_LINES, headers=headers)


@router.post(
    "/memories/import",
    openapi_extra={"requestBody": {"content": LINES | EXPORT_OF_OTHERS, "required": True}},
    responses=user_responses(
        api.InvalidTextError,
        api.FileTooLargeError,
        api.EmbedderUnavailableError,
        api.DailyLimitError,
        api.TooManyMemoriesError,
        body=True,
    ),
)
async def import_memories(
    request: Request,
    user: CurrentUser,
    agent: CurrentAgent,
    file_format: Annotated[
        ImportFormat, Query(alias="format", description="`auto`: recognised from the content.")
    ] = "auto",
    dry_run: Annotated[Flag, Query(description="Import nothing, and show what would be imported.")] = False,  # noqa: FBT002
) -> schemas.ImportResult:
    """Import JSON lines or an export of another application.

    Of JSON lines, either all are imported or, if one is invalid, none; only `kind` and `text` are required. Of an
    export, memories are imported as reported by the application, and the user's messages are added to the inbox.
    """
    try:
        result = await agent.import_memories(user, request.stream(), file_format=file_format, dry_run=dry_run)
    except ClientDisconnect as error:
        raise HTTPException(400, "The request body is incomplete.") from error
    return schemas.ImportResult.of(result, dry_run=dry_run)


@router.get("/memories/{memory_id:memory}", responses=user_responses(*MEMORY_ERRORS))
async def get_memory(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> schemas.Memory:
    """Get one memory."""
    return schemas.Memory.of(await agent.memories.get(user, memory))


@router.patch(
    "/memories/{memory_id:memory}",
    responses=user_responses(
        *MEMORY_ERRORS,
        api.InvalidTextError,
        api.ChangedMeanwhileError,
        api.EmbedderUnavailableError,
        api.DailyLimitError,
        body=True,
    ),
)
async def edit_memory(
    body: schemas.MemoryUpdate, memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent
) -> schemas.Memory:
    """Pin or unpin a memory, or change its text. The old text stays in its history."""
    return schemas.Memory.of(await agent.memories.edit(user, memory, **body.model_dump(exclude_unset=True)))


@router.delete(
    "/memories/{memory_id:memory}", status_code=204, responses=user_responses(*MEMORY_ERRORS, api.ChangedMeanwhileError)
)
async def forget_memory(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> None:
    """Delete a memory permanently, with its history and everything else that comes from the same messages."""
    await agent.memories.forget(user, memory)


@router.get("/memories/{memory_id:memory}/history", responses=user_responses(*MEMORY_ERRORS))
async def get_memory_history(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> schemas.MemoryVersionPage:
    """List the earlier versions of a memory and of the memories that it replaced, the latest first."""
    versions = await agent.memories.history(user, memory)
    return schemas.MemoryVersionPage(
        items=[schemas.MemoryVersion.of_version(version) for version in versions], next_cursor=None
    )


@router.post(
    "/memories/{memory_id:memory}/undo",
    response_model=schemas.Memory,
    responses=REMOVED
    | user_responses(*MEMORY_ERRORS, api.NothingToUndoError, api.ChangedMeanwhileError, api.EmbedderUnavailableError),
)
async def undo_memory_change(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> schemas.Memory | Response:
    """Undo the last change to a memory, or restore a retired one. Returns the memory that now takes its place."""
    restored = await agent.undo(user, memory)
    return Response(status_code=204) if restored is None else schemas.Memory.of(restored)


@router.post(
    "/memories/{memory_id:memory}/feedback",
    responses=user_responses(
        *MEMORY_ERRORS,
        api.MessageNotFoundError,
        api.ChangedMeanwhileError,
        api.EmbedderUnavailableError,
        api.DailyLimitError,
        body=True,
    ),
)
async def give_memory_feedback(
    body: schemas.NewFeedback, memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent
) -> schemas.Memory:
    """Call a memory wrong, which retires it until it is undone, or not relevant for a message. Returns the memory."""
    if body.message is None or body.verdict == "wrong":
        return schemas.Memory.of(await agent.feedback.mark_wrong(user, memory))
    message = MessageId(api.parse_uuid(body.message))
    return schemas.Memory.of(await agent.feedback.mark_irrelevant(user, memory, message))


async def _chain(first: bytes, pages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for page in pages:
        yield page
