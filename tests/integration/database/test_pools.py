"""Connections return to their pool, whatever happens to the tasks that used them."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress

import pytest

from agent.database.pools import open_pool
from agent.database.returning_pool import ReturningPool

Opener = Callable[[str], AbstractAsyncContextManager[ReturningPool]]


def _open_shared(uri: str) -> AbstractAsyncContextManager[ReturningPool]:
    return open_pool(uri, size=1, name="test")


def _open_own(uri: str) -> AbstractAsyncContextManager[ReturningPool]:
    """As a store on its own does."""
    return ReturningPool(uri, min_size=1, max_size=1, open=False)


async def _use(pool: ReturningPool, taken: asyncio.Event, done: asyncio.Event) -> None:
    async with pool.connection():
        taken.set()
        await done.wait()


@pytest.mark.parametrize("open_one", [_open_shared, _open_own])
async def test_a_connection_is_not_lost_if_its_return_is_cancelled(database: str, open_one: Opener) -> None:
    taken, done = asyncio.Event(), asyncio.Event()
    async with open_one(database) as pool:
        task = asyncio.create_task(_use(pool, taken, done))
        await taken.wait()
        async with pool._lock:  # as while other connections are taken and returned
            done.set()
            for _ in range(10):
                await asyncio.sleep(0)  # the return waits for the lock
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        async with pool.connection(timeout=4) as connection:
            assert (await (await connection.execute("SELECT 1")).fetchone()) is not None
