"""Streams of server-sent events that end in an orderly way when the process stops."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

PING_SECONDS = 15.0
PING = b": ping\n"
"""A comment that keeps an idle connection open; without a blank line, on which some clients dispatch an empty event."""
END_SECONDS = 0.5
RECONNECT = b"retry: 1000\nevent: reconnect\ndata: {}\n\n"
"""Sent when the process stops: if the stream ends before the run, rejoin it; another process may continue."""


def describe_stream(description: str, example: dict[str, str]) -> dict[int | str, dict[str, Any]]:
    """Describe a stream for OpenAPI 3.1, which cannot describe its items: the schema is that of one event."""
    members = {
        "id": {"type": "string", "description": "Absent from `reconnect`."},
        "event": {"type": "string"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    }
    schema = {"type": "object", "properties": members, "required": ["event", "data"]}
    content = {"text/event-stream": {"schema": schema, "example": example}}
    return {200: {"description": description, "content": content}}


def encode_event(name: str, data: Mapping[str, Any], *, id: object) -> bytes:  # noqa: A002 - the name of the field
    """Encode an event, in ASCII only: some clients treat U+2028 and similar characters as line breaks."""
    return f"id: {id}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode()


class OpenStreams:
    """The open streams of a process."""

    def __init__(self) -> None:
        self._streams: dict[EventStream, asyncio.Event] = {}
        self._notices: set[asyncio.Task[None]] = set()
        self.is_stopping = False

    @property
    def count(self) -> int:
        """The number of open streams."""
        return len(self._streams)

    def add(self, stream: "EventStream") -> None:
        """Add a stream whose headers have been sent."""
        self._streams[stream] = asyncio.Event()

    def remove(self, stream: "EventStream") -> None:
        """Remove a stream that has ended."""
        if ended := self._streams.pop(stream, None):
            ended.set()

    def announce_stop(self) -> None:
        """Send `RECONNECT` to all streams; they stay open."""
        self.is_stopping = True
        for stream in self._streams:
            notice = asyncio.create_task(stream.send_reconnect())  # does not wait for clients that do not read
            self._notices.add(notice)
            notice.add_done_callback(self._notices.discard)

    async def end(self) -> None:
        """Wait until the streams have ended, at most for `END_SECONDS`; then end them."""
        waits = [asyncio.create_task(ended.wait()) for ended in self._streams.values()]
        if waits:
            await asyncio.wait(waits, timeout=END_SECONDS)
        for task in (*waits, *self._notices):
            task.cancel()
        for stream in list(self._streams):
            stream.end()


class EventStream(Response):
    """A response with server-sent events, tracked in `OpenStreams`.

    It sends nothing but the frames and, while there are none, comments that keep the connection open. A client that
    does not read delays only itself.
    """

    media_type = "text/event-stream"

    def __init__(self, frames: AsyncIterator[bytes], streams: OpenStreams, *, status_code: int = 200) -> None:
        self.background = None
        self.status_code = status_code  # FastAPI reads its default
        self._frames = frames
        self._streams = streams
        self._scope = anyio.CancelScope()
        self._is_open = False
        self._last_sent_at = 0.0
        self.init_headers({"Cache-Control": "no-store", "Connection": "keep-alive", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's signature
        """Send the frames until they end, the client disconnects, or the stream is ended."""
        self._send = send
        tasks = [asyncio.create_task(self._cancel_on_disconnect(receive)), asyncio.create_task(self._keep_alive())]
        try:
            with self._scope:
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                self._is_open = True
                self._streams.add(self)
                if self._streams.is_stopping:
                    await self.send_reconnect()
                async for frame in self._frames:
                    await self._send_part(frame)
        finally:
            self._is_open = False
            self._streams.remove(self)
            for task in tasks:
                task.cancel()
            if isinstance(self._frames, AsyncGenerator):
                await self._frames.aclose()
        await send({"type": "http.response.body", "body": b""})

    async def send_reconnect(self) -> None:
        """Send `RECONNECT`, between two frames."""
        if self._is_open:
            await self._send_part(RECONNECT)

    def end(self) -> None:
        """End the stream, whether or not its client reads."""
        self._scope.cancel()

    async def _send_part(self, part: bytes) -> None:
        self._last_sent_at = asyncio.get_running_loop().time()
        await self._send({"type": "http.response.body", "body": part, "more_body": True})

    async def _cancel_on_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._scope.cancel()

    async def _keep_alive(self) -> None:
        pause = PING_SECONDS
        while True:
            await asyncio.sleep(pause)
            idle_seconds = asyncio.get_running_loop().time() - self._last_sent_at
            if self._is_open and idle_seconds >= PING_SECONDS:
                await self._send_part(PING)
                idle_seconds = 0.0
            pause = PING_SECONDS - idle_seconds
