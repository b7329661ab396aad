"""One call of the model: what it gets to read, with which tools, and what is done when it refuses."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import openai
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
)
from langchain_core.outputs import ChatGenerationChunk, GenerationChunk
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import StreamWriter

from agent.chat.compression import SUMMARY_HEADER
from agent.chat.notes import Note, format_notes
from agent.chat.repair import RESET_MESSAGE, repair_messages
from agent.chat.toolbox import Toolbox, calls_tools
from agent.chat.trim import TokenCounter, token_counter, trim
from agent.chat.web_search import WEB_SEARCH, provider_searches
from agent.models.tool_binding import AnyTool, ToolBindings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What the model is told besides the messages: the tip, and what has become of messages that fell out."""

    tip: str = ""
    summary: str = ""
    notes: Sequence[Note] = ()
    dropped_turns: int = 0
    """How many of the user's messages are no longer among the thread's."""


@dataclass(frozen=True, slots=True)
class ReplyGenerator:
    """Has a model answer, with the newest of the thread before it and a budget kept."""

    models: ToolBindings
    tools: Toolbox
    max_tokens: int

    def max_prompt_tokens(self, name: str, tools: Sequence[AnyTool]) -> int:
        """Return how many tokens a prompt may have besides the tools."""
        return self.max_tokens - self.models.get(name, tools).tokens

    async def reply(
        self,
        name: str,
        messages: Sequence[AnyMessage],
        context: PromptContext,
        config: RunnableConfig,
        writer: StreamWriter,
    ) -> list[BaseMessage]:
        """Return what the model says, to be added to the thread; before it what mends the thread, where it has to be.

        Raises:
            openai.OpenAIError: the model did not answer.
        """
        whole = repair_messages(messages)
        tools = self.tools.available(config, whole)
        room, count = self.max_prompt_tokens(name, tools), token_counter(name)
        mended: list[BaseMessage] = [] if _same(whole, messages) else [RemoveMessage(REMOVE_ALL_MESSAGES), *whole]
        config = _telling_of_searches(config, tools, writer)
        try:
            answer = await self.models.ask(name, tools, build_prompt(whole, context, room, count), config)
        except openai.BadRequestError as error:
            turn = current_turn(whole)
            if len(turn) == len(whole):
                raise
            logger.warning("the model refuses the thread; it is asked without what was said earlier", exc_info=error)
            whole = [SystemMessage(RESET_MESSAGE), *turn]
            answer = await self.models.ask(name, tools, build_prompt(whole, context, room, count), config)
            # Too long for the model is no fault of the thread's.
            mended = [] if isinstance(error, ContextOverflowError) else [RemoveMessage(REMOVE_ALL_MESSAGES), *whole]
        return [*mended, answer if tools else _without_calls(answer)]


def build_prompt(messages: Sequence[AnyMessage], context: PromptContext, max_tokens: int, count: TokenCounter) -> list[AnyMessage]:
    """Return what the model reads: at most one system message, then as much of the thread as fits.

    Many servers take one system message only, and only as the first. The tip begins it, the notes are of what the
    model does not see.
    """
    system = [context.tip, f"{SUMMARY_HEADER}\n{context.summary}" if context.summary else ""]
    window = _fit(messages, system, max_tokens, count)
    if unseen := context.notes and _last_unseen_turn(messages, window, context.dropped_turns):
        window = _fit(messages, [*system, format_notes(context.notes, until_turn=unseen)], max_tokens, count)
    return window


def _fit(messages: Sequence[AnyMessage], system: Sequence[str], max_tokens: int, count: TokenCounter) -> list[AnyMessage]:
    texts = [*system, *(message.text for message in messages if isinstance(message, SystemMessage))]
    said = [message for message in messages if not isinstance(message, SystemMessage)]
    head = "\n\n".join(filter(None, texts))
    return trim([SystemMessage(head), *said] if head else said, max_tokens=max_tokens, count=count)


def _last_unseen_turn(messages: Sequence[AnyMessage], window: Sequence[AnyMessage], fallen: int) -> int:
    """Return the number of the last turn of which the window misses something, from 1; 0 if it misses nothing."""
    seen = {message.id for message in window}
    turn = unseen = fallen
    for message in messages:
        turn += isinstance(message, HumanMessage)
        if message.id not in seen and not isinstance(message, SystemMessage):
            unseen = turn
    return unseen


def current_turn(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return the turn that goes on: what the user said last, and what followed."""
    asked = max((n for n, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    return list(messages[asked:])


def _same(some: Sequence[AnyMessage], others: Sequence[AnyMessage]) -> bool:
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))


def _without_calls(answer: AIMessage) -> AIMessage:
    """Return an answer that calls nothing: nothing was offered to be called."""
    if not calls_tools(answer):
        return answer
    return answer.model_copy(update={"tool_calls": [], "invalid_tool_calls": [], "additional_kwargs": {}})


def _telling_of_searches(config: RunnableConfig, tools: Sequence[AnyTool], writer: StreamWriter) -> RunnableConfig:
    if any(isinstance(one, dict) for one in tools):
        return merge_configs(config, {"callbacks": [_ProviderSearchCallback(writer)]})
    return config


class _ProviderSearchCallback(BaseCallbackHandler):
    """Tells of the searches that the provider runs by itself, which come as pieces of the answer once they are done."""

    run_inline = True

    def __init__(self, writer: StreamWriter) -> None:
        self._writer = writer
        self._last = time.perf_counter()

    def on_llm_new_token(
        self,
        token: str | list[str | dict[str, Any]],  # noqa: ARG002 - the interface's
        *,
        chunk: GenerationChunk | ChatGenerationChunk | None = None,
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> None:
        """Tell of a search that is done."""
        now, began = time.perf_counter(), self._last
        self._last = now
        for block in provider_searches(chunk.message) if isinstance(chunk, ChatGenerationChunk) else ():
            call = {"id": block.get("id", ""), "name": WEB_SEARCH}
            self._writer({"tool_started": {**call, "input": block.get("action") or {}}})
            done = {"output": "", "status": "ok", "elapsed_ms": round((now - began) * 1000, 2)}
            self._writer({"tool_finished": {**call, **done}})
