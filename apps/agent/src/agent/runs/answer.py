"""One answer while it is given: what the graph says of it, turned into events."""

import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from agent.chat.nodes import ANSWER
from agent.conversations.checkpoints import checkpoint_key
from agent.events import Event, MemoryRecalled, RunStarted, Token, ToolFinished, ToolStarted
from agent.runs.event_log import Telling
from agent.runs.token_callback import Ear
from agent.runs.turns import Begun, Reply, Turn
from agent.text import storable, storable_json
from agent.types import Hit, MessageId, Status


@dataclass(slots=True)
class Answer:
    """How far a run has come; the only state of a run."""

    turn: Turn
    begun: Begun
    telling: Telling
    began: float = field(default_factory=time.perf_counter)
    noted: bool | None = None
    """Whether the message has reached the inbox; None until that is known."""
    recalled: MemoryRecalled | None = None
    has_told_recalled: bool = False
    usage: dict[str, int] = field(default_factory=dict)
    step: int | None = None
    """In which step of the graph the model spoke last."""

    def reply(self, status: Status) -> Reply | None:
        """Return what the assistant has said so far, None for nothing."""
        hits: tuple[Hit, ...] = self.recalled.hits if self.recalled else ()
        text = self.telling.text
        return Reply(MessageId(str(uuid.uuid4())), text, hits, self.usage, status) if text else None

    def given(self) -> dict[str, Any]:
        """Return what the graph is given: the message, after those that the thread's checkpoint does not have."""
        said = self.turn.said
        unseen: list[AnyMessage] = [
            HumanMessage(one.text, id=one.id) if one.role == "user" else AIMessage(one.text, id=one.id)
            for one in self.begun.unseen
        ]
        return {"messages": [*unseen, HumanMessage(said.text, id=said.id)]}

    def config(self) -> RunnableConfig:
        """Return what the graph is told of the turn, and its trace: opaque ids, whatever the client sent."""
        turn = self.turn
        return {
            "configurable": {
                "thread_id": checkpoint_key(turn.user, turn.thread),
                "user_id": turn.user,
                "run_id": turn.run,
                "model": turn.said.model,
                "web_search": turn.said.web_search,
                "memory": turn.said.memory,
            },
            "metadata": {"user_id": turn.user, "thread_id": turn.thread},
            "run_id": uuid.UUID(turn.run),
            "run_name": "chat",
            "callbacks": [Ear(ANSWER, self.hear_model)],
        }

    def hear_node(self, payload: dict[str, Any]) -> None:
        """Tell what a node says of memory and tools; what was recalled waits for `tell_recalled`."""
        if "noted" in payload:
            self.noted = payload["noted"]
            self._tell(RunStarted(self.turn.run, self.turn.thread, self.turn.said.id))
            self.tell_recalled()
        if "recalled" in payload:
            recalled = payload["recalled"]
            self.recalled = MemoryRecalled(
                hits=recalled.hits,
                tip_chars=payload["tip_chars"],
                degraded=recalled.degraded,
                elapsed_ms=(time.perf_counter() - self.began) * 1000,
            )
        if call := storable_json(payload.get("tool_started")):
            self._tell(ToolStarted(call["id"], call["name"], call["input"]))
        if call := storable_json(payload.get("tool_finished")):
            self._tell(ToolFinished(call["id"], call["name"], call["output"], call["status"], call["elapsed_ms"]))

    def tell_recalled(self) -> None:
        """Tell what was recalled, once: after it is known whether the message is safe, and before the first token."""
        if self.recalled and self.noted is not None and not self.has_told_recalled:
            self.has_told_recalled = True
            self._tell(self.recalled)

    def hear_model(self, message: BaseMessage, step: int) -> None:
        """Tell what the model says in a step of the graph."""
        if not isinstance(message, AIMessage):
            return
        if message.usage_metadata:
            self.usage = {
                "input_tokens": message.usage_metadata["input_tokens"],
                "output_tokens": message.usage_metadata["output_tokens"],
            }
        if text := storable(message.text):
            if self.step not in {None, step}:
                text = f"\n\n{text}"  # what it said before it used tools was a message of its own
            self.step = step
            self.tell_recalled()
            self._tell(Token(text))

    def _tell(self, event: Event) -> None:
        self.telling.tell(event)
