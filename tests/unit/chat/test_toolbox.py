"""Execution of tools: time limit, truncation and reported events."""

import asyncio
import json
from types import MappingProxyType
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.types import StreamWriter

from agent.chat.reply import PromptContext, ReplyGenerator
from agent.chat.state import ChatState
from agent.chat.toolbox import RESULT_CHARS, Toolbox
from agent.chat.web_search import PROVIDER_TOOL, WebSearch
from agent.models.chat import ChatModels
from agent.models.tool_binding import ToolBindings
from support.scripted_openai import Citation, ScriptedOpenAI

CONFIG: RunnableConfig = {"configurable": {"user_id": "ada", "thread_id": "ada/one", "web_search": True}}


@tool("web_search")
async def hanging(query: str) -> str:
    """Never return."""
    await asyncio.Event().wait()
    return query


@tool("web_search")
async def verbose(query: str) -> str:
    """Return a result that is too long."""
    return query * RESULT_CHARS


async def _use(web: BaseTool, **call: Any) -> tuple[list[AnyMessage], list[dict[str, Any]]]:  # noqa: ANN401 - fields of a message
    """Run a turn with one call of a web search; return the results and the custom payloads."""
    toolbox = Toolbox(WebSearch(web), transcript=None, seconds=0.05)

    async def use(state: ChatState, config: RunnableConfig) -> dict[str, Any]:
        return {"messages": await toolbox.use(state["messages"], config)}

    graph = StateGraph(ChatState).add_node("tools", use).add_edge(START, "tools").add_edge("tools", END).compile()
    call_message = AIMessage(
        "", tool_calls=[{"name": "web_search", "args": {"query": "xy"}, "id": "1", "type": "tool_call"}]
    )
    payloads: list[dict[str, Any]] = []
    results: list[AnyMessage] = []
    async for mode, streamed in graph.astream(
        {"messages": [HumanMessage("Search."), call_message.model_copy(update=call)]},
        CONFIG,
        stream_mode=["custom", "values"],
    ):
        payload: Any = streamed
        if mode == "custom":
            payloads.append(payload)
        else:
            results = payload["messages"][2:]
    return results, payloads


async def test_a_hanging_tool_times_out() -> None:
    [result], [started, finished] = await _use(hanging)
    assert result.text == "No answer within 0.05 seconds."
    assert started == {"tool_started": {"id": "1", "name": "web_search", "input": {"query": "xy"}}}
    assert finished["tool_finished"]["status"] == "timed_out"
    assert finished["tool_finished"]["elapsed_ms"] >= 50


async def test_a_long_result_is_truncated_with_a_notice() -> None:
    [result], _ = await _use(verbose)
    assert len(result.text) < RESULT_CHARS + 100
    assert result.text.endswith(f"[… cut here: {RESULT_CHARS} characters more]")


async def test_an_invalid_call_gets_a_result() -> None:
    bad = {"name": "web_search", "args": "{", "id": "2", "error": None, "type": "invalid_tool_call"}
    results, _ = await _use(verbose, invalid_tool_calls=[bad])
    assert [result.tool_call_id for result in results] == ["1", "2"]  # type: ignore[union-attr] # all are results


async def test_a_search_by_the_provider_is_reported(model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "Bees buzz."
    model.script.citations = (Citation("https://bees.example/", "Bees"),)
    chat = ChatOpenAI(model="scripted", api_key="x", base_url=model.base_url, use_responses_api=True, streaming=True)
    models = ChatModels(MappingProxyType({"scripted": chat}), chat)
    replies = ReplyGenerator(ToolBindings(models), Toolbox(WebSearch(PROVIDER_TOOL), transcript=None), max_tokens=2_000)
    payloads: list[Any] = []
    writer: StreamWriter = payloads.append
    [answer] = await replies.reply("scripted", [HumanMessage("Search.", id="1")], PromptContext(), CONFIG, writer)
    assert answer.text == "Bees buzz."
    assert PROVIDER_TOOL in model.requests[0].body["tools"]
    [started, finished] = payloads
    assert started["tool_started"]["name"] == "web_search"
    assert started["tool_started"]["input"]["query"] == "Search."
    assert finished["tool_finished"]["status"] == "ok"
    assert json.dumps(payloads)
