"""Changes of the user's memories: a stream, and a list for a timeline."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Query

import agent as api
from agent import MemoryChange
from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentUser, Streams
from gateway.problems import user_responses
from gateway.schemas import memory_changes as schemas
from gateway.streams import EventStream, describe_stream, encode_event

router = APIRouter(tags=["memories"], dependencies=[SIGNED_IN])

STREAM = describe_stream(
    "Server-sent events; `MemoryChangeEvent` in the components describes them with `data` parsed as JSON.",
    {"id": "1795000000000000", "event": "memory.added", "data": '{"type": "memory.added"}'},
)


@router.get(
    "/memories/changes",
    response_class=EventStream,
    responses=STREAM | user_responses(api.InvalidInputError, api.InvalidCursorError, api.TooManyStreamsError),
)
async def follow_memory_changes(
    user: CurrentUser,
    agent: CurrentAgent,
    streams: Streams,
    last_event_id: Annotated[str | None, Header(description="Resume after this change.")] = None,
) -> EventStream:
    """Follow the changes of the user's memories: those after `Last-Event-ID`; without it, those from now on."""
    return EventStream(_frames(await agent.changes.subscribe(user, last_event_id)), streams)


@router.get("/memories/timeline", responses=user_responses(api.InvalidInputError, api.InvalidCursorError))
async def list_memory_changes(
    user: CurrentUser,
    agent: CurrentAgent,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(min_length=1, description="`next_cursor` of the previous page.")] = None,
) -> schemas.MemoryChangePage:
    """List the latest 1,000 changes of the user's memories, the latest first. What was forgotten has no text."""
    page = await agent.changes.list_changes(user, limit=limit, before=cursor)
    return schemas.MemoryChangePage.model_validate(page)


async def _frames(changes: AsyncIterator[MemoryChange]) -> AsyncIterator[bytes]:
    async for change in changes:
        data = schemas.MemoryChange.model_validate(change).model_dump()
        yield encode_event(change.type, data, id=change.id)
