"""Measure the CPU time and the storage that `bench.simulate` multiplies; see docs/scaling.md.

One gateway that also forms memories, a Postgres of its own and a scripted model that answers at once. CPU time, unlike
elapsed time, is comparable on a machine that also does other work.
"""

import asyncio
import json
import platform
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg

from agent.database.embedded import embedded_postgres
from support.client import ApiClient, new_thread

from .processes import HERE, process
from .simulate import RESULTS, ServiceTimes

DIMS = 1536
USERS = 40
BURSTS = 3
MESSAGES = 4
"""Of a burst, each in the same thread."""
MEMORIES = 100
CONCURRENCY = 4
TIMEOUT_SECONDS = 120.0
PLACES = ("Oslo", "Lima", "Kyoto", "Accra", "Turin", "Quito", "Perth", "Minsk")
CHAT_TABLES = ("threads", "messages", "runs", "run_events", "checkpoints", "checkpoint_blobs", "checkpoint_writes")
MEMORY_TABLES = ("store", "store_vectors")
USER_TABLES = ("users", "formation", "usage")


def cpu_seconds(found: psutil.Process) -> float:
    """CPU time of a process, its children, and those of them that have ended."""
    total = 0.0
    for each in (found, *found.children(recursive=True)):
        try:
            times = each.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


@contextmanager
def measured(gateway: psutil.Process, postgres: psutil.Process) -> Iterator[dict[str, float]]:
    """Measure the CPU seconds of gateway and Postgres during the block."""
    used = {"gateway": -cpu_seconds(gateway), "postgres": -cpu_seconds(postgres)}
    yield used
    used["gateway"] += cpu_seconds(gateway)
    used["postgres"] += cpu_seconds(postgres)


def size(uri: str, tables: tuple[str, ...]) -> int:
    """Bytes of tables with their indexes and out-of-line values."""
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("VACUUM")
        total = "SELECT sum(pg_total_relation_size(name::regclass)) AS size FROM unnest(%s::text[]) AS name"
        row = connection.execute(total, [list(tables)]).fetchone()
        return int(row[0]) if row else 0


async def talk(user: ApiClient, burst: int) -> None:
    """Send a burst of messages in a new thread."""
    thread = new_thread()
    for n in range(MESSAGES):
        place = PLACES[(burst + n) % len(PLACES)]
        await user.send(f"In {2000 + 7 * burst + n} I moved to {place} with my dog. What is near?", thread=thread)


async def for_users(users: list[ApiClient], act: Any) -> None:  # noqa: ANN401 - an async function of a user
    """Apply a function to all users, a few at a time."""
    limit = asyncio.Semaphore(CONCURRENCY)

    async def one(user: ApiClient) -> None:
        async with limit:
            await act(user)

    await asyncio.gather(*(one(user) for user in users))


async def import_memories(user: ApiClient) -> None:
    """Import memories of a sentence each."""
    lines = [{"kind": "user", "text": f"Met colleague {n} in {PLACES[n % len(PLACES)]}"} for n in range(MEMORIES)]
    body = "\n".join(json.dumps(line) for line in lines)
    (await user.http.post("/memories/import", content=body)).raise_for_status()


async def measure(url: str, uri: str, gateway: psutil.Process, postgres: psutil.Process) -> ServiceTimes:
    """Send messages, form memories, import memories; divide what that took by their number."""
    users = [await ApiClient.sign_in(url, f"user{n}") for n in range(USERS)]
    for user in users:
        user.http.timeout = httpx.Timeout(TIMEOUT_SECONDS)
    await for_users(users[:4], lambda user: talk(user, 0))  # warm up
    await for_users(users, ApiClient.flush)
    chat = size(uri, CHAT_TABLES)
    turns, drains = {"gateway": 0.0, "postgres": 0.0}, {"gateway": 0.0, "postgres": 0.0}
    for burst in range(1, BURSTS + 1):
        with measured(gateway, postgres) as used:
            await for_users(users, lambda user: talk(user, burst))  # noqa: B023 - called in this iteration
        turns = {name: turns[name] + used[name] for name in turns}
        with measured(gateway, postgres) as used:
            await for_users(users, ApiClient.flush)
        drains = {name: drains[name] + used[name] for name in drains}
    chat = size(uri, CHAT_TABLES) - chat
    before = size(uri, MEMORY_TABLES)
    await for_users(users, import_memories)
    memories = size(uri, MEMORY_TABLES) - before
    for user in users:
        await user.http.aclose()
    bursts = USERS * BURSTS
    return ServiceTimes(
        gateway_ms_per_turn=round(1000 * turns["gateway"] / (bursts * MESSAGES), 1),
        postgres_ms_per_turn=round(1000 * turns["postgres"] / (bursts * MESSAGES), 1),
        worker_ms_per_burst=round(1000 * drains["gateway"] / bursts, 1),
        postgres_ms_per_burst=round(1000 * drains["postgres"] / bursts, 1),
        bytes_per_message=round(chat / (2 * bursts * MESSAGES)),  # the user's and the reply
        bytes_per_memory=round(memories / (USERS * MEMORIES)),
        bytes_per_user=round(size(uri, USER_TABLES) / USERS),
    )


async def run(folder: Path) -> ServiceTimes:
    """Run the programs and measure."""
    with embedded_postgres(folder / "postgres") as server:
        uri = server.replace("/postgres?", "/keepsake?")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("CREATE DATABASE keepsake")
        model = process(
            "support.scripted_openai", "--dims", str(DIMS), "--tokens", "40", work_dir=HERE.parent / "tests"
        )
        with model as model_url:
            environment = {
                "OPENAI_API_KEY": "x",
                "OPENAI_BASE_URL": f"{model_url}/v1",
                "DATABASE_URL": uri,
                "KEEPSAKE_EMBEDDING_DIMS": str(DIMS),
                "KEEPSAKE_MODEL_TITLES": "false",
                "KEEPSAKE_DEBOUNCE_SECONDS": "3600",
                "KEEPSAKE_DEBOUNCE_MAX_WAIT_SECONDS": "3600",
                "KEEPSAKE_RECALL_DEADLINE_MS": "5000",
            }
            with process("gateway.cli", "serve", "--port", "0", work_dir=folder, **environment) as url:
                gateway = next(p for p in psutil.Process().children(recursive=True) if "gateway.cli" in p.cmdline())
                pid = int((folder / "postgres/postmaster.pid").read_text(encoding="utf-8").split()[0])
                return await measure(url, uri, gateway, psutil.Process(pid))


def main() -> None:
    """Measure and save."""
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as folder:
        times = asyncio.run(run(Path(folder)))
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{psutil.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "dims": DIMS,
        "users": USERS,
        "bursts": BURSTS,
        "messages_per_burst": MESSAGES,
    }
    result = {"setting": setting, "times": {name: getattr(times, name) for name in ServiceTimes.__slots__}}
    (RESULTS / "service_times.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
