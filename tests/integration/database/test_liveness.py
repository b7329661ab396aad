"""Connections of a pool notice a server that does not answer, and leave slow statements alone."""

import asyncio

import psycopg
import pytest

from agent.database import open_pool
from agent.database.liveness import STALL_SECONDS


async def test_a_slow_statement_of_a_server_that_answers_is_not_interrupted(database: str) -> None:
    async with open_pool(database, size=1, name="test") as pool, pool.connection() as connection:
        cursor = await connection.execute("SELECT pg_sleep(%s), 'done' AS result", (STALL_SECONDS + 0.5,))
        assert (await cursor.fetchall())[0]["result"] == "done"


async def test_a_cancelled_statement_leaves_the_connection_usable(database: str) -> None:
    async with open_pool(database, size=1, name="test") as pool, pool.connection() as connection:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await connection.execute("SELECT pg_sleep(60)")
        assert (await (await connection.execute("SELECT 1 AS one")).fetchall()) == [{"one": 1}]


async def test_connections_that_the_server_closed_are_replaced_together(database: str) -> None:
    async with open_pool(database, size=8, name="test") as pool:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(8):
                tasks.create_task(_use(pool))
        with psycopg.connect(database, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        await _use(pool)


async def _use(pool: object) -> None:
    async with pool.connection() as connection:  # type: ignore[attr-defined]
        await connection.execute("SELECT pg_sleep(0.2)")
