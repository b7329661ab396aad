"""Repair of threads whose last run was interrupted.

Providers reject a tool call without its result and a result without its call; `repair_messages` fixes both. If a
thread still cannot be used, its state is reset, and a system message informs the model.
"""

import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import psycopg
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from agent.errors import AgentError

logger = logging.getLogger(__name__)

STUB_RESULT = "There is no result: the tool was interrupted, or could not be called like this."
RESET_MESSAGE = (
    "What was said earlier in this conversation cannot be read by you any more; the user still sees it. "
    "Answer what they say now, and ask for what you are missing."
)


def repair_messages(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Make every tool call be followed by its results, and remove all other results.

    Missing results are replaced by stubs. Messages that need no repair are returned as the same objects.
    """
    repaired: list[AnyMessage] = []
    for n, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue
        repaired.append(message)
        if isinstance(message, AIMessage):
            followers = takewhile(lambda follower: isinstance(follower, ToolMessage), messages[n + 1 :])
            repaired += _results(message, followers)
    return repaired


def stub_result(call_id: str, name: str) -> ToolMessage:
    """The result of a tool call that has none."""
    return ToolMessage(STUB_RESULT, tool_call_id=call_id, name=name, status="error")


def _results(message: AIMessage, followers: Iterable[AnyMessage]) -> list[ToolMessage]:
    """One result for each call, also for calls that could not be parsed: providers require both."""
    available = [result for result in followers if isinstance(result, ToolMessage)]
    results = []
    for call in [*message.tool_calls, *message.invalid_tool_calls]:
        match = next((result for result in available if result.tool_call_id == call["id"]), None)
        if match is not None:
            available.remove(match)
        results.append(match or stub_result(call["id"] or "", call["name"] or ""))
    return results


@dataclass(frozen=True, slots=True)
class ResilientGraph:
    """A compiled graph that resets the state of a thread with which it cannot run."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    checkpoints: BaseCheckpointSaver[str]

    async def astream(
        self,
        graph_input: dict[str, Any],
        config: RunnableConfig,
        **options: Any,  # noqa: ANN401 - the graph's own
    ) -> AsyncIterator[Any]:
        """Run the graph; if it fails before its first output, reset the thread and run it once more."""
        has_output = False
        try:
            async for part in self.graph.astream(graph_input, config, **options):
                has_output = True
                yield part
        except (AgentError, psycopg.Error):
            raise
        except Exception as error:
            if has_output:
                raise
            logger.warning("the state of a thread is unusable; resetting it", exc_info=error)
        else:
            return
        await self._reset(config)
        async for part in self.graph.astream(graph_input, config, **options):
            yield part

    async def _reset(self, config: RunnableConfig) -> None:
        thread = config["configurable"]["thread_id"]
        await self.checkpoints.adelete_thread(thread)
        # Not the run's own config: LangGraph resumes a run whose id is in the state.
        reset_config: RunnableConfig = {"configurable": {"thread_id": thread}}
        await self.graph.aupdate_state(reset_config, {"messages": [SystemMessage(RESET_MESSAGE)]}, as_node="remember")
