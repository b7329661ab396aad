"""Measure the routes that read or delete much, in a database of millions of messages; see README.md."""

import argparse
import asyncio
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import psycopg

from agent.database import open_database
from agent.settings import AgentSettings

from .bench_turn import summarise
from .message_data import NEEDLE, fill, groups
from .peer_report import markdown_table, replace_section, setting_text
from .processes import HERE, gateway, scripted_model

MESSAGES = 5_000_000
TARGET_MS = 200
USERS_PER_GROUP = 12
RESULTS = HERE / "results" / "messages.json"
READS: Mapping[str, tuple[str, dict[str, str]]] = {
    "list threads": ("/threads", {"limit": "50"}),
    "search threads, a word of many": ("/threads", {"q": "garden", "limit": "20"}),
    "search threads, a word of the oldest message": ("/threads", {"q": NEEDLE, "limit": "20"}),
    "search threads, no match": ("/threads", {"q": "zzzz", "limit": "20"}),
    "list memories": ("/memories", {"limit": "50"}),
    "export memories": ("/memories/export", {}),
}


async def first_byte(http: httpx.AsyncClient, method: str, path: str, parameters: dict[str, str]) -> float:
    """Milliseconds until the first byte of the body; the body is read to its end."""
    started = time.perf_counter()
    at = 0.0
    async with http.stream(method, path, params=parameters) as response:
        response.raise_for_status()
        async for _ in response.aiter_raw():
            at = at or 1000 * (time.perf_counter() - started)
    return at or 1000 * (time.perf_counter() - started)


async def sign_in(url: str, n: int, stack: AsyncExitStack) -> httpx.AsyncClient:
    """A client of user `n`."""
    http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, trust_env=False, timeout=60))
    token = (await http.post("/dev/token", json={"user": f"user{n}"})).raise_for_status().json()["access_token"]
    http.headers["Authorization"] = f"Bearer {token}"
    await http.get("/me")
    return http


async def measure_group(url: str, numbers: Sequence[int]) -> dict[str, list[float]]:
    """The times of each request, by one user after the other; erasure last."""
    times: dict[str, list[float]] = {}
    async with AsyncExitStack() as stack:
        for n in numbers[:USERS_PER_GROUP]:
            http = await sign_in(url, n, stack)
            for name, (path, parameters) in READS.items():
                times.setdefault(name, []).append(await first_byte(http, "GET", path, parameters))
            times.setdefault("erase the account", []).append(await first_byte(http, "DELETE", "/me", {}))
    return times


def sizes(uri: str) -> dict[str, Any]:
    """Rows of the transcript, and megabytes of the database."""
    with psycopg.connect(uri) as connection:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM messages), pg_database_size(current_database()) / 1000000"
        ).fetchone()
        assert row is not None
        return {"messages": row[0], "database": f"{row[1]} MB"}


async def measure(messages: int, explain: Path | None) -> tuple[dict[str, Any], dict[str, dict[str, list[float]]]]:
    """Fill a new database and measure each group of users."""
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        model = stack.enter_context(scripted_model())
        url = stack.enter_context(gateway(model, data))
        uri = await stack.enter_async_context(open_database(AgentSettings(data_dir=data, _env_file=None)))
        started = time.perf_counter()
        numbers = await asyncio.to_thread(fill, uri, groups(messages))
        size = await asyncio.to_thread(sizes, uri)
        print(f"{size} after {time.perf_counter() - started:.0f} s", flush=True)
        if explain:
            await asyncio.to_thread(_log_plans, uri)
        found = {name: await measure_group(url, of) for name, of in numbers}
        if explain:
            await asyncio.to_thread(shutil.copy, data / "postgres" / "log", explain)
    return size, found


def _log_plans(uri: str) -> None:
    """Write the plans of slow statements to Postgres' log."""
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET session_preload_libraries = 'auto_explain'")
        connection.execute("ALTER SYSTEM SET auto_explain.log_min_duration = '50ms'")
        connection.execute("ALTER SYSTEM SET auto_explain.log_analyze = on")
        connection.execute("ALTER SYSTEM SET auto_explain.log_nested_statements = on")
        connection.execute("SELECT pg_reload_conf()")


def table(found: Mapping[str, Mapping[str, list[float]]]) -> str:
    """First byte by request and group."""
    names = list(next(iter(found.values())))
    rows = []
    for name in names:
        cells = [summarise(group[name]) for group in found.values()]
        late = "" if all(cell["p95"] <= TARGET_MS for cell in cells) else f"over {TARGET_MS}"
        rows.append([name, *(f"{cell['p50']:.0f}, {cell['p95']:.0f}" for cell in cells), late])
    return markdown_table(["first byte, p50 and p95 (ms)", *(f"{name} user" for name in found), ""], rows)


def main() -> None:
    """Measure, print a table and write it to results and README.md."""
    parser = argparse.ArgumentParser(description="Measure a database of millions of messages.")
    parser.add_argument("--messages", type=int, default=MESSAGES, help="fewer than the default: writes nothing")
    parser.add_argument("--shared", action="store_true", help="note that other work ran on the machine")
    parser.add_argument(
        "--explain", type=Path, help="write Postgres' log with the plans of slow statements to this file"
    )
    options = parser.parse_args()
    size, found = asyncio.run(measure(options.messages, options.explain))
    machine = f"{os.cpu_count()} cores, {platform.system()}" + (", shared" if options.shared else "")
    setting = {"measured": datetime.now(UTC).isoformat(timespec="minutes"), "machine": machine, **size}
    text = f"{table(found)}\n\n{setting_text(setting)}."
    print(text)
    if options.messages == MESSAGES:
        RESULTS.write_text(json.dumps({"setting": setting, "first_byte_ms": found}, indent=1) + "\n", encoding="utf-8")
        replace_section(HERE / "README.md", "messages", text)


if __name__ == "__main__":
    main()
