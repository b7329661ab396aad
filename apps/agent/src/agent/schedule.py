"""When whose inbox is distilled: durable, debounced, and one drain per user at a time.

One row per user in `formation`. A message moves its due time; a worker of any process claims what is due, under a
lease, and whoever dies leaves a lease that ends by itself.
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database import load_statements
from agent.database.errors import translated_errors
from agent.database.wall import Walled
from agent.errors import AgentError, StoreUnavailableError
from agent.types import UserId

logger = logging.getLogger(__name__)

SQL = load_statements(__package__, "schedule.sql")

LEASE_SECONDS = 30.0
POLL_SECONDS = 1.0
RETRY_SECONDS = 5.0
MOST_DOUBLINGS = 5
ASK_AGAIN_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Claim:
    """A user's inbox, ours to drain until the lease ends."""

    user: UserId
    due_at: datetime
    attempts: int
    lease: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """The `formation` table.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: Walled
    debounce_seconds: float
    max_wait_seconds: float

    async def due(self, connection: AsyncConnection[DictRow], user: UserId) -> datetime:
        """Move a user's due time, in the transaction of the message that does so; return it."""
        parameters = {"user": user, "debounce": self.debounce_seconds, "max_wait": self.max_wait_seconds}
        row = await (await connection.execute(SQL["due"], parameters)).fetchone()
        assert row is not None  # noqa: S101 - the statement always returns its row
        return row["due_at"]  # type: ignore[no-any-return] # a timestamptz

    async def claim_next(self) -> Claim | None:
        """Take whoever is due, None when nobody is."""
        return await self._claim("claim_next", None)

    async def claim_user(self, user: UserId) -> Claim:
        """Take this user, due or not, as soon as nobody else works for them."""
        while True:
            claim = await self._claim("claim_user", user)
            if claim is not None:
                return claim
            await asyncio.sleep(ASK_AGAIN_SECONDS)

    @asynccontextmanager
    async def working(self, claim: Claim) -> AsyncIterator[None]:
        """Renew the lease while the block runs; a failure in it is kept with the row, and tried again later."""
        renewing = asyncio.create_task(self._renew(claim))
        try:
            yield
        except Exception as error:
            delay = RETRY_SECONDS * 2 ** min(claim.attempts, MOST_DOUBLINGS)
            shown = f"{error.code}: {error}" if isinstance(error, AgentError) else "internal"
            await self._execute("failed", claim, delay=delay, error=shown)
            raise
        finally:
            renewing.cancel()

    async def finish(self, claim: Claim, *, again_in_seconds: float | None) -> None:
        """Give a claim back: None when nothing is left to do, else when to look again."""
        if again_in_seconds is None:
            await self._execute("done", claim)
        await self._execute("release", claim, delay=again_in_seconds or 0.0)

    async def _claim(self, statement: str, user: UserId | None) -> Claim | None:
        lease = str(uuid.uuid4())
        parameters = {"user": user, "lease": lease, "lease_seconds": LEASE_SECONDS}
        with translated_errors():
            async with self.database.everyone() as connection:
                row = await (await connection.execute(SQL[statement], parameters)).fetchone()
        return Claim(UserId(row["user_id"]), row["due_at"], row["attempts"], lease) if row else None

    async def _renew(self, claim: Claim) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                await self._execute("renew", claim)
            except StoreUnavailableError:
                logger.warning("the lease of a drain could not be renewed")

    async def _execute(self, statement: str, claim: Claim, *, delay: float = 0.0, error: str | None = None) -> None:
        parameters = {
            "user": claim.user,
            "lease": claim.lease,
            "due_at": claim.due_at,
            "lease_seconds": LEASE_SECONDS,
            "delay": delay,
            "error": error,
        }
        with translated_errors():
            async with self.database.of(claim.user) as connection:
                await connection.execute(SQL[statement], parameters)


async def work(schedule: Schedule, drain: Callable[[Claim], Awaitable[object]]) -> None:
    """Drain whatever comes due, until cancelled. A drain that fails is the schedule's to repeat."""
    while True:
        try:
            claim = await schedule.claim_next()
            if claim is None:
                await asyncio.sleep(POLL_SECONDS)
            else:
                await drain(claim)
        except AgentError as error:
            logger.warning("formation failed, and is tried again", exc_info=error)
            await asyncio.sleep(POLL_SECONDS)
        except Exception:
            logger.exception("formation failed")
            await asyncio.sleep(POLL_SECONDS)
