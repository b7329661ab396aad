"""Connections return to their pool, whatever happens to the tasks that used them."""

import asyncio
from contextlib import suppress

from agent.database.pools import Pool, open_pool


async def _use(pool: Pool, taken: asyncio.Event, done: asyncio.Event) -> None:
    async with pool.connection_for("ada"):
        taken.set()
        await done.wait()


async def test_a_connection_is_not_lost_if_its_return_is_cancelled(database: str) -> None:
    taken, done = asyncio.Event(), asyncio.Event()
    async with open_pool(database, size=1, name="test") as pool:
        task = asyncio.create_task(_use(pool, taken, done))
        await taken.wait()
        async with pool._lock:  # as while other connections are taken and returned
            done.set()
            for _ in range(10):
                await asyncio.sleep(0)  # the return waits for the lock
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        async with pool.connection_for("ada") as connection:
            assert await (await connection.execute("SELECT 1 AS one")).fetchone() == {"one": 1}
