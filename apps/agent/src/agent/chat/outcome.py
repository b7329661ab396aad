"""What was done for a message before the reply: the model is told, and the events are those of tool calls."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.chat.offers import Offered
from agent.models.offline import DONE
from agent.models.request_results import ENGLISH
from agent.prompt_text import neutralise


@dataclass(frozen=True, slots=True)
class Call:
    """What was done, in the form of a tool call."""

    name: str
    input: dict[str, Any]
    output: str
    status: str = "ok"

    def events(self, elapsed_ms: float) -> list[dict[str, Any]]:
        """The payloads of its start and its end."""
        call = {"id": str(uuid.uuid4()), "name": self.name}
        result = {"output": self.output, "status": self.status, "elapsed_ms": elapsed_ms}
        return [{"tool_started": {**call, "input": self.input}}, {"tool_finished": {**call, **result}}]


def restored_call(restored: Mapping[str, str]) -> Call:
    """The call of a request to undo, which has restored these texts, by the ids of their memories."""
    texts = "; ".join(dict.fromkeys(map(neutralise, restored.values())))
    return Call("undo", {"text": texts, "ids": list(restored)}, f"{ENGLISH.restored} {texts}")


def undone_calls(removed: Sequence[str], restored: Mapping[str, str]) -> list[Call]:
    """The calls of a request to undo a statement: what is no longer remembered, and what is again."""
    calls = []
    if removed:
        texts = "; ".join(map(neutralise, removed))
        calls.append(Call("undo", {"text": texts, "ids": []}, f"{ENGLISH.undone} {texts}"))
    return [*calls, *([restored_call(restored)] if restored else [])]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done for a message."""

    calls: tuple[Call, ...] = ()
    offered: tuple[Offered, ...] = ()
    elapsed_ms: float = 0.0
    has_failed: bool = False
    private: bool | None = None
    """Whether the thread is private from now on; None: as before."""

    @property
    def events(self) -> list[dict[str, Any]]:
        """The payloads of all calls."""
        return [event for call in self.calls for event in call.events(self.elapsed_ms)]

    @property
    def note(self) -> str:
        """What the model is told; empty if nothing was done."""
        return "\n".join([DONE, *dict.fromkeys(call.output for call in self.calls)]) if self.calls else ""
