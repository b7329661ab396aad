"""Locks of a conversion: requested with a short timeout, so that others do not queue behind them, and retried."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import LiteralString, TypeVar

from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow

from agent.database.migration import connect
from agent.errors import SetupError, StoreUnavailableError

T = TypeVar("T")

LOCK = 0x6E657874
RETRY_SECONDS = 2.0
MAX_WAIT_SECONDS = 600.0
EXCLUSIVE_LOCK_SECONDS = 5.0  # the connection of a killed process may take a moment to end

# Shorter than Postgres's `deadlock_timeout` of one second, so that no other transaction is a victim, and shorter than
# the deadline of recall.
_LIMITS: LiteralString = "SELECT set_config('lock_timeout', '200ms', true), set_config('statement_timeout', '0', true)"
_TRY_LOCK: LiteralString = (
    "SELECT set_config('idle_in_transaction_session_timeout', '0', true), pg_try_advisory_xact_lock(%(lock)s) AS locked"
)


async def limit_lock_wait(connection: AsyncConnection[DictRow]) -> None:
    """Limit how long the rest of the transaction waits for locks."""
    await connection.execute(_LIMITS)


@asynccontextmanager
async def exclusive_conversion(uri: str) -> AsyncIterator[None]:
    """Hold the lock of conversions of this database; raise `SetupError` if another process is converting it."""
    async with await connect(uri) as connection:
        deadline = time.monotonic() + EXCLUSIVE_LOCK_SECONDS
        while True:
            async with connection.transaction():
                row = await (await connection.execute(_TRY_LOCK, {"lock": LOCK})).fetchone()
                if row is not None and row["locked"]:
                    yield
                    return
            if time.monotonic() > deadline:
                raise SetupError("`keepsake reembed` or `keepsake repartition` is running on this database already")
            await asyncio.sleep(RETRY_SECONDS / 10)


async def retry_on_lock_timeout(attempt: Callable[[], Awaitable[T]]) -> T:
    """Repeat an operation until it gets its locks; raise `StoreUnavailableError` if they are held for too long."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while True:
        try:
            return await attempt()
        except (errors.LockNotAvailable, errors.DeadlockDetected, TimeoutError) as error:
            if time.monotonic() > deadline:
                raise StoreUnavailableError(
                    "the store's tables are locked by another session (see pg_stat_activity)"
                ) from error
        await asyncio.sleep(RETRY_SECONDS)
