"""The state of a thread: its messages. Each message is followed by a checkpoint, whose id is that of the message."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter

import agent as api
from agent import Agent, Message, NewMessage, ThreadId, UserId
from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentUser, ThreadInPath
from gateway.errors import UnsupportedError
from gateway.protocols.langgraph.checkpoints import check_is_latest, checkpoint_id_of
from gateway.protocols.langgraph.documents import checkpoint_json, state_json, states_json
from gateway.protocols.langgraph.messages import InputMessage, parse_messages
from gateway.protocols.langgraph.schemas import CheckpointQuery, HistoryQuery, StateUpdate

Json = dict[str, Any]
router = APIRouter(prefix="/threads/{thread_id}", dependencies=[SIGNED_IN])


@router.get("/state")
async def get_state(thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Json:
    """Get the latest state."""
    messages, is_busy = await _read(agent, user, thread)
    return state_json(thread, messages, is_busy=is_busy)


@router.get("/state/{checkpoint_id}")
async def get_state_at(checkpoint_id: str, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Json:
    """Get the state after a message."""
    return await _state_at(agent, user, thread, checkpoint_id)


@router.post("/state/checkpoint")
async def get_state_at_checkpoint(
    body: CheckpointQuery, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent
) -> Json:
    """Get the state after a message."""
    return await _state_at(agent, user, thread, checkpoint_id_of(body.checkpoint))


@router.post("/state")
async def update_state(body: StateUpdate, thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent) -> Json:
    """Append messages without a run: the assistant reads them in the next run, and no memories are formed from them."""
    messages, _ = await _read(agent, user, thread)
    check_is_latest(messages, checkpoint_id_of(body.checkpoint, body.checkpoint_id))
    added = [_new(message) for message in parse_messages(body.values or {}, thread)]
    await agent.threads.append(user, thread, added)
    [last] = await agent.threads.latest_messages(user, thread, limit=1)
    checkpoint = checkpoint_json(thread, last)
    return {"checkpoint": checkpoint, "configurable": checkpoint, **checkpoint}


@router.post("/history")
async def get_history(
    thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent, body: HistoryQuery | None = None
) -> list[Json]:
    """List the states of a thread, the latest first."""
    return await _history(agent, user, thread, body or HistoryQuery())


@router.get("/history")
async def get_latest_history(
    thread: ThreadInPath, user: CurrentUser, agent: CurrentAgent, limit: int = 10
) -> list[Json]:
    """List the latest states of a thread, the latest first."""
    return await _history(agent, user, thread, HistoryQuery(limit=max(1, min(limit, 100))))


async def _read(agent: Agent, user: UserId, thread: ThreadId) -> tuple[list[Message], bool]:
    details = await agent.threads.details(user, thread)
    return await agent.threads.latest_messages(user, thread), details.status == "busy"


async def _state_at(agent: Agent, user: UserId, thread: ThreadId, checkpoint_id: str | None) -> Json:
    messages, is_busy = await _read(agent, user, thread)
    until = _until(messages, checkpoint_id) if checkpoint_id else len(messages)
    return state_json(thread, messages[:until], is_busy=is_busy and until == len(messages))


async def _history(agent: Agent, user: UserId, thread: ThreadId, query: HistoryQuery) -> list[Json]:
    if query.metadata:
        raise UnsupportedError("metadata: states have none of clients")
    messages, is_busy = await _read(agent, user, thread)
    states = states_json(thread, messages, is_busy=is_busy)
    if checkpoint_id := checkpoint_id_of(query.checkpoint):
        states = states[len(messages) - _until(messages, checkpoint_id) :]
    if before := checkpoint_id_of(query.before):
        states = states[len(messages) - _until(messages, before) + 1 :]
    return states[: query.limit]


def _until(messages: Sequence[Message], checkpoint_id: str) -> int:
    """The number of messages up to a checkpoint."""
    for count, message in enumerate(messages, start=1):
        if message.id == checkpoint_id:
            return count
    raise api.NotFoundError("the thread has no such checkpoint among its last messages")


def _new(message: InputMessage) -> NewMessage:
    if message.role is None:
        raise UnsupportedError("only messages of the user and the assistant are kept")
    return NewMessage(message.id, message.role, message.text)
