"""Saying something, and hearing the answer as it comes."""

import json
import uuid
from collections.abc import AsyncIterator

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from agent import Event, MessageId, RunFailed, Said, parsed_id
from gateway.dependencies import CurrentAgent, CurrentUser, SignedIn, ThreadInPath
from gateway.problems import problem_of

router = APIRouter(tags=["chat"])

PING_SECONDS = 15


class NewMessage(BaseModel):
    """What a client says. Whatever else it sends is ignored: who and where are told by token and address."""

    text: str
    id: str | None = Field(None, description="A UUID of the client's own makes a retry safe.")
    model: str | None = None
    memory: bool = True


@router.post("/threads/{thread_id}/messages", response_class=EventSourceResponse)
async def say(body: NewMessage, thread: ThreadInPath, user: SignedIn, agent: CurrentAgent) -> EventSourceResponse:
    """Say something in a thread, which is made if it is new, and stream the answer's events."""
    message = MessageId(parsed_id(body.id) if body.id is not None else str(uuid.uuid4()))
    events = await agent.say(user, thread, Said(body.text, message, body.model, body.memory))
    return EventSourceResponse(_frames(events), ping=PING_SECONDS, sep="\n")


@router.post("/threads/{thread_id}/cancel")
async def cancel(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, bool]:
    """Stop the answer that the thread is giving; what was said so far is kept."""
    return {"cancelled": await agent.cancel(user, thread)}


async def _frames(events: AsyncIterator[Event]) -> AsyncIterator[ServerSentEvent]:
    number = 0
    async for event in events:
        number += 1
        data = {"problem": problem_of(event.error)} if isinstance(event, RunFailed) else event.data()
        yield ServerSentEvent(json.dumps(data, ensure_ascii=False), event=event.name, id=str(number), sep="\n")
