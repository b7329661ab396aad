"""A storm against the wall: statements that ask for everybody's rows, with errors and cancellations between them."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence

import psycopg

from agent.database.row_security import ScopedPool
from agent.types import UserId

# Each without any condition on whose rows are meant.
STATEMENTS = {
    "store": "SELECT split_part(prefix, '.', 2) AS owner FROM store",
    "store_vectors": "SELECT split_part(prefix, '.', 2) AS owner FROM store_vectors",
    "threads": "SELECT user_id AS owner FROM threads",
    "messages": "SELECT user_id AS owner FROM messages",
    "runs": "SELECT user_id AS owner FROM runs",
    "run_events": "SELECT user_id AS owner FROM run_events",
    "formation": "SELECT user_id AS owner FROM formation",
    "users": "SELECT id AS owner FROM users",
    "checkpoints": "SELECT split_part(thread_id, '/', 1) AS owner FROM checkpoints",
    "checkpoint_blobs": "SELECT split_part(thread_id, '/', 1) AS owner FROM checkpoint_blobs",
    "checkpoint_writes": "SELECT split_part(thread_id, '/', 1) AS owner FROM checkpoint_writes",
}
FAILING = "SELECT 1 / 0"
WORKERS = 16


async def storm(database: ScopedPool, users: Sequence[UserId], *, transactions: int, seed: int) -> Counter[str]:
    """Run transactions of random users at random moments, and count what they saw.

    Returns:
        `own` and `foreign` rows, and how many transactions `failed`, were `cancelled`, or ran through.
    """
    seen: Counter[str] = Counter()
    turns = iter(range(transactions))

    async def work(worker: int) -> None:
        pick = random.Random(seed * 1_000 + worker)
        for _ in turns:
            await _transaction(database, pick, users, seen)

    await asyncio.gather(*(work(worker) for worker in range(WORKERS)))
    return seen


async def _transaction(database: ScopedPool, pick: random.Random, users: Sequence[UserId], seen: Counter[str]) -> None:
    user, statement = pick.choice(users), pick.choice(list(STATEMENTS.values()))
    fails, is_cancelled = pick.random() < 0.1, pick.random() < 0.1

    async def run() -> list[str]:
        async with database.for_user(user) as connection:
            rows = await (await connection.execute(statement)).fetchall()
            if fails:
                await (await connection.execute(FAILING)).fetchall()
            return [row["owner"] for row in rows]

    task = asyncio.create_task(run())
    if is_cancelled:
        for _ in range(pick.randrange(12)):
            await asyncio.sleep(0)
        task.cancel()
    try:
        owners = await task
    except psycopg.errors.DivisionByZero:
        seen["failed"] += 1
    except asyncio.CancelledError:
        seen["cancelled"] += 1
    else:
        seen["through"] += 1
        seen["own"] += owners.count(user)
        seen["foreign"] += len(owners) - owners.count(user)
