"""A running Keepsake and its signed-in users, for measurements of the memory tip."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import httpx

from .processes import process

CONCURRENCY = 4
HOUR = "3600"
# Formation runs only on request, and recall waits for the embedder: results do not depend on the machine's load.
OPTIONS = {
    "KEEPSAKE_DEBOUNCE_SECONDS": HOUR,
    "KEEPSAKE_DEBOUNCE_MAX_WAIT_SECONDS": HOUR,
    "KEEPSAKE_RECALL_DEADLINE_MS": "20000",
    "KEEPSAKE_MODEL_TITLES": "false",
}

T = TypeVar("T")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Recalled:
    """The memories in the prompt of a message, in the order of the event `memory.recalled`."""

    memories: list[dict[str, Any]]
    tip_chars: int
    degraded: bool

    @property
    def texts(self) -> list[str]:
        """The texts in lower case."""
        return [memory["text"].lower() for memory in self.memories]

    @property
    def by_relevance(self) -> list[dict[str, Any]]:
        """The memories recalled for this message, without standing ones."""
        return [memory for memory in self.memories if memory.get("why", "recalled") == "recalled"]

    def contains(self, needle: str) -> bool:
        """True if a memory contains the text."""
        return any(needle in text for text in self.texts)


@dataclass(frozen=True, slots=True)
class User:
    """A signed-in user."""

    http: httpx.AsyncClient
    headers: dict[str, str]
    degraded: list[str]
    """Messages for which memory could not be searched completely, of all users."""

    async def say(self, text: str, thread: str = "", *, delete: bool = False) -> Recalled:
        """Send a message, by default to a new thread, and read the reply to its end.

        Args:
            text: the message.
            thread: id of the thread; empty for a new one.
            delete: delete the thread afterwards, so that the message is not recalled later.
        """
        thread = thread or str(uuid.uuid4())
        recalled, event = Recalled([], 0, degraded=False), ""
        request = self.http.stream("POST", f"/threads/{thread}/messages", json={"text": text}, headers=self.headers)
        async with request as response:
            response.raise_for_status()
            async for line in response.aiter_lines():
                name, _, value = line.partition(":")
                if name == "event":
                    event = value.strip()
                elif name == "data" and event == "memory.recalled":
                    data = json.loads(value)
                    recalled = Recalled(data["memories"], data["tip_chars"], data["degraded"])
        assert event == "run.finished", (event, text)
        if recalled.degraded:
            self.degraded.append(text)
        if delete:
            answer = await self.http.delete(f"/threads/{thread}", params={"forget": True}, headers=self.headers)
            answer.raise_for_status()
        return recalled

    def client(self) -> httpx.AsyncClient:
        """A client of its own that sends this user's token."""
        return httpx.AsyncClient(base_url=self.http.base_url, headers=self.headers, timeout=600, trust_env=False)

    async def flush(self) -> None:
        """Form memories of all messages so far."""
        (await self.http.post("/memories/flush", headers=self.headers)).raise_for_status()

    async def add(self, text: str, kind: str, *, pinned: bool = False) -> str:
        """Add a memory; returns its id."""
        body = {"text": text, "kind": kind, "category": "personal"} | ({"pinned": True} if pinned else {})
        answer = await self.http.post("/memories", json=body, headers=self.headers)
        return str(answer.raise_for_status().json()["id"])


@dataclass(frozen=True, slots=True)
class Service:
    """A running gateway."""

    http: httpx.AsyncClient
    degraded: list[str] = field(default_factory=list)

    async def user(self) -> User:
        """Sign in as a new user."""
        answer = await self.http.post("/dev/token", json={"user": uuid.uuid4().hex})
        token = answer.raise_for_status().json()["access_token"]
        return User(self.http, {"Authorization": f"Bearer {token}"}, self.degraded)


@asynccontextmanager
async def running(**options: str) -> AsyncIterator[Service]:
    """Run Keepsake with its offline defaults, or with these options, on an empty database."""
    with TemporaryDirectory(prefix="keepsake-bench-") as data:
        arguments = ("gateway.cli", "serve", "--port", "0")
        env = OPTIONS | {"KEEPSAKE_DATA_DIR": data} | options
        with process(*arguments, work_dir=Path(data), **env) as url:
            async with httpx.AsyncClient(base_url=url, timeout=120, trust_env=False) as http:
                yield Service(http)


async def for_each(rows: Iterable[Row], act: Callable[[Row], Awaitable[T]]) -> list[T]:
    """Apply a function to all rows, a few at a time; the results are in the order of the rows."""
    limit = asyncio.Semaphore(CONCURRENCY)

    async def one(row: Row) -> T:
        async with limit:
            return await act(row)

    return await asyncio.gather(*(one(row) for row in rows))


async def ask_all(users: Sequence[User], texts: Sequence[str]) -> list[Recalled]:
    """Share the messages among copies of a user, each of whom sends one at a time; answers in the order of texts."""

    async def ask(n: int) -> list[Recalled]:
        return [await users[n].say(text, delete=True) for text in texts[n :: len(users)]]

    shares = await for_each(range(len(users)), ask)
    return [shares[n % len(users)][n // len(users)] for n in range(len(texts))]
