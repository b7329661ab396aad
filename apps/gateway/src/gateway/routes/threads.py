"""The list of threads, and what was said in them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, status
from pydantic import BaseModel

from agent import Message, Thread
from gateway.dependencies import CurrentAgent, CurrentUser, ThreadInPath

router = APIRouter(tags=["threads"])

Limit = Annotated[int, Query(ge=1, le=100)]


class NewThread(BaseModel):
    """A thread to be."""

    title: str = ""


class ThreadChange(BaseModel):
    """What can be changed of a thread."""

    title: str


@router.post("/threads", status_code=status.HTTP_201_CREATED)
async def make(user: CurrentUser, agent: CurrentAgent, body: NewThread | None = None) -> dict[str, Any]:
    """Make an empty thread."""
    return _thread(await agent.threads.make(user, title=body.title if body else ""))


@router.get("/threads")
async def page(user: CurrentUser, agent: CurrentAgent, limit: Limit = 50, before: str | None = None) -> dict[str, Any]:
    """List threads, the latest first."""
    found = await agent.threads.page(user, limit=limit, before=before)
    return {"items": [_thread(thread) for thread in found.items], "next_cursor": found.next_cursor}


@router.get("/threads/{thread_id}")
async def get(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Return one thread."""
    return _thread(await agent.threads.get(user, thread))


@router.patch("/threads/{thread_id}")
async def rename(body: ThreadChange, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, Any]:
    """Give a thread another title."""
    return _thread(await agent.threads.rename(user, thread, title=body.title))


@router.delete("/threads/{thread_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    forget: Annotated[bool, Query()] = False,  # noqa: FBT002 - a parameter of the query
) -> None:
    """Delete a thread with all that was said in it, and if `forget` also what only it has taught."""
    await agent.delete_thread(user, thread, forget=forget)


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
    shown = {"id": message.id, "role": message.role, "text": message.text, "ts": message.ts.isoformat()}
    return shown if message.memories is None else shown | {"memories": list(message.memories)}
