"""What the scripted model does, and when: a test changes it while the server runs."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from support.example_model import answer_from_memory, extract

Message = Mapping[str, Any]
"""`{"role", "content"}`, the content as one text, whichever endpoint was asked; system messages first."""

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a reply gives instead of text to have a tool run."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    """A text is sent as it is, however broken."""

    @property
    def arguments_json(self) -> str:
        """The arguments as they are sent."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


class Gate:
    """Lets requests pass while it is open, and holds them while it is closed. Any thread may turn it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._waiters: list[Future[None]] = []

    def close(self) -> None:
        with self._lock:
            self._closed = True

    def open(self) -> None:
        with self._lock:
            self._closed = False
            held, self._waiters = self._waiters, []
        for passage in held:
            if passage.set_running_or_notify_cancel():
                passage.set_result(None)

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Hold what arrives until the block ends."""
        self.close()
        try:
            yield
        finally:
            self.open()

    async def wait(self) -> None:
        """Return when the gate is open."""
        with self._lock:
            if not self._closed:
                return
            passage: Future[None] = Future()
            self._waiters.append(passage)
        await asyncio.wrap_future(passage)


@dataclass
class ModelScript:
    """How the server behaves from the next request on.

    A chat answer passes `chat_gate` before the token number `held_after_tokens` (from 0), so that it can be
    held before its first word or in the middle. A *structured* call is a chat call with a JSON schema.
    """

    dims: int = 1536
    """Of a vector, when the request does not say."""

    embedding_delay_seconds: float = 0.0
    first_token_delay_seconds: float = 0.0
    token_delay_seconds: float = 0.0
    structured_delay_seconds: float = 0.0

    embeddings_status: int = 200
    chat_status: int = 200
    structured_status: int = 200

    embeddings_gate: Gate = field(default_factory=Gate)
    chat_gate: Gate = field(default_factory=Gate)
    structured_gate: Gate = field(default_factory=Gate)
    hold_after_tokens: int = 0
    disconnect_after_tokens: int | None = None
    """The connection breaks off after so many tokens of a streamed answer; None: never."""

    reply: Callable[[list[Message]], str | Sequence[ToolCall]] = answer_from_memory
    structured: Callable[[list[Message], Schema], Mapping[str, Any] | str] = extract
    """What fits the schema, or a text to send as it is, however broken."""
