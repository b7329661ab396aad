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
from agent.runs.event_log import EventLog
from agent.runs.token_callback import TokenCallback
from agent.runs.turns import Reply, StartedTurn, Turn
from agent.text import replace_unstorable, replace_unstorable_json
from agent.types import Hit, MessageId, RunStatus


@dataclass(slots=True)
class RunState:
    """How far a run has come; the only state of a run."""

    turn: Turn
    started: StartedTurn
    events: EventLog
    started_at: float = field(default_factory=time.perf_counter)
    in_inbox: bool | None = None
    """Whether the message has reached the inbox; None until that is known."""
    recalled: MemoryRecalled | None = None
    recall_published: bool = False
    usage: dict[str, int] = field(default_factory=dict)
    step: int | None = None
    """In which step of the graph the model spoke last."""

    def reply(self, status: RunStatus) -> Reply | None:
        """Return what the assistant has said so far, None for nothing."""
        hits: tuple[Hit, ...] = self.recalled.hits if self.recalled else ()
        text = self.events.text
        return Reply(MessageId(str(uuid.uuid4())), text, hits, self.usage, status) if text else None

    def graph_input(self) -> dict[str, Any]:
        """Return what the graph is given: the message, after those that the thread's checkpoint does not have."""
        said = self.turn.message
        unseen: list[AnyMessage] = [
            HumanMessage(one.text, id=one.id) if one.role == "user" else AIMessage(one.text, id=one.id)
            for one in self.started.uncheckpointed
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
                "model": turn.message.model,
                "web_search": turn.message.web_search,
                "memory": turn.message.memory,
            },
            "metadata": {"user_id": turn.user, "thread_id": turn.thread},
            "run_id": uuid.UUID(turn.run),
            "run_name": "chat",
            "callbacks": [TokenCallback(ANSWER, self.on_model)],
        }

    def on_node(self, payload: dict[str, Any]) -> None:
        """Tell what a node says of memory and tools; what was recalled waits for `tell_recalled`."""
        if "noted" in payload:
            self.in_inbox = payload["noted"]
            self._publish(RunStarted(self.turn.run, self.turn.thread, self.turn.message.id))
            self.publish_recall()
        if "recalled" in payload:
            recalled = payload["recalled"]
            self.recalled = MemoryRecalled(
                hits=recalled.hits,
                tip_chars=payload["tip_chars"],
                degraded=recalled.degraded,
                elapsed_ms=(time.perf_counter() - self.started_at) * 1000,
            )
        if call := replace_unstorable_json(payload.get("tool_started")):
            self._publish(ToolStarted(call["id"], call["name"], call["input"]))
        if call := replace_unstorable_json(payload.get("tool_finished")):
            self._publish(ToolFinished(call["id"], call["name"], call["output"], call["status"], call["elapsed_ms"]))

    def publish_recall(self) -> None:
        """Tell what was recalled, once: after it is known whether the message is safe, and before the first token."""
        if self.recalled and self.in_inbox is not None and not self.recall_published:
            self.recall_published = True
            self._publish(self.recalled)

    def on_model(self, message: BaseMessage, step: int) -> None:
        """Tell what the model says in a step of the graph."""
        if not isinstance(message, AIMessage):
            return
        if message.usage_metadata:
            self.usage = {
                "input_tokens": message.usage_metadata["input_tokens"],
                "output_tokens": message.usage_metadata["output_tokens"],
            }
        if text := replace_unstorable(message.text):
            if self.step not in {None, step}:
                text = f"\n\n{text}"  # what it said before it used tools was a message of its own
            self.step = step
            self.publish_recall()
            self._publish(Token(text))

    def _publish(self, event: Event) -> None:
        self.events.publish(event)
