"""The events of a run, in this order.

    RunStarted → MemoryRecalled → Token… → MessageCompleted → MemoryScheduled → RunFinished
                                  ToolStarted → ToolFinished                  | RunFailed

`RunStarted` means that the user's message is stored. The last event is always `RunFinished` or `RunFailed`.
"""

import re
from abc import abstractmethod
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, NamedTuple, cast, get_args

from agent.completions import ToolCall
from agent.errors import AgentError, InvalidCursorError, error_from_code
from agent.types import FinishReason, MessageId, RunId, ThreadId, ToolOutcome, WebSource


@dataclass(frozen=True, slots=True)
class _Event:
    event_name: ClassVar[str]

    def data(self) -> dict[str, Any]:
        """The event's payload."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class RunStarted(_Event):
    """The message is stored, and the run has started; it continues if the client disconnects."""

    event_name = "run.started"
    run_id: RunId
    thread_id: ThreadId
    message_id: MessageId
    """Id of the user's message."""


@dataclass(frozen=True, slots=True)
class MemoryRecalled(_Event):
    """Recall is complete."""

    event_name = "memory.recalled"
    memories: Sequence[dict[str, Any]] = ()
    """Everything about the user that the prompt contains, as in `Hit.as_dict`."""
    omitted: Sequence[dict[str, Any]] = ()
    """Standing memories for which the tip has no room, in the same form."""
    tip_chars: int = 0
    """Length of the tip that the model receives."""
    degraded: bool = False
    """True if memory could not be searched completely."""
    elapsed_ms: float = 0.0
    """Time since the start of the run."""


@dataclass(frozen=True, slots=True)
class Token(_Event):
    """The next part of the answer's text."""

    event_name = "token"
    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted(_Event):
    """The model has called a tool."""

    event_name = "tool.started"
    id: str
    """Id of the call, the same as in `ToolFinished`."""
    name: str
    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolFinished(_Event):
    """A tool call has ended."""

    event_name = "tool.finished"
    id: str
    name: str
    output: str
    status: ToolOutcome
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class AnswerStarted(_Event):
    """The model's server has accepted the request; it is not part of replies in threads."""

    event_name = "answer.started"


@dataclass(frozen=True, slots=True)
class ToolCallsRequested(_Event):
    """The model has called functions of the client, which ends a completion; it is not part of replies in threads."""

    event_name = "tool_calls.requested"
    calls: Sequence[ToolCall]


@dataclass(frozen=True, slots=True)
class MessageCompleted(_Event):
    """The answer is complete and stored in the transcript."""

    event_name = "message.completed"
    message_id: MessageId
    """Id of the assistant's message."""
    text: str
    usage: dict[str, int] = field(default_factory=dict)
    """Token counts as reported by the model; empty if it reports none."""
    finish_reason: FinishReason = "stop"
    """`stop` if the model ended the answer itself; any other value means that the answer is cut off."""
    sources: Sequence[WebSource] = ()
    """What web searches found for the answer."""
    model: str | None = None
    """The model that wrote the answer; null if that is unknown."""


@dataclass(frozen=True, slots=True)
class MemoryScheduled(_Event):
    """Formation of memories is scheduled."""

    event_name = "memory.scheduled"
    due_at: str
    """ISO-8601."""


@dataclass(frozen=True, slots=True)
class RunFinished(_Event):
    """The run completed or was cancelled."""

    event_name = "run.finished"
    status: Literal["completed", "cancelled"] = "completed"


@dataclass(frozen=True, slots=True)
class RunFailed(_Event):
    """The run failed. The user's message and the answer so far remain in the transcript."""

    event_name = "run.failed"
    error: AgentError

    def data(self) -> dict[str, Any]:
        """The event's payload; the gateway replaces the problem with the complete one."""
        return {"problem": {"code": self.error.code, "title": self.error.title, "detail": str(self.error)}}


ReplyEvent = (
    RunStarted
    | MemoryRecalled
    | Token
    | ToolStarted
    | ToolFinished
    | MessageCompleted
    | MemoryScheduled
    | RunFinished
    | RunFailed
)
"""An event of a reply in a thread."""
Event = ReplyEvent | AnswerStarted | ToolCallsRequested

_EVENTS: dict[str, type[Any]] = {event.event_name: event for event in get_args(ReplyEvent)}


def parse_event(name: str, data: dict[str, Any]) -> ReplyEvent:
    """Create an event from its name and payload; fields of later versions are ignored, as in a rolling upgrade."""
    if name == RunFailed.event_name:
        return RunFailed(error_from_code(data["problem"]["code"], data["problem"]["detail"]))
    event = _EVENTS[name]
    known = {each.name for each in fields(event)}
    return cast("ReplyEvent", event(**{key: value for key, value in data.items() if key in known}))


_POSITION = re.compile(
    r"(?P<run>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?P<events>\d{1,9})\.(?P<chars>\d{1,9})", re.ASCII
)


class Position(NamedTuple):
    """A position in the event stream of a run; positions of one run are totally ordered.

    It does not depend on how the text is divided into tokens.
    """

    run: RunId
    events: int = 0
    """Number of events so far, without tokens."""
    chars: int = 0
    """Number of characters of text so far."""

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Parse an event id; raise `InvalidCursorError` for any other text."""
        match = _POSITION.fullmatch(text)
        if match is None:
            raise InvalidCursorError("the id is not an event id")
        return cls(RunId(match["run"]), int(match["events"]), int(match["chars"]))

    def __str__(self) -> str:
        return f"{self.run}.{self.events}.{self.chars}"


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event and the position after it, which is its id."""

    position: Position
    event: Event

    def remainder(self, after: Position) -> "LoggedEvent | None":
        """The part of the event after a position of the same run; None if there is none."""
        if self.position <= after:
            return None
        missing = self.position.chars - after.chars
        if isinstance(self.event, Token) and missing < len(self.event.text):
            return LoggedEvent(self.position, Token(self.event.text[-missing:]))
        return self


class EventSubscription(AsyncIterator[LoggedEvent]):
    """Events that arrive while the reader is busy, which can be read together."""

    @abstractmethod
    def take_available(self) -> Sequence[LoggedEvent]:
        """Return the next events that are available without waiting."""
