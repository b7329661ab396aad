"""The list of threads, and what was said in them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, status
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from agent import Message, Thread
from gateway.dependencies import CurrentAgent, CurrentUser, ThreadInPath

router = APIRouter(tags=["threads"])

Limit = Annotated[int, Query(ge=1, le=100)]


class NewThread(BaseModel):
    """A thread to be."""

    title: str = ""
    temporary: bool = Field(default=False, description="Without memory, in no list, and gone an hour after its end.")


class ThreadChange(BaseModel):
    """What can be changed of a thread."""

    title: str


@router.post("/threads", status_code=status.HTTP_201_CREATED)
async def make(user: CurrentUser, agent: CurrentAgent, body: NewThread | None = None) -> dict[str, Any]:
    """Make an empty thread."""
    body = body or NewThread()
    return _thread(await agent.threads.create(user, title=body.title, temporary=body.temporary))


@router.get("/threads")
async def page(
    user: CurrentUser,
    agent: CurrentAgent,
    q: str | None = None,
    limit: Limit = 50,
    before: str | None = None,
) -> dict[str, Any]:
    """List threads, the latest first; with `q` those that hold all of its words, each with a snippet.

    Temporary threads are not among them.
    """
    if q is None or not q.strip():
        found = await agent.threads.list_threads(user, limit=limit, before=before)
        items = [_thread(thread) for thread in found.items]
    else:
        found = await agent.threads.search(user, q, limit=limit, before=before)
        items = [_thread(thread) | {"snippet": thread.snippet} for thread in found.items]
    return {"items": items, "next_cursor": found.next_cursor}


@router.get("/threads/{thread_id}")
async def get(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Return one thread."""
    return _thread(await agent.threads.get(user, thread))


@router.patch("/threads/{thread_id}")
async def rename(body: ThreadChange, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Give a thread another title."""
    return _thread(await agent.threads.rename(user, thread, title=body.title))


@router.delete(
    "/threads/{thread_id}",
    response_model=None,
    status_code=status.HTTP_204_NO_CONTENT,
    responses={200: {"description": "How many memories were forgotten."}},
)
async def delete(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    forget: Annotated[bool, Query()] = False,  # noqa: FBT002 - a parameter of the query
) -> JSONResponse | None:
    """Delete a thread with all that was said in it, and if `forget` also what only it has taught."""
    forgotten = await agent.delete_thread(user, thread, forget=forget)
    return JSONResponse({"forgotten": forgotten}) if forget else None


@router.get("/threads/{thread_id}/messages")
async def messages(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    cursor: str | None = None,
) -> dict[str, Any]:
    """List what was said, the oldest first."""
    found = await agent.threads.messages(user, thread, limit=limit, cursor=cursor)
    return {"items": [_message(message) for message in found.items], "next_cursor": found.next_cursor}


def _thread(thread: Thread) -> dict[str, Any]:
    return {
        "thread_id": thread.id,
        "title": thread.title,
        "created_at": thread.created_at.isoformat(),
        "updated_at": thread.updated_at.isoformat(),
        "temporary": thread.temporary,
    }


def _message(message: Message) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": message.id, "role": message.role, "text": message.text, "ts": message.ts.isoformat()}
    if message.memories is not None:
        shown |= {"memories": list(message.memories)}
    return shown if message.status == "completed" else shown | {"status": message.status}
