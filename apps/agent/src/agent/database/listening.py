"""A connection that waits for notifications."""

from typing import TypeVar

from psycopg import AsyncConnection
from psycopg.abc import PQGen
from psycopg.rows import DictRow

RV = TypeVar("RV")

IDLE_SECONDS = 60.0


class ListeningConnection(AsyncConnection[DictRow]):
    """A connection for LISTEN; psycopg's own wakes up ten times a second while it waits."""

    async def wait(self, gen: PQGen[RV], interval: float = IDLE_SECONDS, timeout: float | None = None) -> RV:  # noqa: ASYNC109 - of the base class
        """Wait for the server, as in the base class."""
        return await super().wait(gen, interval, timeout)
