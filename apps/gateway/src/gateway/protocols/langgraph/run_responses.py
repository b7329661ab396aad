"""Responses with the events or the result of a run."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from typing import Any
from urllib.parse import urlencode

import anyio
from starlette.responses import StreamingResponse

import agent as api
from agent import Agent, Position
from gateway.protocols.langgraph.documents import values_json
from gateway.protocols.langgraph.frames import Translator, error_json, frames_of
from gateway.protocols.langgraph.run_start import StartedRun
from gateway.streams import EventStream, OpenStreams

HEARTBEAT_SECONDS = 10.0
NEEDS_HISTORY = frozenset({"values", "events"})


def stream_response(  # noqa: PLR0913 - two of them are options
    agent: Agent,
    streams: OpenStreams,
    run: StartedRun,
    modes: Collection[str],
    *,
    after: Position | None = None,
    cancel_on_disconnect: bool = False,
) -> EventStream:
    """Stream a run from a position; with `cancel_on_disconnect`, cancel it when the client disconnects."""
    frames = _encode(agent, run, frozenset(modes), after)
    if cancel_on_disconnect:
        frames = _cancel_unless_read(frames, agent, run, lambda: streams.is_stopping)
    response = EventStream(frames, streams)
    query = urlencode({"stream_mode": sorted(modes)}, doseq=True)
    response.headers["Location"] = f"{run.path}/stream?{query}"  # where clients reconnect
    response.headers["Content-Location"] = run.path
    return response


def result_response(agent: Agent, run: StartedRun, *, cancel_on_disconnect: bool = False) -> StreamingResponse:
    """Respond with the state of the thread when the run has ended; white space keeps the connection open."""
    body = _result(agent, run)
    if cancel_on_disconnect:
        body = _cancel_unless_read(body, agent, run, lambda: False)
    headers = {"Location": f"{run.path}/join", "Content-Location": run.path}
    return StreamingResponse(body, media_type="application/json", headers=headers)


async def wait_for_end(run: StartedRun) -> api.Event:
    """Wait until a run has ended; return its last event."""
    last: api.Event = api.RunFinished()
    async for logged in run.events:
        last = logged.event
    return last


async def _encode(
    agent: Agent, run: StartedRun, modes: Collection[str], after: Position | None
) -> AsyncIterator[bytes]:
    async def make_translator(started: api.RunStarted) -> Translator:
        history: list[api.Message] = []
        if NEEDS_HISTORY.intersection(modes):
            messages = await agent.threads.latest_messages(run.user, run.thread)
            ids = [message.id for message in messages]
            count = ids.index(started.message_id) + 1 if started.message_id in ids else len(ids)
            history = messages[:count]
        return Translator(started, modes, history)

    async for (name, data), position in frames_of(run.events, make_translator, after):
        event_id = f"id: {position}\n" if position else ""
        # ASCII only: some clients treat U+2028 and similar characters as line breaks.
        yield f"{event_id}event: {name}\ndata: {json.dumps(data)}\n\n".encode()


async def _result(agent: Agent, run: StartedRun) -> AsyncIterator[bytes]:
    result = asyncio.create_task(_read_result(agent, run))
    try:
        while not (await asyncio.wait([result], timeout=HEARTBEAT_SECONDS))[0]:
            yield b"\n"
        yield json.dumps(result.result()).encode()
    finally:
        result.cancel()


async def _read_result(agent: Agent, run: StartedRun) -> dict[str, Any]:
    last = await wait_for_end(run)
    if isinstance(last, api.RunFailed):
        return {"__error__": error_json(last.error)}
    return values_json(await agent.threads.latest_messages(run.user, run.thread))


async def _cancel_unless_read(
    parts: AsyncIterator[bytes], agent: Agent, run: StartedRun, is_stopping: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Yield the parts of a response; if the client disconnects before the last one, cancel the run."""
    is_read = False
    try:
        async for part in parts:
            yield part
        is_read = True
    finally:
        if not is_read and not is_stopping():
            await _shielded(agent.cancel(run.user, run.thread))


async def _shielded(action: Awaitable[object]) -> None:
    with anyio.CancelScope(shield=True):
        await action
