"""Runs: one answer each, which goes on when its client leaves, and ends exactly once."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from agent.background import Spawn
from agent.errors import AgentError, EmbedderUnavailableError
from agent.events import (
    Event,
    MemoryRecalled,
    MemoryScheduled,
    MessageCompleted,
    RunFailed,
    RunFinished,
    RunStarted,
    Token,
)
from agent.graphs.chat import ANSWER
from agent.models.embeddings import CachedEmbeddings
from agent.text import MAX_MESSAGE_CHARS, checked_text
from agent.thread.checkpoints import checkpoint_key
from agent.thread.transcript import LEASE_SECONDS, Reply, Transcript, Turn
from agent.types import Hit, MessageId, RunId, Said, ThreadId, UserId

logger = logging.getLogger(__name__)

Graph = CompiledStateGraph[Any, Any, Any, Any]


@dataclass(slots=True)
class _Progress:
    """How far a run has come; the only state of a run."""

    turn: Turn
    began: float = field(default_factory=time.perf_counter)
    noted: bool | None = None
    recalled: MemoryRecalled | None = None
    text: list[str] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)

    def reply(self) -> Reply | None:
        """Return what the assistant has said so far, None for nothing."""
        hits: tuple[Hit, ...] = self.recalled.hits if self.recalled else ()
        text = "".join(self.text)
        return Reply(MessageId(str(uuid.uuid4())), text, hits, self.usage) if text else None


class Runs:
    """The runs of this process.

    Args:
        graph: the compiled chat graph, with a store and a checkpointer.
        transcript: where messages and holds on threads are kept.
        embeddings: what the graph embeds with; a run begins to embed while its message is being committed.
        spawn: starts a task that somebody owns: whoever closes it ends the runs.
    """

    def __init__(self, graph: Graph, transcript: Transcript, embeddings: CachedEmbeddings, spawn: Spawn) -> None:
        self._graph = graph
        self._transcript = transcript
        self._embeddings = embeddings
        self._spawn = spawn
        self._running: dict[tuple[UserId, ThreadId], asyncio.Task[None]] = {}

    async def start(self, user: UserId, thread: ThreadId, said: Said) -> AsyncIterator[Event]:
        """Commit a message and begin to answer it; what is yielded ends with `RunFinished` or `RunFailed`.

        Saying a message again under its id yields the answer that it already has, or tries again where it has none.

        Raises:
            InvalidTextError: the text is empty, too long, or cannot be kept.
            ThreadNotFoundError: the thread is not the user's.
            ThreadBusyError: an earlier message is still being answered.
            MessageIdTakenError: the id belongs to another message.
        """
        text = checked_text(said.text, max_chars=MAX_MESSAGE_CHARS)
        turn = Turn(user, thread, RunId(str(uuid.uuid4())), replace(said, text=text))
        if said.memory:
            self._spawn(self._embed(text))
        known = await self._transcript.said_before(user, thread, turn.said)
        if known is not None:
            return _replay(turn, known)
        await self._transcript.begin(turn)
        events: asyncio.Queue[Event] = asyncio.Queue()
        task = self._spawn(self._run(_Progress(turn), events))
        self._running[user, thread] = task
        task.add_done_callback(lambda _: self._running.pop((user, thread), None))
        return _listen(events)

    def cancel(self, user: UserId, thread: ThreadId) -> bool:
        """Stop the answer that a thread of this process is giving; say whether there was one."""
        task = self._running.get((user, thread))
        return task is not None and task.cancel()

    async def stop(self, user: UserId, thread: ThreadId) -> None:
        """Stop the answer that a thread of this process is giving, and wait for its end."""
        if task := self._running.get((user, thread)):
            task.cancel()
            await asyncio.wait([task])

    async def _embed(self, text: str) -> None:
        """Embed ahead of the graph, which waits for this very call."""
        try:
            await self._embeddings.aembed_query(text)
        except EmbedderUnavailableError:
            logger.debug("the message could not be embedded ahead; recall will tell")

    async def _run(self, progress: _Progress, events: asyncio.Queue[Event]) -> None:
        renewing = asyncio.create_task(self._renew(progress.turn))
        last: Event = RunFinished()
        try:
            async for event in self._answer(progress):
                events.put_nowait(event)
        except asyncio.CancelledError:
            last = RunFinished("cancelled")
        except AgentError as error:
            last = RunFailed(error)
        except Exception:
            logger.exception("a run failed")
            last = RunFailed(AgentError("the answer could not be given"))
        finally:
            renewing.cancel()
        for event in await self._end(progress, last):
            events.put_nowait(event)

    async def _answer(self, progress: _Progress) -> AsyncIterator[Event]:
        turn = progress.turn
        stream = self._graph.astream(
            {"messages": [HumanMessage(turn.said.text, id=turn.said.id)]},
            _config(turn),
            stream_mode=["messages", "custom"],
            durability="exit",  # one checkpoint a turn; the transcript and the inbox vouch for what was said
        )
        async for mode, payload in stream:
            told = cast("Any", payload)
            for event in _told(progress, told) if mode == "custom" else _spoken(progress, told):
                yield event

    async def _end(self, progress: _Progress, last: Event) -> list[Event]:
        """Commit what there is, and say so; a database that is away costs the reply, never the last event."""
        turn, reply = progress.turn, progress.reply()
        try:
            due_at = await self._transcript.end(turn, reply, noted=bool(progress.noted))
        except Exception as error:
            logger.warning("the end of a run could not be kept", exc_info=error)
            return [RunFailed(error if isinstance(error, AgentError) else AgentError("the answer could not be kept"))]
        events: list[Event] = []
        if reply is not None and isinstance(last, RunFinished):
            events.append(MessageCompleted(reply.id, reply.text, reply.usage))
        if due_at is not None:
            events.append(MemoryScheduled(due_at.isoformat()))
        return [*events, last]

    async def _renew(self, turn: Turn) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                await self._transcript.renew(turn)
            except AgentError:
                logger.warning("the hold on a thread could not be renewed")


def _config(turn: Turn) -> RunnableConfig:
    """Return what the graph is told of a turn, and its trace: opaque ids, whatever the client sent."""
    return {
        "configurable": {
            "thread_id": checkpoint_key(turn.user, turn.thread),
            "user_id": turn.user,
            "run_id": turn.run,
            "model": turn.said.model,
            "memory": turn.said.memory,
        },
        "metadata": {"user_id": turn.user, "thread_id": turn.thread},
        "run_id": uuid.UUID(turn.run),
        "run_name": "chat",
    }


def _told(progress: _Progress, payload: dict[str, Any]) -> list[Event]:
    """Turn what the nodes say of memory into events: first that the message is safe, then what was recalled."""
    first = progress.noted is None
    if "noted" in payload:
        progress.noted = payload["noted"]
    if "recalled" in payload:
        recalled = payload["recalled"]
        progress.recalled = MemoryRecalled(
            hits=recalled.hits,
            tip_chars=payload["tip_chars"],
            degraded=recalled.degraded,
            elapsed_ms=(time.perf_counter() - progress.began) * 1000,
        )
    if progress.noted is None:
        return []
    turn = progress.turn
    events: list[Event] = [RunStarted(turn.run, turn.thread, turn.said.id)] if first else []
    if progress.recalled is not None:
        events.append(progress.recalled)
    return events


def _spoken(progress: _Progress, payload: tuple[Any, dict[str, Any]]) -> list[Event]:
    """Turn what the model says into events; other nodes' models are not the answer."""
    message, metadata = payload
    if metadata.get("langgraph_node") != ANSWER or not isinstance(message, AIMessage):
        return []
    if message.usage_metadata:
        progress.usage = {
            "input_tokens": message.usage_metadata["input_tokens"],
            "output_tokens": message.usage_metadata["output_tokens"],
        }
    if not message.text:
        return []
    progress.text.append(message.text)
    return [Token(message.text)]


async def _listen(events: asyncio.Queue[Event]) -> AsyncIterator[Event]:
    while True:
        event = await events.get()
        yield event
        if isinstance(event, RunFinished | RunFailed):
            return


async def _replay(turn: Turn, reply: Reply) -> AsyncIterator[Event]:
    yield RunStarted(turn.run, turn.thread, turn.said.id)
    yield MemoryRecalled(reply.hits, tip_chars=0, degraded=False, elapsed_ms=0.0)
    yield Token(reply.text)
    yield MessageCompleted(reply.id, reply.text, reply.usage)
    yield RunFinished()
