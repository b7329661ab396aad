"""Repair: a thread that broke off in the middle of something goes on with the next message.

A tool's call without its result, or a result without its call, is what providers refuse: `repaired` mends it. Where
that is not enough, the thread begins anew, and the model is told so.
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
    """Return messages in which every call of a tool is followed by its results, and no result stands alone.

    A missing result is made up, and says so. What is whole comes back as it is.
    """
    whole: list[AnyMessage] = []
    for n, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue
        whole.append(message)
        if isinstance(message, AIMessage):
            behind = takewhile(lambda follower: isinstance(follower, ToolMessage), messages[n + 1 :])
            whole += _results(message, behind)
    return whole


def stub_result(call: str, name: str) -> ToolMessage:
    """Return what stands for the result of a call that has none."""
    return ToolMessage(STUB_RESULT, tool_call_id=call, name=name, status="error")


def _results(message: AIMessage, behind: Iterable[AnyMessage]) -> list[ToolMessage]:
    """Return a result for each call, also for those that could not be read: providers want both."""
    given = [result for result in behind if isinstance(result, ToolMessage)]
    results = []
    for call in [*message.tool_calls, *message.invalid_tool_calls]:
        found = next((result for result in given if result.tool_call_id == call["id"]), None)
        if found is not None:
            given.remove(found)
        results.append(found or stub_result(call["id"] or "", call["name"] or ""))
    return results


@dataclass(frozen=True, slots=True)
class ResilientGraph:
    """A compiled graph whose threads can always go on, whatever has become of their checkpoints."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    checkpoints: BaseCheckpointSaver[str]

    async def astream(
        self,
        graph_input: dict[str, Any],
        config: RunnableConfig,
        **options: Any,  # noqa: ANN401 - the graph's own
    ) -> AsyncIterator[Any]:
        """Run the graph; a thread whose state is of no use begins anew, and is run then."""
        begun = False
        try:
            async for part in self.graph.astream(graph_input, config, **options):
                begun = True
                yield part
        except (AgentError, psycopg.Error):
            raise
        except Exception as error:
            if begun:
                raise
            logger.warning("a thread's state cannot be used; it begins anew", exc_info=error)
        else:
            return
        await self._reset(config)
        async for part in self.graph.astream(graph_input, config, **options):
            yield part

    async def _reset(self, config: RunnableConfig) -> None:
        thread = config["configurable"]["thread_id"]
        await self.checkpoints.adelete_thread(thread)
        # Not the run's own config: LangGraph takes a run whose id the state already has for one to be resumed.
        anew: RunnableConfig = {"configurable": {"thread_id": thread}}
        await self.graph.aupdate_state(anew, {"messages": [SystemMessage(RESET_MESSAGE)]}, as_node="remember")
