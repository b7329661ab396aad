"""The state of one run: turns the output of the graph into events."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from agent.chat.client_history import client_history
from agent.chat.nodes import ANSWER
from agent.chat.web_search import cited_sources
from agent.completions import ToolCall
from agent.conversations.checkpoints import checkpoint_key
from agent.conversations.commit_gate import CommitGate
from agent.events import (
    AnswerStarted,
    MemoryRecalled,
    MessageCompleted,
    RunStarted,
    Token,
    ToolCallsRequested,
    ToolFinished,
    ToolStarted,
)
from agent.models.answer_metadata import finish_reason
from agent.runs.event_log import EventLog
from agent.runs.stored_reply import Reply
from agent.runs.token_callback import TokenCallback
from agent.runs.turns import StartedTurn, Turn
from agent.settings import CHARS_PER_TOKEN
from agent.text import replace_unstorable, replace_unstorable_json
from agent.types import FinishReason, RunStatus, WebSource, reply_id

MAX_SOURCES = 12
"""Sources that are stored with an answer."""


@dataclass(slots=True)
class RunState:
    """The progress of a run; its only mutable state."""

    turn: Turn
    started: StartedTurn
    events: EventLog
    gate: CommitGate | None = None
    """Set if the graph starts before the turn is committed."""
    started_at: float = field(default_factory=time.perf_counter)
    in_inbox: bool | None = None
    """True if the message was added to the inbox; None until that is known."""
    recalled: MemoryRecalled | None = None
    recall_published: bool = False
    answer_started: bool = False
    """True once `AnswerStarted` was published."""
    held_tokens: list[str] = field(default_factory=list)
    """Tokens that arrived before the payloads of the nodes that precede them."""
    first_token_seconds: float | None = None
    """Time from the message to the first token."""
    usage: dict[str, int] = field(default_factory=dict)
    usage_by_step: dict[int, dict[str, int]] = field(default_factory=dict)
    """That of each call of the model, as far as its server reports it."""
    tool_calls: Sequence[ToolCall] = ()
    """The calls that the client is to execute."""
    finish_reason: FinishReason = "stop"
    """That of the latest call of the model."""
    sources: dict[str, WebSource] = field(default_factory=dict)
    """What web searches have found, by address."""
    model: str | None = None
    """The name of the model that answers; None until the graph has chosen it."""
    step: int | None = None
    """The graph step of the latest token."""

    def reply(self, status: RunStatus) -> Reply | None:
        """The assistant's message so far; None if it has no text, unless the model says why."""
        memories = self.recalled.memories if self.recalled else ()
        text = self.events.text
        if not text and self.finish_reason == "stop":
            return None
        return Reply(
            reply_id(self.turn.run),
            text,
            memories,
            self.usage,
            status,
            self.finish_reason,
            self.tokens,
            sources=tuple(self.sources.values())[:MAX_SOURCES],
            model=self.model,
        )

    @property
    def tokens(self) -> int:
        """The tokens of prompts and answers, or an estimate from the texts of the turn."""
        request = self.turn.completion
        chars = (request.chars if request else len(self.turn.message.text)) + len(self.events.text)
        return sum(sum(usage.values()) for usage in self.usage_by_step.values()) or chars // CHARS_PER_TOKEN

    def completed(self, reply: Reply | None) -> MessageCompleted | None:
        """The event for the end of the answer; None if there is none."""
        if reply is None and not self.tool_calls:
            return None
        usage = self._total_usage() if self.turn.completion else self.usage
        if reply is None:
            return MessageCompleted(reply_id(self.turn.run), "", usage)
        return MessageCompleted(reply.id, reply.text, usage, reply.finish_reason, reply.sources, reply.model)

    def _total_usage(self) -> dict[str, int]:
        return {
            name: sum(usage[name] for usage in self.usage_by_step.values())
            for name in ("input_tokens", "output_tokens")
        }

    def graph_input(self) -> dict[str, Any]:
        """The user's message, preceded by the messages that the thread's checkpoint lacks, or the client's messages."""
        message = self.turn.message
        if request := self.turn.completion:
            return {"messages": client_history(request, self.turn.ids)}
        message_types = {"user": HumanMessage, "assistant": AIMessage}
        earlier = [message_types[missing.role](missing.text, id=missing.id) for missing in self.started.uncheckpointed]
        return {"messages": [*earlier, HumanMessage(message.text, id=message.id)]}

    def config(self) -> RunnableConfig:
        """The run's config; user, thread and run ids are trusted values, never the client's."""
        turn = self.turn
        return {
            "configurable": {
                **self.configurable(),
                "thread_id": checkpoint_key(turn.user, turn.thread),
                "run_id": turn.run,
                "commit_gate": self.gate,
                "is_new_thread": self.started.is_new_thread,
                "completion": turn.completion,
            },
            "metadata": {"user_id": turn.user, "thread_id": turn.thread},
            "run_id": uuid.UUID(reply_id(turn.run)),  # of the trace, so that ratings of the answer find it
            "run_name": "chat",
            "callbacks": [TokenCallback(ANSWER, self.on_model)],
        }

    def configurable(self) -> dict[str, Any]:
        """The user and the options of the turn."""
        turn = self.turn
        return {
            "user_id": turn.user,
            "model": turn.message.model,
            "web_search": turn.message.web_search,
            "memory": turn.message.memory,
            "time_zone": turn.message.time_zone,
            "is_enqueued": self.started.is_enqueued,
        }

    def on_node(self, payload: dict[str, Any]) -> None:
        """Handle a custom payload of a node; the result of recall is published by `publish_recall`."""
        if "in_inbox" in payload:
            self.in_inbox = payload["in_inbox"]
            self.events.publish(RunStarted(self.turn.run, self.turn.thread, self.turn.message.id))
            self.publish_recall()
        if "recalled" in payload:
            tip = payload["recalled"]
            self.model = payload.get("model")
            self.recalled = MemoryRecalled(
                memories=tip.memories,
                omitted=tip.omitted,
                tip_chars=tip.chars,
                degraded=payload["degraded"],
                elapsed_ms=round((time.perf_counter() - self.started_at) * 1000, 2),
            )
        if call := replace_unstorable_json(payload.get("tool_started")):
            self.events.publish(ToolStarted(**call))
        if call := replace_unstorable_json(payload.get("tool_finished")):
            self.events.publish(ToolFinished(**call))
        self._add_sources(replace_unstorable_json(payload.get("sources")))
        if calls := payload.get("client_calls"):
            self.tool_calls = calls
            self.events.publish(ToolCallsRequested(calls))

    def publish_recall(self) -> None:
        """Publish `MemoryRecalled` once: after `RunStarted` and before the first token."""
        if self.recalled and self.in_inbox is not None and not self.recall_published:
            self.recall_published = True
            self.events.publish(self.recalled)
            self._publish_tokens()

    def on_stream_start(self) -> None:
        """Publish `AnswerStarted` once, if the client keeps the conversation."""
        if self.turn.completion and not self.answer_started:
            self.answer_started = True
            self.events.publish(AnswerStarted())

    def on_model(self, message: BaseMessage, step: int) -> None:
        """Handle a message, or a chunk of one, that the model produced in a step of the graph."""
        if not isinstance(message, AIMessage):
            return
        self._add_sources(cited_sources(message))
        self.finish_reason = finish_reason(message.response_metadata) or self.finish_reason
        if usage := message.usage_metadata:
            self.usage = {"input_tokens": usage["input_tokens"], "output_tokens": usage["output_tokens"]}
            self.usage_by_step[step] = self.usage
        if text := replace_unstorable(message.text):
            if self.step not in {None, step}:
                text = f"\n\n{text}"  # the text before a tool call was a separate message
            self.step = step
            self.held_tokens.append(text)
            self.publish_recall()
            self._publish_tokens()

    def _add_sources(self, sources: Sequence[WebSource] | None) -> None:
        for source in sources or ():
            self.sources.setdefault(source["url"], source)

    def _publish_tokens(self) -> None:
        """Publish the held tokens: the model can answer before the stream has delivered the payloads of the nodes."""
        if self.recall_published and self.held_tokens:
            if self.first_token_seconds is None:
                self.first_token_seconds = time.perf_counter() - self.turn.requested_at
            for text in self.held_tokens:
                self.events.publish(Token(text))
            self.held_tokens.clear()
