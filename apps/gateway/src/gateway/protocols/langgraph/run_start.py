"""Starting a run from a request of the LangGraph API."""

import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import agent as api
from agent import Agent, LoggedEvent, MessageId, Position, RunId, RunRecord, ThreadId, UserId, UserMessage
from gateway.auth.principal import Principal
from gateway.dependencies import current_account
from gateway.errors import UnsupportedError
from gateway.protocols.langgraph.checkpoints import check_is_latest, checkpoint_id_of
from gateway.protocols.langgraph.dependencies import check_assistant
from gateway.protocols.langgraph.messages import InputMessage, parse_messages
from gateway.protocols.langgraph.schemas import NewRun
from gateway.protocols.langgraph.unsupported import reject_unsupported_run


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A run and its events from the start."""

    user: UserId
    thread: ThreadId
    run: RunId
    events: AsyncIterator[LoggedEvent]
    message: MessageId | None = None
    """The user's message; None for a run that was joined."""

    def replay_record(self) -> RunRecord:
        """A record for a replayed answer, whose run is no longer recorded."""
        now = datetime.now(UTC)
        return RunRecord(self.run, self.message or MessageId(""), "completed", now, now)

    @property
    def path(self) -> str:
        """The path of the run, relative to the base URL of the API, as LangGraph's clients expect it in headers."""
        return f"/threads/{self.thread}/runs/{self.run}"


async def start_run(agent: Agent, principal: Principal, thread: ThreadId | None, body: NewRun) -> StartedRun:
    """Send the new message of a request, by default to a new thread. Nothing in the request identifies the user."""
    check_assistant(body.assistant_id)
    reject_unsupported_run(body)
    user, must_exist = principal.user, thread is not None and body.if_not_exists != "create"
    thread = thread or ThreadId(str(uuid.uuid4()))
    message = await _message(agent, user, thread, body, must_exist=must_exist)
    if body.multitask_strategy == "interrupt":
        await _interrupt(agent, user, thread, message.id)
    with agent.admit_message(user, thread, message.id):
        await agent.prefetch(user, message)  # embeds and moderates during the next two reads
        account = await current_account(principal, agent)
        if must_exist:
            await agent.threads.get(user, thread)
        events = await agent.send_message(account, thread, message)
    first = await anext(events)
    return StartedRun(user, thread, first.position.run, _prepend(first, events), message.id)


async def join_run(agent: Agent, user: UserId, thread: ThreadId, run: RunId) -> StartedRun:
    """Follow a run from its start.

    Raises:
        NotFoundError: the thread has no such run, or it ended more than ten minutes ago.
    """
    events = await agent.join(user, thread, str(Position(run)))
    if events is None:
        raise api.NotFoundError("the thread has no such run, or it ended more than ten minutes ago")
    return StartedRun(user, thread, run, events)


async def _message(agent: Agent, user: UserId, thread: ThreadId, body: NewRun, *, must_exist: bool) -> UserMessage:
    checkpoint_id = checkpoint_id_of(body.checkpoint, body.checkpoint_id)
    messages = parse_messages(body.input, thread) if body.input else []
    if checkpoint_id or len(messages) != 1:
        if must_exist:
            await agent.threads.get(user, thread)
        transcript = await agent.threads.latest_messages(user, thread)
        check_is_latest(transcript, checkpoint_id)
        _check_known(messages[:-1], {message.id for message in transcript})
        if not messages:
            messages = [InputMessage(one.id, one.role, one.text) for one in transcript[-1:]]
    if not messages or messages[-1].role != "user":
        raise api.InvalidInputError("the last message must be one of the user that has no answer")
    options, new = body.options, messages[-1]
    return UserMessage(new.text, new.id, options.model, options.memory, options.web_search, temporary=options.temporary)


def _check_known(earlier: Sequence[InputMessage], known: set[MessageId]) -> None:
    if any(message.id not in known for message in earlier):
        raise UnsupportedError("input: a run answers one new message; add others by updating the thread's state")


async def _interrupt(agent: Agent, user: UserId, thread: ThreadId, message: MessageId) -> None:
    """Cancel the run of a thread and wait for its end, unless it answers this message, which was sent again."""
    latest = await agent.threads.runs(user, thread)
    if not latest or latest[0].status != "running" or latest[0].message == message:
        return
    try:
        if not await agent.cancel(user, thread):
            return
        events = await agent.join(user, thread, None)
    except api.ThreadNotFoundError:
        return
    if events is not None:
        async for _ in events:
            pass


async def _prepend(first: LoggedEvent, events: AsyncIterator[LoggedEvent]) -> AsyncIterator[LoggedEvent]:
    yield first
    async for logged in events:
        yield logged
