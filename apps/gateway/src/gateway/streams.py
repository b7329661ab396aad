"""Streams of server-sent events that end in an orderly way when the process stops."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.types import Message, Receive, Scope, Send

PING_SECONDS = 15
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


class Ping(ServerSentEvent):
    """A comment that keeps an idle connection open."""

    def encode(self) -> bytes:
        """Encode a comment without a blank line, on which some clients dispatch an empty event."""
        return b": ping\n"


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


class EventStream(EventSourceResponse):
    """A response with server-sent events, tracked in `OpenStreams`."""

    def __init__(self, frames: AsyncIterator[bytes], streams: OpenStreams) -> None:
        super().__init__(frames, ping=PING_SECONDS, ping_message_factory=Ping, sep="\n")
        self._streams = streams
        self._scope = anyio.CancelScope()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the frames until they end, the client disconnects, or the stream is ended."""

        async def tracked_send(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                self._send = send
                self._streams.add(self)
                if self._streams.is_stopping:
                    await self.send_reconnect()

        try:
            with self._scope:
                await super().__call__(scope, receive, tracked_send)
        finally:
            self._streams.remove(self)
        if self._scope.cancelled_caught:
            await send({"type": "http.response.body", "body": b""})

    async def send_reconnect(self) -> None:
        """Send `RECONNECT`, between two frames."""
        if self.active:
            await self._send({"type": "http.response.body", "body": RECONNECT, "more_body": True})

    def end(self) -> None:
        """End the stream, whether or not its client reads."""
        self._scope.cancel()
