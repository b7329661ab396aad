"""What a reply says while it happens, in order.

    RunStarted → MemoryRecalled → Token… → MessageCompleted → MemoryScheduled → RunFinished
                                  ToolStarted → ToolFinished                  | RunFailed

`RunStarted` means that what the user said is safe. Whatever happens, the last one is `RunFinished` or `RunFailed`.
"""

import re
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from agent.errors import AgentError, InvalidCursorError, error_from_code
from agent.types import Hit, MessageId, RunId, ThreadId, ToolOutcome


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The message is committed, and the run goes on even when its client leaves."""

    name: ClassVar[str] = "run.started"

    run_id: RunId
    thread_id: ThreadId
    message_id: MessageId
    """The user's message."""

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {"run_id": self.run_id, "thread_id": self.thread_id, "message_id": self.message_id}


@dataclass(frozen=True, slots=True)
class MemoryRecalled:
    """What memory gives to this answer."""

    name: ClassVar[str] = "memory.recalled"

    hits: tuple[Hit, ...]
    tip_chars: int
    degraded: bool
    elapsed_ms: float

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {
            "memories": [hit.as_dict() for hit in self.hits],
            "tip_chars": self.tip_chars,
            "degraded": self.degraded,
            "elapsed_ms": round(self.elapsed_ms, 2),
        }


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer."""

    name: ClassVar[str] = "token"

    text: str

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {"text": self.text}


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool has been called."""

    name: ClassVar[str] = "tool.started"

    id: str
    """Of the call, which `ToolFinished` names too."""
    tool: str
    input: dict[str, Any]

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {"id": self.id, "name": self.tool, "input": self.input}


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool has given what it has to give."""

    name: ClassVar[str] = "tool.finished"

    id: str
    tool: str
    output: str
    status: ToolOutcome
    elapsed_ms: float

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {
            "id": self.id,
            "name": self.tool,
            "output": self.output,
            "status": self.status,
            "elapsed_ms": self.elapsed_ms,
        }


@dataclass(frozen=True, slots=True)
class MessageCompleted:
    """The whole answer, as the transcript keeps it."""

    name: ClassVar[str] = "message.completed"

    message_id: MessageId
    """The assistant's message."""
    text: str
    usage: dict[str, int] = field(default_factory=dict)
    """Tokens, as the model reports them; empty when it does not."""

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {"message_id": self.message_id, "text": self.text, "usage": self.usage}


@dataclass(frozen=True, slots=True)
class MemoryScheduled:
    """When what was said will be distilled, ISO-8601."""

    name: ClassVar[str] = "memory.scheduled"

    due_at: str

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {"due_at": self.due_at}


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The run ended well, or was stopped."""

    name: ClassVar[str] = "run.finished"

    status: Literal["completed", "cancelled"] = "completed"

    def data(self) -> dict[str, Any]:
        """Return the event's payload."""
        return {"status": self.status}


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The run ended without a whole answer; what was said stays said."""

    name: ClassVar[str] = "run.failed"

    error: AgentError

    def data(self) -> dict[str, Any]:
        """Return the event's payload; the gateway turns the error into its problem."""
        return {"problem": {"code": self.error.code, "title": self.error.title, "detail": str(self.error)}}


Event = (
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


_POSITION = re.compile(
    r"(?P<run>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?P<events>\d{1,9})\.(?P<chars>\d{1,9})", re.ASCII
)


class Position(NamedTuple):
    """How far a run has come: so many events other than tokens, so many characters of text; neither ever falls.

    So it is the same wherever tokens were cut, and of two positions in a run one is behind the other.
    """

    run: RunId
    events: int = 0
    chars: int = 0

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Return the position that was written like this.

        Raises:
            InvalidCursorError: none was.
        """
        found = _POSITION.fullmatch(text)
        if found is None:
            raise InvalidCursorError("the id was not given to an event")
        return cls(RunId(found["run"]), int(found["events"]), int(found["chars"]))

    def __str__(self) -> str:
        return f"{self.run}.{self.events}.{self.chars}"


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event, and how far the run has come with it."""

    position: Position
    event: Event

    def remainder(self, after: Position) -> "LoggedEvent | None":
        """Return what of it is behind a position of the same run, None if nothing is."""
        if self.position <= after:
            return None
        missing = self.position.chars - after.chars
        if isinstance(self.event, Token) and missing < len(self.event.text):
            return LoggedEvent(self.position, Token(self.event.text[-missing:]))
        return self


def parse_event(name: str, data: dict[str, Any]) -> Event:
    """Return the event of which this is name and payload."""
    match name:
        case MemoryRecalled.name:
            hits = tuple(Hit(**hit) for hit in data["memories"])
            return MemoryRecalled(hits, data["tip_chars"], data["degraded"], data["elapsed_ms"])
        case ToolStarted.name:
            return ToolStarted(data["id"], data["name"], data["input"])
        case ToolFinished.name:
            return ToolFinished(data["id"], data["name"], data["output"], data["status"], data["elapsed_ms"])
        case RunFailed.name:
            return RunFailed(error_from_code(data["problem"]["code"], data["problem"]["detail"]))
    return _FLAT_EVENTS[name](**data)


_FLAT_EVENTS: dict[str, type[RunStarted | Token | MessageCompleted | MemoryScheduled | RunFinished]] = {
    kind.name: kind for kind in (RunStarted, Token, MessageCompleted, MemoryScheduled, RunFinished)
}
