"""Test row-level security under load: statements without conditions, with errors and cancellations; see README.md."""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from psycopg.types.json import Jsonb  # noqa: E402 (tests/ must be on the path first)

from agent import AgentSettings, open_agent  # noqa: E402
from agent.database import open_database, open_pool  # noqa: E402
from agent.database.row_security import ScopedPool  # noqa: E402
from agent.types import UserId  # noqa: E402
from support.row_security import run_random_transactions  # noqa: E402

USERS = 20
ROWS = 5


async def seed(database: ScopedPool) -> list[UserId]:
    """Insert rows for every user into every table."""
    users = [UserId(f"user{n}") for n in range(USERS)]
    async with database.unscoped() as connection:
        for user in users:
            values = {"user": user, "rows": ROWS, "value": Jsonb({"text": "x"})}
            for statement in (
                "INSERT INTO users VALUES (%(user)s, 'bench', %(user)s)",
                "INSERT INTO formation (user_id, due_at) VALUES (%(user)s, now() + interval '1 day')",
                "INSERT INTO threads (id, user_id) "
                "SELECT gen_random_uuid(), %(user)s FROM generate_series(1, %(rows)s)",
                "INSERT INTO messages (user_id, id, thread_id, role, text) "
                "SELECT user_id, gen_random_uuid(), id, 'user', 'x' FROM threads WHERE user_id = %(user)s",
                "INSERT INTO store (prefix, key, value) SELECT 'users.' || %(user)s || '.memories.user', n, %(value)s "
                "FROM generate_series(1, %(rows)s) AS n",
                "INSERT INTO store_vectors (prefix, key, field_name) SELECT prefix, key, 'text' FROM store "
                "WHERE prefix LIKE 'users.' || %(user)s || '.%%'",
                "INSERT INTO checkpoints (thread_id, checkpoint_id, checkpoint) "
                "SELECT %(user)s || '/' || n, 'x', '{}' FROM generate_series(1, %(rows)s) AS n",
            ):
                await connection.execute(statement, values)
    return users


async def run(transactions: int) -> dict[str, Any]:
    """Create a database, fill it and run the transactions."""
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as folder:
        async with open_database(AgentSettings(data_dir=Path(folder), _env_file=None)) as uri:
            async with open_agent(AgentSettings(database_url=uri, _env_file=None), start_worker=False):
                pass
            async with open_pool(uri, size=8, name="bench") as pool:
                database = ScopedPool(pool)
                users = await seed(database)
                started = time.perf_counter()
                counts = await run_random_transactions(database, users, transactions=transactions, seed=1)
                return dict(sorted(counts.items())) | {"seconds": round(time.perf_counter() - started, 1)}


def main() -> None:
    """Measure, print and write results/row_security.json."""
    parser = argparse.ArgumentParser(description="Test row-level security under load.")
    parser.add_argument("--transactions", type=int, default=100_000)
    arguments = parser.parse_args()
    figures = {"transactions": arguments.transactions} | asyncio.run(run(arguments.transactions))
    (HERE / "results" / "row_security.json").write_text(json.dumps(figures, indent=2) + "\n")
    for what, figure in figures.items():
        print(f"{what:14} {figure}")


if __name__ == "__main__":
    main()
