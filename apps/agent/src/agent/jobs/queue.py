"""The formation queue: durable, debounced, and at most one drain per user at a time.

The table `formation` has one row per user. A message moves its due time; a worker of any process claims a due row under
a lease. The lease of a worker that dies expires.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import LiteralString

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.database.lease import LeaseLostError, keep_lease
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import AgentError, FormationFailedError
from agent.types import UserId


class SQL(Statements, file="queue.sql"):
    """Statements of `queue.sql`."""

    schedule: LiteralString
    listen: LiteralString
    claim_next: LiteralString
    claim_user: LiteralString
    next_due: LiteralString
    renew_lease: LiteralString
    release_lease: LiteralString
    finish: LiteralString
    delete_if_idle: LiteralString
    user_state: LiteralString
    backlog: LiteralString


LEASE_SECONDS = 15.0
RETRY_SECONDS = 5.0
MAX_DOUBLINGS = 5
CLAIM_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Claim:
    """A user's inbox, claimed for one drain until the lease expires."""

    user: UserId
    due_at: datetime | None
    claimed_at: datetime
    attempts: int
    lease: str
    expires_at: float
    """When the lease expires, by the event loop's clock; never later than by the database's clock."""


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """The next drain of an inbox, and the reason for it."""

    retry_in_seconds: float | None = None
    """None: not before the next message."""
    attempts: int = 0
    """Number of failed attempts so far."""
    last_error: str | None = None
    set_aside: int | None = 0
    """Number of batches set aside; None: unchanged."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """Pending work of the whole installation."""

    pending_users: int
    oldest_seconds: float
    set_aside_batches: int


@dataclass(frozen=True, slots=True)
class UserState:
    """A user's row in the queue; a user without a row has nothing to process."""

    due_at: datetime | None = None
    attempts: int = 0
    last_error: str | None = None


@dataclass(frozen=True, slots=True)
class FormationQueue:
    """The `formation` table."""

    database: ScopedPool
    debounce_seconds: float
    max_wait_seconds: float
    lease_seconds: float = LEASE_SECONDS

    async def schedule(self, connection: AsyncConnection[DictRow], user: UserId) -> datetime:
        """Move the user's due time in the transaction that adds a message, and return it."""
        parameters = {"user": user, "debounce": self.debounce_seconds, "max_wait": self.max_wait_seconds}
        [row] = await (await connection.execute(SQL.schedule, parameters)).fetchall()
        return row["due_at"]  # type: ignore[no-any-return] # a timestamptz

    async def schedule_user(self, user: UserId) -> None:
        """Move the user's due time, for inbox items that were not added by a message."""
        async with self.database.for_user(user) as connection:
            await self.schedule(connection, user)

    async def claim_next(self) -> Claim | None:
        """Claim the user who has been due for longest; None if no user is due."""
        return await self._claim(SQL.claim_next, None)

    async def claim_user(self, user: UserId) -> Claim:
        """Claim this user, due or not, as soon as no other process holds the lease."""
        while True:
            if claim := await self._claim(SQL.claim_user, user):
                return claim
            await asyncio.sleep(CLAIM_POLL_SECONDS)

    async def seconds_until_due(self) -> float | None:
        """Seconds until the next user can be claimed, or not above 0; None if no user is scheduled."""
        rows = await self.database.fetch_all_unscoped(SQL.next_due)
        return rows[0]["seconds"] if rows else None

    @asynccontextmanager
    async def hold_lease(self, claim: Claim) -> AsyncIterator[None]:
        """Keep the lease while the block runs.

        If the block raises an error, it is saved and a retry is scheduled. If the block is cancelled, the lease is
        released. If the lease is lost, `FormationFailedError` is raised.
        """
        renew = partial(self._renew_lease, claim)
        try:
            async with keep_lease(renew, expires_at=claim.expires_at, lease_seconds=self.lease_seconds):
                yield
        except asyncio.CancelledError:
            await self._execute(claim, SQL.release_lease)
            raise
        except LeaseLostError as error:
            raise FormationFailedError("the lease was lost; another worker continues") from error
        except Exception as error:
            delay = RETRY_SECONDS * 2 ** min(claim.attempts, MAX_DOUBLINGS)
            await self.finish(claim, RetryPlan(delay, claim.attempts + 1, public_message(error), set_aside=None))
            raise

    async def finish(self, claim: Claim, plan: RetryPlan) -> None:
        """Release a claim, and schedule the retry."""
        parameters = asdict(plan) | {"due_at": claim.due_at, "claimed_at": claim.claimed_at}
        await self._execute(claim, SQL.finish, SQL.delete_if_idle, **parameters)

    async def user_state(self, user: UserId) -> UserState:
        """The user's due time, number of failed attempts, and last error."""
        row = await self.database.fetch_one(user, SQL.user_state, {"user": user})
        return UserState(**row) if row else UserState()

    async def backlog(self) -> Backlog:
        """Count the pending work of the whole installation."""
        [row] = await self.database.fetch_all_unscoped(SQL.backlog)
        return Backlog(**row)

    async def _claim(self, statement: LiteralString, user: UserId | None) -> Claim | None:
        lease = str(uuid.uuid4())
        expires_at = asyncio.get_running_loop().time() + self.lease_seconds
        parameters = {"user": user, "lease": lease, "lease_seconds": self.lease_seconds}
        rows = await self.database.fetch_all_unscoped(statement, parameters)
        return next((Claim(**row, lease=lease, expires_at=expires_at) for row in rows), None)

    async def _renew_lease(self, claim: Claim) -> bool:
        parameters = {"user": claim.user, "lease": claim.lease, "lease_seconds": self.lease_seconds}
        return bool(await self.database.fetch_all_unscoped(SQL.renew_lease, parameters))

    async def _execute(self, claim: Claim, *statements: LiteralString, **parameters: object) -> None:
        """Run statements on the claim's row in one transaction; they have no effect if the lease was lost."""
        async with self.database.for_user(claim.user) as connection:
            for statement in statements:
                await connection.execute(statement, parameters | {"user": claim.user, "lease": claim.lease})


def public_message(error: Exception) -> str:
    """Describe an error to users and operators, without text from third-party code."""
    return f"{error.code}: {error}" if isinstance(error, AgentError) else "internal"
