"""Execution of the chat graph on the LangGraph server.

    custom      payloads of the nodes, as in this process
    messages    tokens of the model
    error       the run failed; the rest of the stream is empty

The last node forms memories, which the user does not wait for: the answer is complete with its payload `answered`.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing, suppress
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.schema import Config, RunCreateMetadata, StreamPart

from agent.background import Spawn
from agent.chat.memory_control import PAUSE, RESUME, Accounts
from agent.chat.nodes import ANSWER
from agent.completions import ToolCall
from agent.errors import AgentError, RunInterruptedError
from agent.memory.editing.library import PurgeScheduler
from agent.memory.recall.tip import Tip
from agent.remote.server import error_of_run, translated_server_errors
from agent.remote.threads import RemoteThreads
from agent.runs.run_state import RunState
from agent.settings import OFFLINE
from agent.types import UserId

logger = logging.getLogger(__name__)

GRAPH = "chat"
"""The graph's name in `langgraph.json`."""
OUTPUTS = frozenset({"custom", "messages"})
START_SECONDS = 60.0
"""Deadline for the first output; the server may have many runs to start."""


class RemoteRunner:
    """Runs the graph on the server, and passes its output to the run's state."""

    in_process = False

    def __init__(
        self, client: LangGraphClient, threads: RemoteThreads, purges: PurgeScheduler, accounts: Accounts, spawn: Spawn
    ) -> None:
        self._client = client
        self._threads = threads
        self._purges = purges
        self._accounts = accounts
        self._spawn = spawn
        self._forming: defaultdict[UserId, set[asyncio.Task[None]]] = defaultdict(set)

    async def run(self, state: RunState) -> None:
        """Run the graph until the answer is complete. If this is cancelled, so is the run.

        Raises:
            AgentServerUnavailableError: the server did not answer.
            RunInterruptedError: the server ended the run early.
            AgentError: the run failed.
        """
        run = _ServerRun(self._client, self._threads, state)
        try:
            with translated_server_errors():
                async with AsyncExitStack() as stack, asyncio.timeout(START_SECONDS) as deadline:
                    parts = await stack.enter_async_context(aclosing(run.stream()))
                    async for part in parts:
                        deadline.reschedule(None if part.event in OUTPUTS else deadline.when())
                        if part.event == "custom" and "answered" in part.data:
                            stack.pop_all()
                            self._follow_formation(state.turn.user, parts)
                            return
                        match _executed(part):
                            case "forget":
                                await self._purges.schedule_purge(state.turn.user)
                            case name if name in {PAUSE, RESUME}:
                                await self._accounts.update(state.turn.user, memory_enabled=name == RESUME)
                        _handle(part, state)
        except asyncio.CancelledError:
            self._spawn(run.cancel())
            raise
        raise RunInterruptedError("the agent server ended the answer early")

    async def wait_until_formed(self, user: UserId) -> None:
        """Wait until the server has formed memories from the answers of this process."""
        if tasks := self._forming.get(user):
            await asyncio.wait(list(tasks))

    def _follow_formation(self, user: UserId, parts: AsyncGenerator[StreamPart]) -> None:
        """Read a stream to its end: the server cancels a run whose client disconnects."""
        task = self._spawn(_read_to_end(parts))
        self._forming[user].add(task)
        task.add_done_callback(lambda done: self._finish(user, done))

    def _finish(self, user: UserId, task: asyncio.Task[None]) -> None:
        self._forming[user].discard(task)
        if not self._forming[user]:
            del self._forming[user]


class _ServerRun:
    """A run on the server; it has an id as soon as the server has accepted it."""

    def __init__(self, client: LangGraphClient, threads: RemoteThreads, state: RunState) -> None:
        self._client = client
        self._threads = threads
        self._state = state
        self._created: RunCreateMetadata | None = None

    async def stream(self) -> AsyncGenerator[StreamPart]:
        """Start the run, and yield its output."""
        options: dict[str, Any] = {
            "input": self._state.graph_input(),
            "config": Config(configurable=_configurable(self._state)),
            "metadata": {"user_id": self._state.turn.user, "source_run": self._state.turn.run},
            "stream_mode": ["messages-tuple", "custom"],
            "on_disconnect": "cancel",
            "on_run_created": self._set_created,
        }
        if self._state.turn.completion:
            async for part in self._client.runs.stream(None, GRAPH, **options):
                yield part
            return
        thread_id = await self._threads.open(self._state.turn.user, self._state.turn.thread)
        if self._state.started.is_retry:
            await self._threads.rewind(thread_id, self._state.turn.message.id)
        # The run before may still form memories; what it does not process, the end of this one does.
        async for part in self._client.runs.stream(thread_id, GRAPH, multitask_strategy="interrupt", **options):
            yield part

    async def cancel(self) -> None:
        """Cancel the run, if the server has accepted it; otherwise closing the connection was enough."""
        if self._created and (thread_id := self._created.get("thread_id")):
            with suppress(AgentError), translated_server_errors():
                await self._client.runs.cancel(thread_id, self._created["run_id"])

    def _set_created(self, created: RunCreateMetadata) -> None:
        self._created = created


def _configurable(state: RunState) -> dict[str, Any]:
    """The trusted values of a run; the server adds its own ids of thread and run."""
    turn = state.turn
    values = state.configurable() | {"source_thread": turn.thread}
    if turn.message.model == OFFLINE:  # the only model that a gateway without a model server knows
        del values["model"]
    if turn.completion:
        values["completion"] = turn.completion.as_dict()
    return {name: value for name, value in values.items() if value is not None}


def _handle(part: StreamPart, state: RunState) -> None:
    if part.event == "error":
        raise error_of_run(str(part.data.get("error")))
    if part.event == "custom":
        state.on_node(_payload(part.data))
        state.publish_recall()
    elif part.event == "messages":
        data: Any = part.data
        message, metadata = data
        if metadata["langgraph_node"] == ANSWER and (parsed := _message(message)):
            state.on_model(parsed, metadata["langgraph_step"])


def _executed(part: StreamPart) -> str:
    """The name of the tool whose execution a part reports; otherwise empty."""
    return part.data.get("tool_finished", {}).get("name", "") if part.event == "custom" else ""


def _payload(data: dict[str, Any]) -> dict[str, Any]:
    """A payload of a node, with the objects that it contained on the server."""
    if "recalled" in data:
        data = data | {"recalled": Tip(**data["recalled"])}
    if "client_calls" in data:
        data = data | {"client_calls": [ToolCall(**call) for call in data["client_calls"]]}
    return data


def _message(data: dict[str, Any]) -> AIMessage | None:
    """A message of the model, or a chunk of one; None for other messages."""
    if data["type"] == "AIMessageChunk":
        return AIMessageChunk.model_validate(data)
    return AIMessage.model_validate(data) if data["type"] == "ai" else None


async def _read_to_end(parts: AsyncIterator[StreamPart]) -> None:
    try:
        with translated_server_errors():
            async for part in parts:
                if part.event == "error":
                    raise error_of_run(str(part.data.get("error")))
    except RunInterruptedError:
        logger.debug("the next message in the thread has ended the formation of memories, which it repeats")
    except AgentError as error:
        logger.warning("the agent server did not end a run; formation catches up later (%s)", type(error).__name__)
