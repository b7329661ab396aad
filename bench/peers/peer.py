"""The interface of a compared system."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Item:
    """A memory, by the id that the benchmark gave it."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The servers that a system uses; `dims` of the embedding model."""

    model: str
    database: str
    folder: Path
    dims: int
    connections: int = 20
    """Of each pool, as in Keepsake."""


class Peer(Protocol):
    """A chat with memory."""

    def reply(self, user: str, thread: str, text: str) -> AsyncIterator[str]:
        """Answer a message of a thread; yields tokens."""

    async def remember(self, user: str, thread: str, text: str, answer: str) -> None:
        """Form memories of an exchange; runs after the answer was sent."""

    async def put(self, user: str, items: Sequence[Item]) -> None:
        """Store memories as they are."""

    async def search(self, user: str, query: str, limit: int) -> list[Item]:
        """The user's memories for a query, the best first."""


class OpenPeer(Protocol):
    """Opens a system's resources."""

    def __call__(self, settings: Settings) -> AbstractAsyncContextManager[Peer]:
        """Open them; they are closed at the end of the block."""
