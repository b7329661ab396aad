"""What is known about the user, and what they can do with it."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response, status
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.requests import ClientDisconnect

from agent import Category, Kind
from gateway.dependencies import CurrentAgent, CurrentUser, MemoryInPath
from gateway.shown import shown, shown_version

router = APIRouter(tags=["memories"])

LINES = "application/x-ndjson"


class NewMemory(BaseModel):
    """Something to be remembered, in the user's own hand."""

    text: str
    kind: Kind = "user"
    category: Category = "personal"


class MemoryChange(BaseModel):
    """What can be changed of a memory."""

    text: str


@router.get("/memories")
async def page(  # noqa: PLR0913, PLR0917 - each is one parameter of the query
    user: CurrentUser,
    agent: CurrentAgent,
    kind: Kind | None = None,
    q: Annotated[str | None, Query(max_length=2_000)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: str | None = None,
) -> dict[str, Any]:
    """List memories, the latest first; with `q` the nearest first, each with its score."""
    found = await agent.memories.list_memories(user, kind=kind, query=q, limit=limit, cursor=cursor)
    return {"items": [shown(memory) for memory in found.items], "next_cursor": found.next_cursor}


@router.post("/memories", status_code=status.HTTP_201_CREATED)
async def add(body: NewMemory, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Keep something as a memory."""
    return shown(await agent.memories.add(user, kind=body.kind, text=body.text, category=body.category))


@router.delete("/memories")
async def forget_everything(user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Forget all that memory holds, for ever, with what waits in the inbox; threads stay."""
    return {"deleted": await agent.memories.forget_everything(user)}


@router.post("/memories/flush")
async def flush(user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Distil what was said into memories, now."""
    return asdict(await agent.flush(user))


@router.get("/memories/formation")
async def formation(user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Tell what is not yet distilled, and why."""
    return asdict(await agent.formation_status(user))


@router.get("/memories/export", response_class=StreamingResponse, responses={200: {"content": {LINES: {}}}})
async def export(user: CurrentUser, agent: CurrentAgent) -> StreamingResponse:
    """Return everything that memory holds, a line of JSON each, as `POST /memories/import` takes it back."""
    pages = agent.export_memories(user)
    first = await anext(pages, b"")  # while what goes wrong can still be told
    headers = {"Content-Disposition": 'attachment; filename="memories.jsonl"'}
    return StreamingResponse(_chained(first, pages), media_type=LINES, headers=headers)


@router.post(
    "/memories/import",
    openapi_extra={"requestBody": {"content": {LINES: {"schema": {"type": "string"}}}, "required": True}},
)
async def import_(request: Request, user: CurrentUser, agent: CurrentAgent) -> dict[str, int]:
    """Take memories in, a line of JSON each: all, or none. Only `kind` and `text` are needed."""
    try:
        done = await agent.import_memories(user, request.stream())
    except ClientDisconnect as error:
        raise HTTPException(status.HTTP_400_BAD_REQUEST, "The body ended before its end.") from error
    return {"imported": done.imported, "unchanged": done.unchanged}


@router.get("/memories/{memory_id}")
async def get(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Return one memory."""
    return shown(await agent.memories.get(user, memory))


@router.patch("/memories/{memory_id}")
async def edit(body: MemoryChange, memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Change a memory's words."""
    return shown(await agent.memories.edit(user, memory, text=body.text))


@router.delete("/memories/{memory_id}", status_code=status.HTTP_204_NO_CONTENT)
async def forget(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> None:
    """Forget a memory for ever, with its history, and with what would bring it back."""
    await agent.memories.forget(user, memory)


@router.get("/memories/{memory_id}/history")
async def history(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """List what a memory was before, and what it came in the place of, the latest first."""
    versions = await agent.memories.history(user, memory)
    return {"items": [shown_version(version) for version in versions], "next_cursor": None}


@router.post(
    "/memories/{memory_id}/undo", response_model=None, responses={204: {"description": "It is known no more."}}
)
async def undo(memory: MemoryInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any] | Response:
    """Take back what was last done to a memory; return what is known in its place now, if anything is."""
    known = await agent.undo(user, memory)
    return Response(status_code=status.HTTP_204_NO_CONTENT) if known is None else shown(known)


async def _chained(first: bytes, pages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for page in pages:
        yield page
