"""Threads, states, runs and assistants in the form of the LangGraph API."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from agent import Message, RunRecord, ThreadDetails, ThreadId
from gateway.protocols.langgraph.messages import message_json

Json = dict[str, Any]

GRAPH_ID = "chat"
"""The name of the graph in `langgraph.json`."""
ASSISTANT_ID = str(uuid.uuid5(uuid.UUID("6ba7b821-9dad-11d1-80b4-00c04fd430c8"), GRAPH_ID))
"""The id that a LangGraph server gives to the default assistant of this graph."""
ASSISTANT_NAMES = frozenset({GRAPH_ID, ASSISTANT_ID})
ANSWER_NODE = "answer"
CREATED_AT = "2026-01-01T00:00:00+00:00"

RUN_STATUSES: Mapping[str, str] = {
    "running": "running",
    "completed": "success",
    "cancelled": "interrupted",
    "failed": "error",
}
OWN_METADATA = {"graph_id": GRAPH_ID, "assistant_id": ASSISTANT_ID}
TITLE = "title"
"""The member of the metadata that is the title of the thread."""


def assistant_json() -> Json:
    """The only assistant."""
    return {
        "assistant_id": ASSISTANT_ID,
        "graph_id": GRAPH_ID,
        "name": "Keepsake",
        "description": "A chat assistant with long-term memory.",
        "config": {},
        "context": {},
        "metadata": {"created_by": "system"},
        "version": 1,
        "created_at": CREATED_AT,
        "updated_at": CREATED_AT,
    }


def thread_json(details: ThreadDetails, messages: Sequence[Message]) -> Json:
    """A thread with these messages as its values."""
    thread = details.thread
    return {
        "thread_id": thread.id,
        "created_at": thread.created_at.isoformat(),
        "updated_at": thread.updated_at.isoformat(),
        "state_updated_at": thread.updated_at.isoformat(),
        "metadata": {**details.metadata, **OWN_METADATA, TITLE: thread.title},
        "status": details.status,
        "config": {},
        "values": values_json(messages),
        "interrupts": {},
        "error": None,
    }


def values_json(messages: Sequence[Message]) -> Json:
    """The state of a thread with these messages."""
    return {"messages": [message_json(message) for message in messages]}


def states_json(thread: ThreadId, messages: Sequence[Message], *, is_busy: bool) -> list[Json]:
    """The states of a thread, the latest first: one after each of its messages, which is also the checkpoint's id."""
    return [
        state_json(thread, messages[:count], is_busy=is_busy and count == len(messages))
        for count in range(len(messages), 0, -1)
    ]


def state_json(thread: ThreadId, messages: Sequence[Message], *, is_busy: bool) -> Json:
    """The state of a thread after the last of these messages."""
    last, parent = messages[-1:], messages[-2:-1]
    return {
        "values": values_json(messages),
        "next": [ANSWER_NODE] if is_busy else [],
        "tasks": [],
        "metadata": {**OWN_METADATA, "source": "loop", "step": len(messages), "thread_id": thread},
        "created_at": _time(last[0].ts) if last else None,
        "checkpoint": checkpoint_json(thread, last[0]) if last else None,
        "parent_checkpoint": checkpoint_json(thread, parent[0]) if parent else None,
        "interrupts": [],
    }


def checkpoint_json(thread: ThreadId, message: Message) -> Json:
    """The checkpoint after a message."""
    return {"thread_id": thread, "checkpoint_ns": "", "checkpoint_id": message.id, "checkpoint_map": None}


def run_json(thread: ThreadId, run: RunRecord) -> Json:
    """A run."""
    return {
        "run_id": run.id,
        "thread_id": thread,
        "assistant_id": ASSISTANT_ID,
        "created_at": run.began_at.isoformat(),
        "updated_at": run.updated_at.isoformat(),
        "status": RUN_STATUSES[run.status],
        "metadata": {"message_id": run.message},
        "kwargs": {},
        "multitask_strategy": "reject",
    }


def _time(time: datetime) -> str:
    return time.isoformat()
