"""What a reply says while it happens, in order.

    RunStarted → MemoryRecalled → Token… → MessageCompleted → MemoryScheduled → RunFinished
                                                                              | RunFailed

`RunStarted` means that what the user said is safe. Whatever happens, the last one is `RunFinished` or `RunFailed`.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from agent.errors import AgentError
from agent.types import Hit, MessageId, RunId, ThreadId


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


Event = RunStarted | MemoryRecalled | Token | MessageCompleted | MemoryScheduled | RunFinished | RunFailed
