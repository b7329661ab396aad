"""Execution of the chat graph for a run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, nullcontext
from itertools import dropwhile, takewhile
from typing import Any, Protocol

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langsmith import tracing_context

from agent.background import yield_to_loop
from agent.chat.repair import ResilientGraph
from agent.conversations.checkpoints import checkpoint_key
from agent.deadlines import WaitingTimer
from agent.models.stream_start import on_stream_start
from agent.runs.run_state import RunState
from agent.runs.turns import Turn

StatelessGraph = CompiledStateGraph[Any, Any, Any, Any]

# Most of a turn's CPU work precedes the model request. If fifty runs started together, each would get its first token
# only after all of them were prepared, and the tokens of other runs would be delayed.
MAX_STARTING_RUNS = 2
MAX_START_SECONDS = 0.1


class AdmissionLimiter:
    """Limit concurrent entries; an entry stops counting after `max_seconds` in which the event loop waited.

    The limit spreads CPU work on the event loop. A task that waits for slow I/O uses no CPU, so it must not keep
    others out.
    """

    def __init__(self, limit: int, max_seconds: float) -> None:
        self._slots = asyncio.Semaphore(limit)
        self._max_seconds = max_seconds

    @asynccontextmanager
    async def admit(self) -> AsyncIterator[None]:
        """Hold a slot during the block, at most for `max_seconds`."""
        await self._slots.acquire()
        with ExitStack() as slot:  # closed by the timer or at the end of the block, whichever comes first
            slot.callback(self._slots.release)
            timer = WaitingTimer(self._max_seconds, slot.close)
            slot.callback(timer.cancel)
            yield


class Runner(Protocol):
    """Runs the chat graph."""

    in_process: bool
    """Whether the graph shares this process, so that it uses its embeddings and can wait at a commit gate."""

    async def run(self, state: RunState) -> None:
        """Run the graph to the end of the turn, and pass its output to the state."""


class GraphRunner:
    """Run the graph, compiled with a store and a checkpointer, and pass its output to the run's state.

    In completions, it runs without a checkpointer.
    """

    in_process = True

    def __init__(self, graph: ResilientGraph, stateless_graph: StatelessGraph) -> None:
        self._graph = graph
        self._stateless_graph = stateless_graph
        self._limiter = AdmissionLimiter(MAX_STARTING_RUNS, MAX_START_SECONDS)

    async def run(self, state: RunState) -> None:
        """Run the graph to the end of the turn."""
        on_stream_start(state.on_stream_start)
        # Even with hidden inputs, a trace would contain tokens and error texts.
        with tracing_context(enabled=False) if state.turn.message.temporary else nullcontext():
            stream = self._stream(state, stream_mode="custom")
            async with self._limiter.admit():
                async for payload in stream:
                    state.on_node(payload)
                    if state.recalled:
                        break
            await yield_to_loop()  # send the model request first
            state.publish_recall()
            async for payload in stream:
                state.on_node(payload)

    async def _stream(self, state: RunState, **options: Any) -> AsyncIterator[dict[str, Any]]:  # noqa: ANN401 - the graph's own
        if state.turn.completion:
            stream = self._stateless_graph.astream(state.graph_input(), state.config(), **options)
        else:
            if state.started.is_retry:
                await self._rewind(state.turn)
            # One checkpoint per turn; the transcript and the inbox already have the message.
            stream = self._graph.astream(state.graph_input(), state.config(), durability="exit", **options)
        async for payload in stream:
            yield payload

    async def _rewind(self, turn: Turn) -> None:
        """Remove an earlier attempt at the message from the thread's state, so that the message is its last one."""
        graph = self._graph.graph
        # Without the run id: LangGraph would resume the run and ignore its message.
        config: RunnableConfig = {"configurable": {"thread_id": checkpoint_key(turn.user, turn.thread)}}
        messages: list[AnyMessage] = (await graph.aget_state(config)).values.get("messages", [])
        attempt = dropwhile(lambda message: message.id != turn.message.id, messages)
        if first := next(attempt, None):
            replies = takewhile(lambda message: not isinstance(message, HumanMessage), attempt)
            removed = [RemoveMessage(message.id or "") for message in (first, *replies)]
            await graph.aupdate_state(config, {"messages": removed}, as_node="remember")
