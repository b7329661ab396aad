"""Saying something, and hearing the answer as it comes."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Response, status
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from agent import LoggedEvent, MessageId, RunFailed, UserMessage, parse_uuid
from gateway.dependencies import CurrentAgent, CurrentUser, ThreadInPath, Verified, signed_in
from gateway.problems import problem_of

router = APIRouter(tags=["chat"])

PING_SECONDS = 15


class Ping(ServerSentEvent):
    """A sign of life between two events."""

    def encode(self) -> bytes:
        """Return a comment without a blank line, at which some clients dispatch an event that has only the last id."""
        return b": ping\n"


class NewMessage(BaseModel):
    """What a client says. Whatever else it sends is ignored: who and where are told by token and address."""

    text: str
    id: str | None = Field(None, description="A UUID of the client's own makes a retry safe.")
    model: str | None = None
    memory: bool = True
    web_search: bool = False
    temporary: bool = Field(default=False, description="Begins a thread of which nothing lasts.")


@router.post("/threads/{thread_id}/messages", response_class=EventSourceResponse)
async def say(body: NewMessage, thread: ThreadInPath, who: Verified, agent: CurrentAgent) -> EventSourceResponse:
    """Say something in a thread, which is made if it is new, and stream the answer's events."""
    message = MessageId(parse_uuid(body.id) if body.id is not None else str(uuid.uuid4()))
    said = UserMessage(body.text, message, body.model, body.memory, body.web_search, body.temporary)
    await agent.prefetch_embedding(who.user, said)  # its vector is on its way while the account is looked up
    return _streamed(await agent.send_message(await signed_in(who, agent), thread, said))


@router.post("/threads/{thread_id}/cancel")
async def cancel(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> dict[str, bool]:
    """Stop the answer that the thread is giving; what was said so far is kept."""
    return {"cancelled": await agent.cancel(user, thread)}


@router.get("/threads/{thread_id}/stream", response_class=EventSourceResponse)
async def join(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Hear the rest of an answer, from behind the event that was heard last; without one, the latest from its start.

    204 when there is no more to hear: then an `EventSource` stops asking.
    """
    told = await agent.join(user, thread, last_event_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT) if told is None else _streamed(told)


def _streamed(told: AsyncIterator[LoggedEvent]) -> EventSourceResponse:
    return EventSourceResponse(_frames(told), ping=PING_SECONDS, ping_message_factory=Ping, sep="\n")


async def _frames(told: AsyncIterator[LoggedEvent]) -> AsyncIterator[bytes]:
    async for one in told:
        event = one.event
        data = {"problem": problem_of(event.error)} if isinstance(event, RunFailed) else event.data()
        # In ASCII: clients of many languages take U+2028 and others for the end of a line.
        yield f"id: {one.position}\nevent: {event.name}\ndata: {json.dumps(data)}\n\n".encode()
