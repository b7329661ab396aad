"""When whose inbox is distilled: durable, debounced, and one drain per user at a time.

One row per user in `formation`. A message moves its due time; a worker of any process claims what is due, under a
lease, and whoever dies leaves a lease that ends by itself.
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.background import raise_if_cancelled
from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import AgentError, FormationFailedError, StoreUnavailableError
from agent.types import UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="queue.sql"):
    """Statements of `queue.sql`."""

    due: LiteralString
    listen: LiteralString
    claim_next: LiteralString
    next: LiteralString
    claim_user: LiteralString
    renew: LiteralString
    give_back: LiteralString
    finish: LiteralString
    tidy: LiteralString
    of_user: LiteralString
    backlog: LiteralString


LEASE_SECONDS = 15.0
RENEWALS = 3
"""How often a lease is renewed before it would end."""
RETRY_SECONDS = 5.0
MOST_DOUBLINGS = 5
ASK_AGAIN_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Claim:
    """A user's inbox, ours to drain until the lease ends."""

    user: UserId
    due_at: datetime | None
    claimed_at: datetime
    attempts: int
    lease: str
    ends: float
    """When the lease ends unless it is renewed, by the event loop's clock, never later than by the database's."""


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """What a drain leaves to be done."""

    retry_in_seconds: float | None = None
    """None: nothing, until something is said."""
    attempts: int = 0
    """How often it has failed already."""
    last_error: str | None = None
    set_aside: int | None = 0
    """How many batches are set aside; None: as many as before."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits in the whole installation."""

    users: int
    oldest_seconds: float
    set_aside: int


@dataclass(frozen=True, slots=True)
class FormationQueue:
    """The `formation` table.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: ScopedPool
    debounce_seconds: float
    max_wait_seconds: float
    lease_seconds: float = LEASE_SECONDS

    async def schedule(self, connection: AsyncConnection[DictRow], user: UserId) -> datetime:
        """Move a user's due time, in the transaction of the message that does so; return it."""
        parameters = {"user": user, "debounce": self.debounce_seconds, "max_wait": self.max_wait_seconds}
        row = await (await connection.execute(SQL.due, parameters)).fetchone()
        assert row is not None  # noqa: S101 - the statement always returns its row
        return row["due_at"]  # type: ignore[no-any-return] # a timestamptz

    async def schedule_user(self, user: UserId) -> None:
        """Move a user's due time, for what has come into their inbox in another way than by a message."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                await self.schedule(connection, user)

    async def claim_next(self) -> Claim | None:
        """Take whoever is due, None when nobody is."""
        return await self._claim(SQL.claim_next, None)

    async def claim_user(self, user: UserId) -> Claim:
        """Take this user, due or not, as soon as nobody else works for them."""
        while True:
            claim = await self._claim(SQL.claim_user, user)
            if claim is not None:
                return claim
            await asyncio.sleep(ASK_AGAIN_SECONDS)

    async def seconds_to_next(self) -> float | None:
        """Return how long nobody will be due, None when nobody is going to be."""
        [row] = await self._everyones(SQL.next, {})
        return row["seconds"]  # type: ignore[no-any-return] # a float8

    @asynccontextmanager
    async def hold(self, claim: Claim) -> AsyncIterator[None]:
        """Renew the lease while the block runs, which ends with the lease at the latest.

        What fails in the block is kept with the row, and tried again later; when it is cancelled, others may begin at
        once.

        Raises:
            FormationFailedError: the lease could not be renewed; somebody else may have it.
        """
        try:
            async with asyncio.timeout_at(claim.ends) as lease:
                renewing = asyncio.create_task(self._renew(claim, lease))
                try:
                    yield
                finally:
                    renewing.cancel()
        except asyncio.CancelledError:
            await self._execute(claim, SQL.give_back)
            raise
        except TimeoutError as error:
            if lease.expired():
                raise FormationFailedError("it could not be held on to; whoever is free goes on with it") from error
            await self._fail(claim, error)
            raise
        except Exception as error:
            await self._fail(claim, error)
            raise

    async def finish(self, claim: Claim, left: RetryPlan) -> None:
        """Give a claim back with what is left to do."""
        parameters = {
            "due_at": claim.due_at,
            "claimed_at": claim.claimed_at,
            "again": left.retry_in_seconds,
            "attempts": left.attempts,
            "last_error": left.last_error,
            "set_aside": left.set_aside,
        }
        await self._execute(claim, SQL.finish, SQL.tidy, **parameters)

    async def user_state(self, user: UserId) -> tuple[datetime | None, int, str | None]:
        """Return when a user is due, how often it has failed, and how the last time."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                row = await (await connection.execute(SQL.of_user, {"user": user})).fetchone()
        return (row["due_at"], row["attempts"], row["last_error"]) if row else (None, 0, None)

    async def backlog(self) -> Backlog:
        """Return what waits in the whole installation."""
        [row] = await self._everyones(SQL.backlog, {})
        return Backlog(**row)

    async def _claim(self, statement: LiteralString, user: UserId | None) -> Claim | None:
        lease = str(uuid.uuid4())
        ends = asyncio.get_running_loop().time() + self.lease_seconds
        found = await self._everyones(statement, {"user": user, "lease": lease, "lease_seconds": self.lease_seconds})
        if not found:
            return None
        [row] = found
        return Claim(UserId(row["user_id"]), row["due_at"], row["claimed_at"], row["attempts"], lease, ends)

    async def _renew(self, claim: Claim, lease: asyncio.Timeout) -> None:
        """Renew the lease again and again; where it has gone to somebody else, end the block."""
        loop = asyncio.get_running_loop()
        parameters = {"user": claim.user, "lease": claim.lease, "lease_seconds": self.lease_seconds}
        while True:
            await asyncio.sleep(self.lease_seconds / RENEWALS)
            began = loop.time()
            try:
                is_ours = bool(await self._everyones(SQL.renew, parameters))
            except StoreUnavailableError:
                logger.warning("the lease of a drain could not be renewed")
                continue
            finally:
                raise_if_cancelled()
            if not is_ours:
                lease.reschedule(began)
                return
            lease.reschedule(began + self.lease_seconds)

    async def _fail(self, claim: Claim, error: Exception) -> None:
        delay = RETRY_SECONDS * 2 ** min(claim.attempts, MOST_DOUBLINGS)
        await self.finish(claim, RetryPlan(delay, claim.attempts + 1, public_message(error), set_aside=None))

    async def _everyones(self, statement: LiteralString, parameters: dict[str, Any]) -> list[DictRow]:
        with translated_errors():
            async with self.database.unscoped() as connection:
                return await (await connection.execute(statement, parameters)).fetchall()

    async def _execute(self, claim: Claim, *statements: LiteralString, **parameters: object) -> None:
        """Run statements on the claim's row, in one transaction; without effect where it is ours no more."""
        with translated_errors():
            async with self.database.for_user(claim.user) as connection:
                for statement in statements:
                    await connection.execute(statement, parameters | {"user": claim.user, "lease": claim.lease})


def public_message(error: Exception) -> str:
    """Return what users and operators are told of a failure: nothing that another program wrote."""
    return f"{error.code}: {error}" if isinstance(error, AgentError) else "internal"
