"""Threads: the same as those of Keepsake's own routes, with metadata of clients."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse

import agent as api
from agent import Agent, ThreadDetails, ThreadId, UserId
from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentUser, ThreadInPath
from gateway.errors import UnsupportedError
from gateway.protocols.langgraph.documents import OWN_METADATA, TITLE, thread_json
from gateway.protocols.langgraph.schemas import NewThread, ThreadFilter, ThreadSearch, ThreadUpdate
from gateway.protocols.langgraph.unsupported import reject_members

Json = dict[str, Any]
router = APIRouter(prefix="/threads", dependencies=[SIGNED_IN])


@router.post("")
async def create_langgraph_thread(user: CurrentUser, agent: CurrentAgent, body: NewThread | None = None) -> Json:
    """Create an empty thread; `metadata.title` is its title."""
    body = body or NewThread()
    reject_members(body, "supersteps", "ttl")
    thread = None if body.thread_id is None else ThreadId(api.parse_uuid(body.thread_id))
    title, metadata = _split(body.metadata or {})
    try:
        created = await agent.threads.create(user, thread=thread, title=title or "", metadata=metadata)
    except api.ThreadExistsError:
        if thread is None or body.if_exists != "do_nothing":
            raise
        return await _complete(agent, user, thread)
    return thread_json(ThreadDetails(created, metadata, "idle"), ())


@router.post("/search")
async def search_langgraph_threads(body: ThreadSearch, user: CurrentUser, agent: CurrentAgent) -> list[Json]:
    """Find threads by metadata and status, the latest first. Their values contain the first two messages only."""
    metadata = _own_filter(body)
    reject_members(body, "extract")
    if body.sort_by in {"thread_id", "status"}:
        raise UnsupportedError("sort_by: only created_at and updated_at are implemented")
    if metadata is None or body.status == "interrupted":
        return []
    found = await agent.threads.find(
        user,
        metadata=metadata,
        ids=None if body.ids is None else [ThreadId(api.parse_uuid(thread)) for thread in body.ids],
        status=body.status,
        limit=body.limit,
        offset=body.offset,
        order="created_at" if body.sort_by == "created_at" else "updated_at",
        ascending=body.sort_order == "asc",
    )
    documents = [thread_json(details, details.opening) for details in found]
    if body.select is None:
        return documents
    return [{name: document[name] for name in body.select if name in document} for document in documents]


@router.post("/count")
async def count_langgraph_threads(body: ThreadFilter, user: CurrentUser, agent: CurrentAgent) -> int:
    """Count the threads whose metadata contains the given members."""
    reject_members(body, "status")
    metadata = _own_filter(body)
    return 0 if metadata is None else await agent.threads.count(user, metadata)


@router.get("/{thread_id}")
async def get_langgraph_thread(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Json:
    """Get a thread with its state."""
    return await _complete(agent, user, thread)


@router.patch("/{thread_id}")
async def update_langgraph_thread(
    body: ThreadUpdate,
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    prefer: Annotated[str, Header()] = "",
) -> Response:
    """Merge metadata into that of a thread; `title` renames the thread."""
    reject_members(body, "ttl")
    title, metadata = _split(body.metadata)
    await agent.threads.merge_metadata(user, thread, metadata, title=title)
    if "return=minimal" in prefer:
        return Response(status_code=204)
    return JSONResponse(await _complete(agent, user, thread))


@router.delete("/{thread_id}", status_code=204)
async def delete_langgraph_thread(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> None:
    """Delete a thread with its transcript, but not what was learned from it."""
    await agent.thread_deletion.delete(user, thread, forget=False)


async def _complete(agent: Agent, user: UserId, thread: ThreadId) -> Json:
    details = await agent.threads.details(user, thread)
    return thread_json(details, await agent.threads.latest_messages(user, thread))


def _split(metadata: Mapping[str, Any]) -> tuple[str | None, Json]:
    """Separate the title, and remove what is the same for all threads."""
    title = metadata.get(TITLE)
    if title is not None and not isinstance(title, str):
        raise api.InvalidInputError("metadata.title is not a text")
    return title, {name: value for name, value in metadata.items() if name not in {TITLE, *OWN_METADATA}}


def _own_filter(body: ThreadFilter) -> Json | None:
    """The conditions on stored metadata; None if no thread can match."""
    reject_members(body, "values")
    given = dict(body.metadata or {})
    if TITLE in given:
        raise UnsupportedError("metadata.title: search with GET /threads?q=")
    if any(given.pop(name, value) != value for name, value in OWN_METADATA.items()):
        return None
    return given
