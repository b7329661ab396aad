"""The toolbox: which tools a turn may use, and how they are run: told as events, in time, and kept short."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest, ToolInvocationError
from langgraph.types import Command

from agent.chat.memory_tools import memory_tools
from agent.chat.repair import stub_result
from agent.chat.run_config import memory_enabled
from agent.chat.web_search import WebSearch
from agent.errors import AgentError
from agent.memory.editing.library import InboxMarker
from agent.types import ToolOutcome

logger = logging.getLogger(__name__)

MAX_ROUNDS = 8
TOOL_SECONDS = 20.0
RESULT_CHARS = 8_000
ERROR_CHARS = 500

Execute = Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
AnyTool = BaseTool | dict[str, Any]
"""One of ours, or one that the model's provider runs."""


class Toolbox:
    """Every tool there is.

    Args:
        web: what searches the web, if anything does.
        transcript: what must not teach again what a tool forgets.
        seconds: how long a call may take.
    """

    def __init__(self, web: WebSearch, transcript: InboxMarker | None, *, seconds: float = TOOL_SECONDS) -> None:
        self._seconds = seconds
        self._memory = memory_tools(transcript)
        self._web = [web.tool] if web.tool is not None else []
        ours = [one for one in (*self._memory, *self._web) if isinstance(one, BaseTool)]
        self._node = ToolNode(ours, handle_tool_errors=_format_error, awrap_tool_call=self._run)

    def available(self, config: RunnableConfig, messages: Sequence[AnyMessage]) -> tuple[AnyTool, ...]:
        """Return the tools that a model may call next; none when it has called them often enough."""
        if tool_rounds(messages) >= MAX_ROUNDS:
            return ()
        searches = bool(config["configurable"].get("web_search"))
        return (*(self._memory if memory_enabled(config) else ()), *(self._web if searches else ()))

    async def use(self, messages: Sequence[AnyMessage], config: RunnableConfig) -> list[ToolMessage]:
        """Run what the last message calls, all at once, and return the results in that order."""
        done = await self._node.ainvoke({"messages": list(messages)}, config)
        results: list[ToolMessage] = done["messages"]
        unreadable = messages[-1].invalid_tool_calls if isinstance(messages[-1], AIMessage) else []
        return [*results, *(stub_result(call["id"] or "", call["name"] or "") for call in unreadable)]

    async def _run(self, request: ToolCallRequest, execute: Execute) -> ToolMessage:
        """Run one call, and tell when it begins and ends."""
        call, writer = request.tool_call, request.runtime.stream_writer
        writer({"tool_started": {"id": call["id"], "name": call["name"], "input": call["args"]}})
        began = time.perf_counter()
        message, status = await self._result(request, execute)
        output = {"id": call["id"], "name": call["name"], "output": message.text, "status": status}
        writer({"tool_finished": {**output, "elapsed_ms": round((time.perf_counter() - began) * 1000, 2)}})
        return message

    async def _result(self, request: ToolCallRequest, execute: Execute) -> tuple[ToolMessage, ToolOutcome]:
        call = request.tool_call
        offered = {one.name for one in self.available(request.runtime.config, ()) if isinstance(one, BaseTool)}
        if call["name"] not in offered:
            return _failed(request, "There is no such tool here."), "failed"
        try:
            async with asyncio.timeout(self._seconds):
                result = await execute(request)
        except TimeoutError:
            return _failed(request, f"No answer within {self._seconds:g} seconds."), "timed_out"
        if not isinstance(result, ToolMessage):
            return _failed(request, "The tool gave no result."), "failed"
        told = result.model_copy(update={"content": truncate(result.text)})
        return told, "ok" if result.status == "success" else "failed"


def tool_rounds(messages: Sequence[AnyMessage]) -> int:
    """Return how often tools were called since the user spoke last."""
    called = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        called += isinstance(message, AIMessage) and calls_tools(message)
    return called


def calls_tools(message: AnyMessage) -> bool:
    """Tell whether a message waits for results."""
    return isinstance(message, AIMessage) and bool(message.tool_calls or message.invalid_tool_calls)


def truncate(text: str) -> str:
    """Return a text that is not too long for the model, and says how much of it is missing."""
    if len(text) <= RESULT_CHARS:
        return text
    return f"{text[:RESULT_CHARS]}\n[… cut here: {len(text) - RESULT_CHARS} characters more]"


def _failed(request: ToolCallRequest, why: str) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(why, tool_call_id=call["id"] or "", name=call["name"], status="error")


def _format_error(error: Exception) -> str:
    """Say to the model what went wrong, in words of ours."""
    if isinstance(error, AgentError | ToolException):
        return f"Not done: {error}"
    if isinstance(error, ToolInvocationError):
        return f"Not done: {error.message}"[:ERROR_CHARS]
    logger.warning("a tool failed", exc_info=error)
    return "Not done: the tool failed."
