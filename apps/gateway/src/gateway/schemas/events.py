"""Schemas of the events in a reply stream.

They only describe the stream: `routes/chat.py` writes the frames directly from the agent's events. Tests compare both.
"""

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, RootModel

from gateway.schemas.base import Schema
from gateway.schemas.problem import Problem
from gateway.schemas.threads import RecalledMemory

Data = TypeVar("Data")


class RunStarted(Schema):
    """Ids of a run and of the message that it answers."""

    run_id: str
    thread_id: str
    message_id: str = Field(description="The user's message.")


class MemoryRecalled(Schema):
    """The memories recalled for the answer."""

    memories: list[RecalledMemory] = Field(description="The best first.")
    tip_chars: int = Field(description="Length of the text added to the prompt.")
    degraded: bool = Field(description="True if recall failed or was incomplete.")
    elapsed_ms: float


class Token(Schema):
    """A piece of the answer."""

    text: str


class ToolStarted(Schema):
    """A tool call."""

    id: str = Field(description="Identifies the call in `tool.finished`.")
    name: str
    input: dict[str, Any]


class ToolFinished(Schema):
    """The result of a tool call."""

    id: str
    name: str
    output: str
    status: Literal["ok", "failed", "timed_out"]
    elapsed_ms: float


class MessageCompleted(Schema):
    """The whole answer, as the transcript stores it."""

    message_id: str = Field(description="The assistant's message.")
    text: str
    usage: dict[str, int] = Field(description="Token counts as reported by the model; may be empty.")


class MemoryScheduled(Schema):
    """The time at which the message is processed into memories."""

    due_at: str = Field(description="ISO-8601.")


class RunFinished(Schema):
    """The end of a run."""

    status: Literal["completed", "cancelled"]


class RunFailed(Schema):
    """The end of a run that failed."""

    problem: Problem


class _Event(Schema, Generic[Data]):
    id: str = Field(description="Send it as `Last-Event-ID` to resume the stream after this event.")
    event: str
    data: Data = Field(description="JSON.")


class RunStartedEvent(_Event[RunStarted]):
    """The message is saved. The run continues even if the client disconnects."""

    event: Literal["run.started"]


class MemoryRecalledEvent(_Event[MemoryRecalled]):
    """Recall has finished."""

    event: Literal["memory.recalled"]


class TokenEvent(_Event[Token]):
    """The next piece of the answer."""

    event: Literal["token"]


class ToolStartedEvent(_Event[ToolStarted]):
    """The assistant has called a tool."""

    event: Literal["tool.started"]


class ToolFinishedEvent(_Event[ToolFinished]):
    """A tool call has ended."""

    event: Literal["tool.finished"]


class MessageCompletedEvent(_Event[MessageCompleted]):
    """The answer is complete."""

    event: Literal["message.completed"]


class MemoryScheduledEvent(_Event[MemoryScheduled]):
    """Formation is scheduled."""

    event: Literal["memory.scheduled"]


class RunFinishedEvent(_Event[RunFinished]):
    """The run has ended normally or was cancelled. Always the last event."""

    event: Literal["run.finished"]


class RunFailedEvent(_Event[RunFailed]):
    """The run has failed. Always the last event."""

    event: Literal["run.failed"]


class ReplyEvent(
    RootModel[
        Annotated[
            RunStartedEvent
            | MemoryRecalledEvent
            | TokenEvent
            | ToolStartedEvent
            | ToolFinishedEvent
            | MessageCompletedEvent
            | MemoryScheduledEvent
            | RunFinishedEvent
            | RunFailedEvent,
            Field(discriminator="event"),
        ]
    ]
):
    """One server-sent event of a reply, with `data` parsed as JSON.

    In order: `run.started`, `memory.recalled`, then any number of `token`, `tool.started` and `tool.finished`, then
    `message.completed`, `memory.scheduled`, and finally `run.finished` or `run.failed`.
    """
