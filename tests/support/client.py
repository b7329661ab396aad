"""A short HTTP client for the gateway's interface."""

import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import httpx
from httpx_sse import aconnect_sse

Json = dict[str, Any]


@dataclass
class StreamedReply:
    """The events of one reply, in the order received."""

    events: list[tuple[str, Json]] = field(default_factory=list)
    first_token_seconds: float | None = None
    status: int = 200

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.events]

    def data(self, name: str) -> Json:
        return next(data for event, data in self.events if event == name)

    @property
    def text(self) -> str:
        return "".join(str(data["text"]) for name, data in self.events if name == "token")

    @property
    def recalled(self) -> list[str]:
        return [memory["text"] for memory in self.data("memory.recalled")["memories"]]

    @property
    def degraded(self) -> bool:
        return bool(self.data("memory.recalled")["degraded"])


class ApiClient:
    """A signed-in user."""

    def __init__(self, http: httpx.AsyncClient, token: str) -> None:
        self.http = http
        self.token = token

    @classmethod
    async def sign_in(cls, url: str, name: str, *, keep_alive: bool = True) -> Self:
        """Sign in; without `keep_alive`, each request has a connection of its own."""
        limits = httpx.Limits(max_keepalive_connections=20 if keep_alive else 0)
        http = httpx.AsyncClient(base_url=url, timeout=30, limits=limits)
        response = await http.post("/dev/token", json={"user": name})
        token = response.raise_for_status().json()["access_token"]
        http.headers["Authorization"] = f"Bearer {token}"
        return cls(http, token)

    def at_gateway(self, url: str) -> "ApiClient":
        """A client for the same user at another gateway of the installation."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return ApiClient(httpx.AsyncClient(base_url=url, headers=headers, timeout=30), self.token)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def send(self, text: str, *, thread: str | None = None, **body: object) -> StreamedReply:
        """Send a message, by default to a new thread, and return the complete reply."""
        reply = StreamedReply()
        async for _ in self.stream(reply, text, thread=thread, **body):
            pass
        return reply

    async def stream(
        self, reply: StreamedReply, text: str, *, thread: str | None = None, **body: object
    ) -> AsyncIterator[str]:
        """Send a message; add each event to `reply` and yield its name."""
        path = f"/threads/{thread or uuid.uuid4()}/messages"
        async for event in self._stream_events(reply, "POST", path, json={"text": text, **body}):
            yield event

    async def rejoin(self, reply: StreamedReply, thread: str) -> AsyncIterator[str]:
        """Replay a thread's latest run from its start; add each event to `reply` and yield its name."""
        async for event in self._stream_events(reply, "GET", f"/threads/{thread}/stream"):
            yield event

    async def _stream_events(
        self, reply: StreamedReply, method: str, path: str, **request: object
    ) -> AsyncIterator[str]:
        started = time.monotonic()
        async with aconnect_sse(self.http, method, path, **request) as source:
            response = source.response
            reply.status = response.status_code
            if response.is_error:
                problem = (await response.aread()).decode()
                raise httpx.HTTPStatusError(problem, request=response.request, response=response)
            async for event in source.aiter_sse():
                if event.event == "token" and reply.first_token_seconds is None:
                    reply.first_token_seconds = time.monotonic() - started
                reply.events.append((event.event, json.loads(event.data)))
                yield event.event

    async def memories(self, **query: str) -> list[Json]:
        response = await self.http.get("/memories", params=query)
        return list(response.raise_for_status().json()["items"])

    async def flush(self) -> Json:
        response = await self.http.post("/memories/flush")
        return dict(response.raise_for_status().json())


@asynccontextmanager
async def signed_in(url: str, name: str | None = None, *, keep_alive: bool = True) -> AsyncIterator[ApiClient]:
    """Sign in, by default as a new user."""
    async with await ApiClient.sign_in(url, name or f"user-{uuid.uuid4()}", keep_alive=keep_alive) as client:
        yield client


def new_thread() -> str:
    return str(uuid.uuid4())
