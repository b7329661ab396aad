"""Locks of a conversion: asked for so briefly that nobody waits behind it, and again and again until they are given."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import LiteralString, TypeVar

from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow

from agent.database.pools import CONNECTION
from agent.errors import SetupError, StoreUnavailableError

T = TypeVar("T")

LOCK = 0x6E657874
PAUSE_SECONDS = 2.0
PATIENCE_SECONDS = 600.0
ALONE_SECONDS = 5.0  # a killed predecessor's connection may take a moment to end

# Under Postgres's `deadlock_timeout` of a second, so that nobody else is ever its victim, and under recall's deadline.
_LIMITS: LiteralString = "SELECT set_config('lock_timeout', '200ms', true), set_config('statement_timeout', '0', true)"
_ALONE: LiteralString = (
    "SELECT set_config('idle_in_transaction_session_timeout', '0', true), pg_try_advisory_xact_lock(%(lock)s) AS alone"
)


async def limit_lock_wait(connection: AsyncConnection[DictRow]) -> None:
    """Let the rest of the transaction wait for locks no longer than others can wait behind it."""
    await connection.execute(_LIMITS)


@asynccontextmanager
async def exclusive_conversion(uri: str) -> AsyncIterator[None]:
    """Make sure that nobody else converts this database.

    Raises:
        SetupError: somebody does.
    """
    async with await AsyncConnection.connect(uri, **CONNECTION) as connection:
        until = time.monotonic() + ALONE_SECONDS
        while True:
            async with connection.transaction():
                row = await (await connection.execute(_ALONE, {"lock": LOCK})).fetchone()
                if row is not None and row["alone"]:
                    yield
                    return
            if time.monotonic() > until:
                raise SetupError("`keepsake reembed` is running on this database already")
            await asyncio.sleep(PAUSE_SECONDS / 10)


async def retry_on_lock_timeout(attempt: Callable[[], Awaitable[T]]) -> T:
    """Try again and again what could not have its locks.

    Raises:
        StoreUnavailableError: somebody holds them for too long.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return await attempt()
        except (errors.LockNotAvailable, errors.DeadlockDetected, TimeoutError) as error:
            if time.monotonic() > until:
                raise StoreUnavailableError(
                    "somebody holds the store's tables locked (pg_stat_activity says who)"
                ) from error
        await asyncio.sleep(PAUSE_SECONDS)
