"""Random transactions without any condition on the user, with errors and cancellations between them."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence

import psycopg

from agent.database.row_security import ScopedPool
from agent.types import UserId

OWNERS_BY_TABLE = {
    "store": "SELECT split_part(prefix, '.', 2) AS owner FROM store",
    "store_vectors": "SELECT split_part(prefix, '.', 2) AS owner FROM store_vectors",
    "store_changes": "SELECT split_part(prefix, '.', 2) AS owner FROM store_changes",
    "threads": "SELECT user_id AS owner FROM threads",
    "sessions": "SELECT user_id AS owner FROM sessions",
    "keys": "SELECT user_id AS owner FROM keys",
    "messages": "SELECT user_id AS owner FROM messages",
    "runs": "SELECT user_id AS owner FROM runs",
    "run_events": "SELECT user_id AS owner FROM run_events",
    "formation": "SELECT user_id AS owner FROM formation",
    "usage": "SELECT user_id AS owner FROM usage",
    "open_streams": "SELECT user_id AS owner FROM open_streams",
    "users": "SELECT id AS owner FROM users",
    "checkpoints": "SELECT split_part(thread_id, '/', 1) AS owner FROM checkpoints",
    "checkpoint_blobs": "SELECT split_part(thread_id, '/', 1) AS owner FROM checkpoint_blobs",
    "checkpoint_writes": "SELECT split_part(thread_id, '/', 1) AS owner FROM checkpoint_writes",
}
"""A statement for each table that selects the owners of all rows."""
FAILING = "SELECT 1 / 0"
WORKERS = 16


async def run_random_transactions(
    database: ScopedPool, users: Sequence[UserId], *, transactions: int, seed: int
) -> Counter[str]:
    """Run transactions of random users concurrently.

    Returns:
        The number of rows that were visible to their owner (`own`) and to another user (`foreign`), and of
        transactions that `failed`, were `cancelled`, or were `completed`.
    """
    counts: Counter[str] = Counter()
    numbers = iter(range(transactions))

    async def work(worker: int) -> None:
        pick = random.Random(seed * 1_000 + worker)
        for _ in numbers:
            await _run_transaction(database, pick, users, counts)

    await asyncio.gather(*(work(worker) for worker in range(WORKERS)))
    return counts


async def _run_transaction(
    database: ScopedPool, pick: random.Random, users: Sequence[UserId], counts: Counter[str]
) -> None:
    user, statement = pick.choice(users), pick.choice(list(OWNERS_BY_TABLE.values()))
    fails, is_cancelled = pick.random() < 0.1, pick.random() < 0.1

    async def select_owners() -> list[str]:
        async with database.for_user(user) as connection:
            rows = await (await connection.execute(statement)).fetchall()
            if fails:
                await (await connection.execute(FAILING)).fetchall()
            return [row["owner"] for row in rows]

    task = asyncio.create_task(select_owners())
    if is_cancelled:
        for _ in range(pick.randrange(12)):
            await asyncio.sleep(0)
        task.cancel()
    try:
        owners = await task
    except psycopg.errors.DivisionByZero:
        counts["failed"] += 1
    except asyncio.CancelledError:
        counts["cancelled"] += 1
    else:
        counts["completed"] += 1
        counts["own"] += owners.count(user)
        counts["foreign"] += len(owners) - owners.count(user)
