"""Load the local cluster with writes, reads and streams at a fixed rate; see README.md."""

import argparse
import asyncio
import itertools
import json
import os
import platform
import socket
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psutil

from .bench_turn import summarise
from .peer_report import markdown_table, replace_section, setting_text
from .processes import DIMS, HERE, process, run_command

WRITES_PER_SECOND = 50
READS_PER_SECOND = 50
STREAMS = 10
USERS = 200
SAMPLE_SECONDS = 2.0
START_SECONDS = 120
TIMEOUT_SECONDS = 30.0
MIN_SAMPLES = 3  # of a line with an error
FULL_SECONDS = 600
CLUSTER = HERE.parent / "deploy" / "local-cluster" / "cluster.py"
REPLY = ("--tokens", "200", "--first-token-delay", "0.2", "--token-delay", "0.05", "--embedding-delay", "0.05")
PLACES = ("Oslo", "Lima", "Kyoto", "Accra", "Turin", "Quito", "Perth", "Minsk")
RESULTS = HERE / "results" / "cluster.json"


@dataclass(slots=True)
class Load:
    """The requests sent, their latencies and errors, and the memory of each process."""

    http: httpx.AsyncClient
    users: list[dict[str, str]] = field(default_factory=list)
    """Headers of signed-in users."""
    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    memory: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """(seconds, MB) of each process."""

    async def timed(self, name: str, due: float, act: Awaitable[None]) -> None:
        """Record the time since a request was due; waiting for earlier ones counts."""
        try:
            await act
        except (httpx.HTTPError, OSError, RuntimeError) as error:
            self.errors[f"{name}: {type(error).__name__} {error}"[:150]] += 1
        else:
            self.milliseconds.setdefault(name, []).append(1000 * (time.perf_counter() - due))

    async def write(self, n: int) -> None:
        """Add a memory."""
        body = {"text": f"In {1900 + n % 120} they visited {PLACES[n % len(PLACES)]} with colleague {n}"}
        answer = await self.http.post("/memories", json=body, headers=self.users[n % USERS])
        answer.raise_for_status()

    async def read(self, n: int) -> None:
        """Search memories, list memories or list threads."""
        headers = self.users[n % USERS]
        place = PLACES[n % len(PLACES)]
        path, parameters = (("/memories", {"q": f"When was {place}?"}), ("/memories", {}), ("/threads", {}))[n % 3]
        answer = await self.http.get(path, params=parameters, headers=headers)
        answer.raise_for_status()

    async def stream(self, n: int) -> None:
        """Send a message to a new thread and read the reply to its end."""
        url, body = (
            f"/threads/{uuid.uuid4()}/messages",
            {"text": f"What should I know about {PLACES[n % len(PLACES)]}?"},
        )
        last = ""
        async with self.http.stream("POST", url, json=body, headers=self.users[n % USERS]) as response:
            response.raise_for_status()
            async for line in response.aiter_lines():
                last = line or last
        if '"completed"' not in last:
            raise RuntimeError(f"the stream ended with {last!r}")


async def at_rate(load: Load, name: str, per_second: int, until: float, act: Callable[[int], Awaitable[None]]) -> None:
    """Start requests at fixed times, whether or not earlier ones have ended."""
    async with asyncio.TaskGroup() as tasks:
        started = time.perf_counter()
        for n in itertools.count():
            due = started + n / per_second
            if due >= until:
                return
            await asyncio.sleep(due - time.perf_counter())
            tasks.create_task(load.timed(name, due, act(n)))


async def keep_streaming(load: Load, number: int, until: float) -> None:
    """Keep one stream open after the other."""
    for n in itertools.count(number, STREAMS):
        if time.perf_counter() >= until:
            return
        await load.timed("stream", time.perf_counter(), load.stream(n))


async def sample_memory(load: Load, cluster: psutil.Process, until: float) -> None:
    """Record the resident memory of each process of the cluster, without memory shared with others."""
    started = time.perf_counter()
    while (now := time.perf_counter()) < until:
        for name, megabytes in (await asyncio.to_thread(_memory, cluster)).items():
            load.memory.setdefault(name, []).append((now - started, megabytes))
        await asyncio.sleep(SAMPLE_SECONDS)


def _memory(cluster: psutil.Process) -> dict[str, float]:
    """MB by process; those of Postgres, nginx and PgBouncer are added up."""
    found: dict[str, float] = {}
    for child in cluster.children(recursive=True):
        try:
            name = _program(child)
            found[name] = found.get(name, 0) + child.memory_full_info().uss / 1e6
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return {name: megabytes for name, megabytes in found.items() if name}


def _program(child: psutil.Process) -> str:
    command = " ".join(child.cmdline())
    for mark, name in (("gateway.cli serve", "gateway"), ("gateway.cli worker", "worker")):
        if mark in command:
            return f"{name} {child.pid}"
    return next((name for name in ("postgres", "nginx", "pgbouncer") if name in child.name()), "")


