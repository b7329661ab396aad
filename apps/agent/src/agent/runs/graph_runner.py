"""The answerer: has the graph answer, and few begin at a time."""

from contextlib import nullcontext
from itertools import dropwhile, takewhile

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langsmith import tracing_context

from agent.background import yield_to_loop
from agent.chat.repair import ResilientGraph
from agent.conversations.checkpoints import checkpoint_key
from agent.runs.admission_limiter import AdmissionLimiter
from agent.runs.run_state import RunState
from agent.runs.turns import Turn

# What comes before a model is asked is most of the work of a turn. All at once, fifty would keep each other from their
# first word until the last is ready, and those who speak already from every word.
MAX_STARTING_RUNS = 2
MAX_START_SECONDS = 0.1


class GraphRunner:
    """Runs the graph.

    Args:
        graph: the compiled chat graph, with a store and a checkpointer.
    """

    def __init__(self, graph: ResilientGraph) -> None:
        self._graph = graph
        self._limiter = AdmissionLimiter(MAX_STARTING_RUNS, MAX_START_SECONDS)

    async def run(self, state: RunState) -> None:
        """Have the graph answer, and pass on what it says."""
        # With its inputs hidden a trace would still tell of tokens and errors. So there is none.
        with tracing_context(enabled=False) if state.turn.message.temporary else nullcontext():
            if state.started.is_retry:
                await self._rewind(state.turn)
            stream = self._graph.astream(
                state.graph_input(),
                state.config(),
                stream_mode="custom",
                durability="exit",  # one checkpoint a turn; the transcript and the inbox vouch for what was said
            )
            async with self._limiter.admit():
                async for payload in stream:
                    state.on_node(payload)
                    if state.recalled:
                        break
            await yield_to_loop()  # nothing shall hold up the model's request
            state.publish_recall()
            async for payload in stream:
                state.on_node(payload)

    async def _rewind(self, turn: Turn) -> None:
        """Take an earlier try at a message out of the thread's state, or the message would not be its last."""
        graph = self._graph.graph
        # Without the run's id: LangGraph would take the run for one that goes on from here, and ignore its message.
        config: RunnableConfig = {"configurable": {"thread_id": checkpoint_key(turn.user, turn.thread)}}
        messages: list[AnyMessage] = (await graph.aget_state(config)).values.get("messages", [])
        tried = dropwhile(lambda message: message.id != turn.message.id, messages)
        if first := next(tried, None):
            answered = takewhile(lambda message: not isinstance(message, HumanMessage), tried)
            removed = [RemoveMessage(message.id or "") for message in (first, *answered)]
            await graph.aupdate_state(config, {"messages": removed}, as_node="remember")
