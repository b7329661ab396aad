"""One call of the chat model: its prompt, its tools, and a retry if the model rejects the thread."""

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, RemoveMessage, SystemMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import StreamWriter

from agent.chat.client_history import only_client_calls
from agent.chat.compression import SUMMARY_HEADER
from agent.chat.notes import Note, format_notes
from agent.chat.repair import RESET_MESSAGE, repair_messages
from agent.chat.run_config import completion
from agent.chat.state import current_turn
from agent.chat.toolbox import Toolbox, calls_tools
from agent.chat.trim import TokenCounter, split_system, token_counter, trim
from agent.chat.web_search import WEB_SEARCH, provider_searches
from agent.completions import CompletionRequest
from agent.models.failures import ModelServerError, describe
from agent.models.offline_statements import NEAREST
from agent.models.tokens import count_tokens
from agent.models.tool_binding import NO_OPTIONS, AnyTool, CallOptions, ToolBindings
from agent.settings import OFFLINE

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PromptContext:
    """The parts of a prompt besides the messages."""

    standing: str = ""
    """The standing part of the tip."""
    base_prompt: str = ""
    recalled: str = ""
    """The recalled part of the tip."""
    summary: str = ""
    notes: Sequence[Note] = ()
    dropped_turns: int = 0
    """How many of the user's messages have left the window."""
    nearest: Sequence[str] = ()
    """The memories that are most similar to the message, for the offline model."""


@dataclass(frozen=True, slots=True)
class ReplyGenerator:
    """Call the model with the newest messages of a thread, within the budget."""

    models: ToolBindings
    tools: Toolbox
    max_tokens: int

    def max_prompt_tokens(self, name: str, tools: Sequence[AnyTool]) -> int:
        """The budget of a prompt, without the schemas of the tools."""
        return self.max_tokens - self.models.bind(name, tools).schema_tokens

    async def reply(
        self,
        name: str,
        messages: Sequence[AnyMessage],
        context: PromptContext,
        config: RunnableConfig,
        writer: StreamWriter,
    ) -> list[BaseMessage]:
        """Generate the next message of a thread; return it, preceded by the repaired thread if necessary."""
        repaired = repair_messages(messages)
        is_intact = list(map(id, repaired)) == list(map(id, messages))
        update: list[BaseMessage] = [] if is_intact else [RemoveMessage(REMOVE_ALL_MESSAGES), *repaired]
        tools = self.tools.available(config, repaired)
        request = completion(config)
        options = _call_options(request) if request else NO_OPTIONS
        max_tokens, count = self.max_prompt_tokens(name, tools), token_counter(name)
        max_tokens -= count_tokens(json.dumps(options.tools), model=name) if options.tools else 0
        if any(isinstance(tool, dict) for tool in tools):
            config = merge_configs(config, {"callbacks": [_ProviderSearchCallback(writer)]})
        try:
            prompt = build_prompt(repaired, context, max_tokens, count)
            if name == OFFLINE and context.nearest:
                prompt = [SystemMessage("\n".join([NEAREST, *context.nearest])), *prompt]
            answer = await self.models.invoke(name, tools, prompt, config, options)
        except ModelServerError as error:
            turn = current_turn(repaired)
            if error.status_code != HTTPStatus.BAD_REQUEST or len(turn) == len(repaired):
                raise
            logger.warning("the model rejected the thread; retrying with the current turn only (%s)", describe(error))
            repaired = [SystemMessage(RESET_MESSAGE), *turn]
            prompt = build_prompt(repaired, context, max_tokens, count)
            answer = await self.models.invoke(name, tools, prompt, config, options)
            # A prompt that is too long for the model does not mean that the thread is damaged.
            update = [] if isinstance(error, ContextOverflowError) else [RemoveMessage(REMOVE_ALL_MESSAGES), *repaired]
        if tools:
            return [*update, answer]
        return [*update, only_client_calls(answer, request) if request else _without_calls(answer)]


def build_prompt(
    messages: Sequence[AnyMessage], context: PromptContext, max_tokens: int, count: TokenCounter
) -> list[AnyMessage]:
    """Build a prompt: a system message, then as many messages as fit.

    The system message contains what changes least first, so that the model server's prefix cache applies: the standing
    part of the tip, the base prompt, the summary, and the notes of the turns that the prompt does not contain. The
    recalled part of the tip is a system message before the newest message of the user.
    """
    recalled = [SystemMessage(context.recalled)] if context.recalled else []
    max_tokens -= count(recalled)
    summary = f"{SUMMARY_HEADER}\n{context.summary}" if context.summary else ""
    system = [context.standing, context.base_prompt, summary]
    window = _fit(messages, system, max_tokens, count)
    if until_turn := context.notes and _last_incomplete_turn(messages, window, context.dropped_turns):
        window = _fit(messages, [*system, format_notes(context.notes, until_turn=until_turn)], max_tokens, count)
    newest = max((n for n, message in enumerate(window) if isinstance(message, HumanMessage)), default=len(window))
    return [*window[:newest], *recalled, *window[newest:]]


def _fit(
    messages: Sequence[AnyMessage], system: Sequence[str], max_tokens: int, count: TokenCounter
) -> list[AnyMessage]:
    own_system, dialogue = split_system(messages)
    head = "\n\n".join(filter(None, [*system, *(message.text for message in own_system)]))
    return trim([SystemMessage(head), *dialogue] if head else dialogue, max_tokens=max_tokens, count=count)


def _last_incomplete_turn(messages: Sequence[AnyMessage], window: Sequence[AnyMessage], dropped_turns: int) -> int:
    """The number of the last turn that is not completely in the window, from 1; 0 if all are."""
    in_window = {message.id for message in window}
    turn = incomplete = dropped_turns
    for message in messages:
        turn += isinstance(message, HumanMessage)
        if message.id not in in_window and not isinstance(message, SystemMessage):
            incomplete = turn
    return incomplete


def _without_calls(answer: AIMessage) -> AIMessage:
    if not calls_tools(answer):
        return answer
    return answer.model_copy(update={"tool_calls": [], "invalid_tool_calls": [], "additional_kwargs": {}})


def _call_options(request: CompletionRequest) -> CallOptions:
    if not request.tools or request.tool_choice == "none":
        return CallOptions(request.call_kwargs, max_tokens=request.max_tokens)
    kwargs = dict(request.call_kwargs)
    if request.tool_choice in {"auto", "required"}:
        kwargs["tool_choice"] = request.tool_choice
    elif request.tool_choice:
        kwargs["tool_choice"] = {"type": "function", "function": {"name": request.tool_choice}}
    return CallOptions(kwargs, request.tools, request.max_tokens)


class _ProviderSearchCallback(BaseCallbackHandler):
    """Reports the searches that the provider executes; they arrive as chunks of the answer once they are done."""

    run_inline = True

    def __init__(self, writer: StreamWriter) -> None:
        self._writer = writer
        self._last = time.perf_counter()

    def on_llm_new_token(self, token: object, *, chunk: object = None, **kwargs: object) -> None:  # noqa: ARG002 - the interface's
        """Report the searches in a chunk."""
        started_at, self._last = self._last, time.perf_counter()
        for block in provider_searches(chunk.message) if isinstance(chunk, ChatGenerationChunk) else ():
            call = {"id": block.get("id", ""), "name": WEB_SEARCH}
            self._writer({"tool_started": {**call, "input": block.get("action") or {}}})
            result = {"output": "", "status": "ok", "elapsed_ms": round((self._last - started_at) * 1000, 2)}
            self._writer({"tool_finished": {**call, **result}})
