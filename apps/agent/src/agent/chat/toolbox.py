"""The tools of a turn: which are available, and how their calls are executed, limited and reported."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest, ToolInvocationError
from langgraph.types import Command

from agent.chat.memory_control import Accounts
from agent.chat.memory_tools import REMEMBER, memory_tools
from agent.chat.repair import stub_result
from agent.chat.run_config import completion, memory_enabled, saves_messages
from agent.chat.state import current_turn
from agent.chat.web_search import WebSearch
from agent.errors import AgentError
from agent.memory.editing.library import Library, MessageWithholder, PurgeScheduler
from agent.models.tool_binding import AnyTool
from agent.types import ToolOutcome

logger = logging.getLogger(__name__)

MAX_ROUNDS = 8
TOOL_SECONDS = 20.0
RESULT_CHARS = 8_000
ERROR_CHARS = 500

Execute = Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]


class Toolbox:
    """All tools; `seconds` limits the time of each call."""

    def __init__(
        self,
        web: WebSearch,
        transcript: MessageWithholder | None,
        purges: PurgeScheduler | None = None,
        accounts: Accounts | None = None,
        *,
        seconds: float = TOOL_SECONDS,
    ) -> None:
        self._seconds = seconds
        self.accounts = accounts
        self.library = partial(Library, transcript=transcript, purges=purges)
        self._memory = memory_tools(self.library)
        self._web = [web.tool] if web.tool is not None else []
        local = [candidate for candidate in (*self._memory, *self._web) if isinstance(candidate, BaseTool)]
        self._node = ToolNode(local, handle_tool_errors=_format_error, awrap_tool_call=self._run)

    def available(self, config: RunnableConfig, messages: Sequence[AnyMessage]) -> tuple[AnyTool, ...]:
        """The tools that the model may call next; none after `MAX_ROUNDS` rounds in a turn."""
        if sum(map(calls_tools, current_turn(messages))) >= MAX_ROUNDS:
            return ()
        web_enabled = bool(config["configurable"].get("web_search"))
        memory = [one for one in self._memory if saves_messages(config) or one.name != REMEMBER]
        tools = (*(memory if memory_enabled(config) else ()), *(self._web if web_enabled else ()))
        if request := completion(config):
            taken = request.tool_names
            return () if request.requires_tool else tuple(tool for tool in tools if _name(tool) not in taken)
        return tools

    async def use(self, messages: Sequence[AnyMessage], config: RunnableConfig, *, done: str = "") -> list[ToolMessage]:
        """Execute the tool calls of the last message; one result per call, those that could not be parsed last.

        `done` is what was done for the message before the reply; the memory tools do not do it again.
        """
        update = await self._node.ainvoke({"messages": list(messages), "done": done}, config)
        results: list[ToolMessage] = update["messages"]
        invalid = messages[-1].invalid_tool_calls if isinstance(messages[-1], AIMessage) else []
        return [*results, *(stub_result(call["id"] or "", call["name"] or "") for call in invalid)]

    async def _run(self, request: ToolCallRequest, execute: Execute) -> ToolMessage:
        call, writer = request.tool_call, request.runtime.stream_writer
        writer({"tool_started": {"id": call["id"], "name": call["name"], "input": call["args"]}})
        started_at = time.perf_counter()
        message, status = await self._result(request, execute)
        output = {"id": call["id"], "name": call["name"], "output": message.text, "status": status}
        elapsed_ms = round((time.perf_counter() - started_at) * 1000, 2)
        writer({"tool_finished": {**output, "elapsed_ms": elapsed_ms}, "sources": message.artifact})
        return message.model_copy(update={"artifact": None})  # not for the checkpoint

    async def _result(self, request: ToolCallRequest, execute: Execute) -> tuple[ToolMessage, ToolOutcome]:
        available = self.available(request.runtime.config, ())
        names = {candidate.name for candidate in available if isinstance(candidate, BaseTool)}
        if request.tool_call["name"] not in names:
            return _failed(request, "No such tool."), "failed"
        try:
            async with asyncio.timeout(self._seconds):
                result = await execute(request)
        except TimeoutError:
            return _failed(request, f"No answer within {self._seconds:g} seconds."), "timed_out"
        if not isinstance(result, ToolMessage):
            return _failed(request, "The tool gave no result."), "failed"
        truncated = result.model_copy(update={"content": truncate(result.text)})
        return truncated, "ok" if result.status == "success" else "failed"


def _name(tool: AnyTool) -> str:
    return tool.name if isinstance(tool, BaseTool) else str(tool["type"])


def calls_tools(message: AnyMessage) -> bool:
    """Check whether a message contains tool calls, valid or not."""
    return isinstance(message, AIMessage) and bool(message.tool_calls or message.invalid_tool_calls)


def truncate(text: str) -> str:
    """Limit a result to `RESULT_CHARS`; the end of a truncated text states how much is missing."""
    if len(text) <= RESULT_CHARS:
        return text
    return f"{text[:RESULT_CHARS]}\n[… cut here: {len(text) - RESULT_CHARS} characters more]"


def _failed(request: ToolCallRequest, why: str) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(why, tool_call_id=call["id"] or "", name=call["name"], status="error")


def _format_error(error: Exception) -> str:
    """Describe an error to the model, without the text of third-party errors."""
    if isinstance(error, AgentError | ToolException):
        return f"Not done: {error}"
    if isinstance(error, ToolInvocationError):
        return f"Not done: {error.message}"[:ERROR_CHARS]
    logger.warning("a tool failed", exc_info=error)
    return "Not done: the tool failed."
