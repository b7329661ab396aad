"""Clients of the systems that `make bench` compares, with one interface."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import httpx

from .bench_streams import StreamRequest
from .turn_seed import user_name

BARE, KEEPSAKE, PLAIN, LANGMEM, MEM0, DEV = "bare", "Keepsake", "LangGraph", "LangMem", "mem0", "langgraph dev"
CONCURRENT_FLUSHES = 8
NEWCOMER = 1_000_000
"""A user without memories."""


@dataclass(frozen=True, slots=True)
class Note:
    """A memory to store, by an id of the benchmark."""

    id: str
    text: str
    thread: str = ""
    """Its conversation, for systems that use it."""
    ts: str = ""


class System(Protocol):
    """A system that answers messages."""

    @property
    def name(self) -> str:
        """As shown in the report."""

    def turn(self, user: int, thread: str, text: str) -> StreamRequest:
        """The request that sends a message."""


class MemorySystem(System, Protocol):
    """A system with memory."""

    async def put(self, user: int, notes: Sequence[Note]) -> None:
        """Store memories, one request."""

    async def search(self, user: int, query: str, limit: int) -> list[str]:
        """Ids of the memories for a query, the best first."""

    async def settle(self) -> None:
        """Wait for the work that the system does after its replies by itself."""

    async def flush(self, users: Sequence[int]) -> None:
        """Form memories of all messages so far."""


@dataclass(frozen=True, slots=True)
class BareModel:
    """The model alone."""

    url: str
    name: str = BARE

    def turn(self, user: int, thread: str, text: str) -> StreamRequest:  # noqa: ARG002 - it has no memory
        """A chat completion."""
        body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": text}]}
        return StreamRequest(f"{self.url}/v1/chat/completions", body, b'{"content": "word', b"[DONE]")


@dataclass(slots=True)
class Keepsake:
    """Keepsake's own routes."""

    http: httpx.AsyncClient
    headers: dict[int, dict[str, str]] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    """Of the benchmark, by Keepsake's ids."""
    pending: set[int] = field(default_factory=set)
    """Users with messages of which no memories are formed yet."""
    flushing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(CONCURRENT_FLUSHES))
    name: str = KEEPSAKE

    async def sign_in(self, users: Sequence[int]) -> None:
        """Sign users in before their requests are measured."""
        for user in users:
            answer = await self.http.post("/dev/token", json={"user": user_name(user)})
            token = answer.raise_for_status().json()["access_token"]
            self.headers[user] = {"Authorization": f"Bearer {token}"}

    def turn(self, user: int, thread: str, text: str) -> StreamRequest:
        """A message."""
        url = f"{self.http.base_url}/threads/{thread}/messages"
        self.pending.add(user)
        return StreamRequest(url, {"text": text}, b"event: token", b'"status": "completed"', self.headers[user])

    async def put(self, user: int, notes: Sequence[Note]) -> None:
        """Add a memory, or import several."""
        if len(notes) == 1:
            body = {"text": notes[0].text}
            answer = await self.http.post("/memories", json=body, headers=self.headers[user])
            self.ids[answer.raise_for_status().json()["id"]] = notes[0].id
            return
        lines = "\n".join(json.dumps(_episode(note)) for note in notes)
        (await self.http.post("/memories/import", content=lines, headers=self.headers[user])).raise_for_status()

    async def search(self, user: int, query: str, limit: int) -> list[str]:
        """Search the memories."""
        parameters: dict[str, str | int] = {"q": query, "limit": limit}
        answer = await self.http.get("/memories", params=parameters, headers=self.headers[user])
        ids = [item["id"] for item in answer.raise_for_status().json()["items"]]
        return [self.ids.get(id_, id_) for id_ in ids]

    async def settle(self) -> None:
        """Process the inboxes, which the service would do after half a minute; here it is postponed by an hour."""
        await self.flush(list(self.pending))

    async def flush(self, users: Sequence[int]) -> None:
        """Process the inboxes of users."""

        async def flush_one(user: int) -> None:
            async with self.flushing:
                (await self.http.post("/memories/flush", headers=self.headers[user])).raise_for_status()

        await asyncio.gather(*map(flush_one, users))
        self.pending -= set(users)


@dataclass(frozen=True, slots=True)
class PeerSystem:
    """A system behind `bench.peers.server`."""

    name: str
    http: httpx.AsyncClient

    def turn(self, user: int, thread: str, text: str) -> StreamRequest:
        """A message."""
        body = {"user": user_name(user), "thread": thread, "text": text}
        return StreamRequest(f"{self.http.base_url}/turns", body, b'data: {"token"', b"[DONE]")

    async def put(self, user: int, notes: Sequence[Note]) -> None:
        """Store memories."""
        items = [{"id": note.id, "text": note.text} for note in notes]
        (await self.http.post("/memories", json={"user": user_name(user), "items": items})).raise_for_status()

    async def search(self, user: int, query: str, limit: int) -> list[str]:
        """Search the memories."""
        parameters: dict[str, str | int] = {"user": user_name(user), "q": query, "limit": limit}
        answer = await self.http.get("/memories", params=parameters)
        return [item["id"] for item in answer.raise_for_status().json()["items"]]

    async def settle(self) -> None:
        """Wait for the tasks that form memories."""
        (await self.http.post("/flush")).raise_for_status()

    async def flush(self, users: Sequence[int]) -> None:  # noqa: ARG002 - it processes those of all users
        """Wait for the tasks that form memories."""
        await self.settle()


@dataclass(frozen=True, slots=True)
class LangGraphDev:
    """`langgraph dev`, through the LangGraph API."""

    http: httpx.AsyncClient
    name: str = DEV

    def turn(self, user: int, thread: str, text: str) -> StreamRequest:
        """A run that creates its thread."""
        body = {
            "assistant_id": "chat",
            "input": {"messages": [{"role": "user", "content": text}]},
            "config": {"configurable": {"user_id": user_name(user)}},
            "stream_mode": ["messages-tuple"],
            "if_not_exists": "create",
        }
        url = f"{self.http.base_url}/threads/{thread}/runs/stream"
        return StreamRequest(url, body, b'"content":"word', b"0\r\n\r\n", {"Connection": "close"})

    async def put(self, user: int, notes: Sequence[Note]) -> None:
        """Store memories, one request each."""
        for note in notes:
            item = {"namespace": ["memories", user_name(user)], "key": note.id, "value": {"data": note.text}}
            (await self.http.put("/store/items", json=item)).raise_for_status()

    async def search(self, user: int, query: str, limit: int) -> list[str]:
        """Search the memories."""
        body = {"namespace_prefix": ["memories", user_name(user)], "query": query, "limit": limit}
        answer = await self.http.post("/store/items/search", json=body)
        return [item["key"] for item in answer.raise_for_status().json()["items"]]

    async def settle(self) -> None:
        """Do nothing: it stores messages during the turn."""

    async def flush(self, users: Sequence[int]) -> None:
        """Do nothing: it stores messages as they are."""


def _episode(note: Note) -> dict[str, str]:
    line = {"id": note.id, "kind": "episodic", "text": note.text, "source_thread": note.thread}
    return line | ({"ts": note.ts} if note.ts else {})


def new_thread() -> str:
    """The id of a thread."""
    return str(uuid.uuid4())