def slope(samples: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Growth in MB an hour over the second half of the samples, with its standard error."""
    later = np.array(samples[len(samples) // 2 :])
    if len(later) < MIN_SAMPLES:
        return 0.0, float("inf")
    (rate, _), covariance = np.polyfit(later[:, 0], later[:, 1], 1, cov="unscaled")
    residuals = later[:, 1] - np.polyval(np.polyfit(later[:, 0], later[:, 1], 1), later[:, 0])
    error = float(np.sqrt(covariance[0, 0] * residuals.var() * len(later) / (len(later) - 2)))
    return 3600 * float(rate), 3600 * error


async def run(seconds: float) -> Load:
    """Start the cluster, warm it up and load it."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        model = stack.enter_context(
            process("support.scripted_openai", "--dims", str(DIMS), *REPLY, work_dir=HERE.parent / "tests")
        )
        with socket.create_server(("127.0.0.1", 0)) as reserved:
            url = f"http://127.0.0.1:{reserved.getsockname()[1]}"
        env = {
            "OPENAI_API_KEY": "x",
            "OPENAI_BASE_URL": f"{model}/v1",
            "KEEPSAKE_EMBEDDING_DIMS": str(DIMS),
            "KEEPSAKE_MODEL_TITLES": "false",
            "KEEPSAKE_LIMIT_MEMORIES": "0",
            "KEEPSAKE_LIMIT_THREADS": "0",
        }
        command = [sys.executable, str(CLUSTER), "--port", url.rpartition(":")[2], "--folder", str(folder / "cluster")]
        stack.enter_context(run_command(command, folder, env, log=folder / "errors.log", url=url))
        limits = httpx.Limits(max_connections=500, max_keepalive_connections=100)
        http = httpx.AsyncClient(base_url=url, trust_env=False, timeout=TIMEOUT_SECONDS, limits=limits)
        load = Load(await stack.enter_async_context(http))
        await _wait_until_ready(load.http)
        load.users = [await _sign_in(load.http, n) for n in range(USERS)]
        cluster = next(p for p in psutil.Process().children() if str(CLUSTER) in p.cmdline())
        until = time.perf_counter() + seconds
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(sample_memory(load, cluster, until))
            tasks.create_task(at_rate(load, "write", WRITES_PER_SECOND, until, load.write))
            tasks.create_task(at_rate(load, "read", READS_PER_SECOND, until, load.read))
            for number in range(STREAMS):
                tasks.create_task(keep_streaming(load, number, until))
        return load


async def _wait_until_ready(http: httpx.AsyncClient) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            if (await http.get("/readyz")).is_success:
                return
        except httpx.TransportError:
            pass
        if time.monotonic() > deadline:
            raise SystemExit("the cluster did not start; see its output")
        await asyncio.sleep(0.2)


async def _sign_in(http: httpx.AsyncClient, n: int) -> dict[str, str]:
    answer = await http.post("/dev/token", json={"user": f"user{n}"})
    headers = {"Authorization": f"Bearer {answer.raise_for_status().json()['access_token']}"}
    (await http.get("/me", headers=headers)).raise_for_status()
    return headers


def figures(load: Load) -> dict[str, Any]:
    """Latencies, errors and memory."""
    growth = {name: slope(samples) for name, samples in load.memory.items()}
    return {
        "requests": {
            name: {"count": len(values), "ms": summarise(values)} for name, values in load.milliseconds.items()
        },
        "errors": dict(load.errors),
        "memory": {
            name: {"MB": round(samples[-1][1], 1), "MB per hour": [round(value, 1) for value in growth[name]]}
            for name, samples in load.memory.items()
        },
    }


def tables(found: dict[str, Any]) -> str:
    """The section of README.md."""
    requests = [
        [name, f"{one['count']:,}", *(f"{one['ms'][part]:,.0f}" for part in ("p50", "p95", "max"))]
        for name, one in sorted(found["requests"].items())
    ]
    memory = [
        [name, f"{one['MB']:,.0f}", "{:+,.0f} ± {:,.0f}".format(*one["MB per hour"])]
        for name, one in sorted(found["memory"].items())
    ]
    errors = "\n".join(f"- {what}: {count} times" for what, count in found["errors"].items()) or "No errors."
    return "\n\n".join(
        [
            markdown_table(["request", "completed", "p50 (ms)", "p95 (ms)", "longest (ms)"], requests),
            errors,
            markdown_table(["process", "MB", "growth (MB per hour)"], memory),
        ]
    )


def main() -> None:
    """Measure, print tables and write them to results and README.md."""
    parser = argparse.ArgumentParser(description="Load the local cluster.")
    parser.add_argument("--seconds", type=float, default=FULL_SECONDS, help="fewer than 600: writes nothing")
    parser.add_argument("--shared", action="store_true", help="note that other work ran on the machine")
    options = parser.parse_args()
    found = figures(asyncio.run(run(options.seconds)))
    machine = f"{os.cpu_count()} cores, {platform.system()}" + (", shared" if options.shared else "")
    setting = {
        "measured": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": machine,
        "seconds": options.seconds,
    }
    text = f"{tables(found)}\n\n{setting_text(setting)}."
    print(text)
    if options.seconds >= FULL_SECONDS:
        RESULTS.write_text(json.dumps({"setting": setting, **found}, indent=1) + "\n", encoding="utf-8")
        replace_section(HERE / "README.md", "cluster", text)


if __name__ == "__main__":
    main()
