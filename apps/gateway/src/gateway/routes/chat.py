"""Sending messages and streaming the replies."""

import uuid
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Response

import agent as api
from agent import EventSubscription, LoggedEvent, MessageId, UserMessage
from gateway.dependencies import (
    SIGNED_IN,
    THREAD_ERRORS,
    CurrentAgent,
    CurrentPrincipal,
    CurrentUser,
    Streams,
    ThreadInPath,
    current_account,
)
from gateway.problems import problem_of, user_responses
from gateway.schemas.threads import CancelResult, NewMessage
from gateway.streams import EventStream, OpenStreams, describe_stream, encode_event

router = APIRouter(tags=["chat"], dependencies=[SIGNED_IN])

MESSAGE_LIMIT_ERRORS = (api.TooManyRunsError, api.DailyLimitError, api.TooManyThreadsError, api.TooManyStreamsError)

STREAM = describe_stream(
    "Server-sent events; `ReplyEvent` in the components describes them with `data` parsed as JSON.",
    {"id": "8c5e7f5a.2.0", "event": "token", "data": '{"text": "You"}'},
)


@router.post(
    "/threads/{thread_id}/messages",
    response_class=EventStream,
    responses=STREAM
    | user_responses(
        *THREAD_ERRORS,
        api.InvalidTextError,
        api.UnknownModelError,
        api.ContentFlaggedError,
        api.ModerationUnavailableError,
        api.ThreadBusyError,
        api.MessageIdTakenError,
        api.ThreadNotTemporaryError,
        *MESSAGE_LIMIT_ERRORS,
        body=True,
    ),
)
async def send_message(
    body: NewMessage, thread: ThreadInPath, principal: CurrentPrincipal, agent: CurrentAgent, streams: Streams
) -> EventStream:
    """Send a message and stream the reply. A thread with a new id is created.

    The run continues if the client disconnects: `GET /threads/{thread_id}/stream` rejoins it. Sending a message with
    the same `id` again replays its run.
    """
    message_id = MessageId(api.parse_uuid(body.id) if body.id is not None else str(uuid.uuid4()))
    message = UserMessage(body.text, message_id, body.model, body.memory, body.web_search, body.temporary)
    with agent.admit_message(principal.user, thread, message_id):
        await agent.prefetch(principal.user, message)  # embeds and moderates while the account is loaded
        account = await current_account(principal, agent)
        return _stream(await agent.send_message(account, thread, message), streams)


@router.post("/threads/{thread_id}/cancel", responses=user_responses(*THREAD_ERRORS))
async def cancel_run(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> CancelResult:
    """Stop the thread's active run. The transcript keeps the text generated so far."""
    return CancelResult(cancelled=await agent.cancel(user, thread))


@router.get(
    "/threads/{thread_id}/stream",
    response_class=EventStream,
    responses=STREAM
    | {204: {"description": "There are no more events; an `EventSource` stops reconnecting."}}
    | user_responses(*THREAD_ERRORS, api.InvalidCursorError, api.TooManyStreamsError),
)
async def join_stream(
    thread: ThreadInPath,
    user: CurrentUser,
    agent: CurrentAgent,
    streams: Streams,
    last_event_id: Annotated[str | None, Header(description="Resume after this event.")] = None,
) -> Response:
    """Rejoin a reply after the event in `Last-Event-ID`; without it, replay the latest run from its start."""
    events = await agent.join(user, thread, last_event_id)
    return Response(status_code=204) if events is None else _stream(events, streams)


def _stream(events: AsyncIterator[LoggedEvent], streams: OpenStreams) -> EventStream:
    return EventStream(_frames(events), streams)


async def _frames(events: AsyncIterator[LoggedEvent]) -> AsyncIterator[bytes]:
    """Encode events; those that are available at the same time are sent together."""
    async for logged in events:
        more = events.take_available() if isinstance(events, EventSubscription) else ()
        yield b"".join(map(_frame, (logged, *more)))


def _frame(logged: LoggedEvent) -> bytes:
    event = logged.event
    data = {"problem": problem_of(event.error)} if isinstance(event, api.RunFailed) else event.data()
    return encode_event(event.event_name, data, id=logged.position)
