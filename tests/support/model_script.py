"""The behaviour of the scripted model; a test can change it while the server runs."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.example_model import answer_from_memory, embed, extract

Message = Mapping[str, Any]
"""`{"role", "content"}` with the content as one string, for both endpoints; system messages first."""

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call, returned instead of text."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    """A string is sent unchanged, even if it is not valid JSON."""

    @property
    def arguments_json(self) -> str:
        """The arguments as sent."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Citation:
    """A web page that a text reply cites."""

    url: str
    title: str

    def as_dict(self, text: str) -> dict[str, Any]:
        """The citation of the last word of a text, without its type."""
        start = text.rstrip().rfind(" ") + 1
        return {"url": self.url, "title": self.title, "start_index": start, "end_index": len(text)}


class Gate:
    """Blocks requests while it is closed. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._waiters: list[Future[None]] = []

    def close(self) -> None:
        with self._lock:
            self._closed = True

    @property
    def is_closed(self) -> bool:
        with self._lock:
            return self._closed

    def open(self) -> None:
        with self._lock:
            self._closed = False
            waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if waiter.set_running_or_notify_cancel():
                waiter.set_result(None)

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Close the gate for the duration of the block."""
        self.close()
        try:
            yield
        finally:
            self.open()

    async def wait(self) -> None:
        """Wait until the gate is open."""
        with self._lock:
            if not self._closed:
                return
            waiter: Future[None] = Future()
            self._waiters.append(waiter)
        await asyncio.wrap_future(waiter)


@dataclass
class ModelScript:
    """The server's behaviour, effective from the next request.

    A chat reply waits for `chat_gate` after `hold_after_tokens` tokens, so a test can hold it before its first
    token or in the middle. A *structured* call is a chat call with a JSON schema.
    """

    dims: int = 1536
    """Vector dimensions, unless the request specifies them."""
    ignores_dims: bool = False
    """Whether the server ignores the dimensions in requests, as many do."""

    embedding_delay_seconds: float = 0.0
    first_token_delay_seconds: float = 0.0
    token_delay_seconds: float = 0.0
    structured_delay_seconds: float = 0.0
    moderation_delay_seconds: float = 0.0

    embeddings_status: int = 200
    chat_status: int = 200
    structured_status: int = 200
    moderations_status: int = 200

    embeddings_gate: Gate = field(default_factory=Gate)
    chat_gate: Gate = field(default_factory=Gate)
    structured_gate: Gate = field(default_factory=Gate)
    moderations_gate: Gate = field(default_factory=Gate)
    hold_after_tokens: int = 0
    disconnect_after_tokens: int | None = None
    """Drop the connection after this many tokens of a streamed reply; None: never."""
    finish_reason: str = "stop"
    """That of text replies; empty: streams end without one."""
    citations: Sequence[Citation] = ()
    """What the provider's own web search has found for text replies; empty: it does not search."""
    error_message: str = "status set by the script"
    """The text of errors with a status that the script sets."""
    retry_after_seconds: float = 0.001
    """When clients may retry after these errors."""
    redirect_to: str = ""
    """Answer chat and embedding requests with a redirect (307) to this server; empty: answer them."""

    embed: Callable[[str, int], NDArray[np.float32]] = embed
    """A vector [dims] of a text."""
    flagged: Callable[[str], bool] = lambda _: False
    """The verdict of `/moderations` on a text."""
    reply: Callable[[list[Message]], str | Sequence[ToolCall]] = answer_from_memory
    structured: Callable[[list[Message], Schema], Mapping[str, Any] | str] = extract
    """An instance of the schema, or a string that is sent unchanged, even if it is not valid JSON."""
