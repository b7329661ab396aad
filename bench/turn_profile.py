"""Where the CPU time of turns goes, and what they ask of the database; see README.md."""

import asyncio
import itertools
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psutil

from agent.database import open_database
from agent.settings import AgentSettings
from gateway.http_server import fastest_loop

from .bench_streams import StreamRequest, keepsake_requests, read_streams
from .postgres_proxy import Counts, counting_proxy
from .processes import HERE, MODEL, gateway, scripted_model
from .turn_seed import seed

PROFILED_USERS = 400
BURST = 50
LARGE_BURST = 100
BURSTS = 6
SINGLE_TURNS = 60
COUNTED_TURNS = 20
IDLE_SECONDS = 10.0
SAMPLES_PER_SECOND = 250
SETTLE_SECONDS = 1.0
AREAS = {  # a frame belongs to the first area of which its path contains a part
    "psycopg": ("/psycopg/", "/psycopg_pool/"),
    "LangGraph": ("/langgraph/",),
    "LangChain": ("/langchain_core/", "/langchain_openai/", "/langsmith/"),
    "openai client": ("/openai/",),
    "HTTP client": ("/httpx", "/httpcore", "/aiohttp/"),
    "FastAPI and Starlette": ("/fastapi/", "/starlette/"),
    "uvicorn": ("/uvicorn/",),
    "pydantic": ("/pydantic",),
    "anyio": ("/anyio/",),
    "gateway": ("/gateway/",),
    "agent: runs": ("/agent/runs/",),
    "agent: recall": ("/agent/memory/", "/agent/language/"),
    "agent: store": ("/agent/store/",),
    "agent: database": ("/agent/database/",),
    "agent: chat and models": ("/agent/chat/", "/agent/models/"),
    "agent: other": ("/agent/",),
}
OTHER = "event loop and other"


@dataclass(frozen=True, slots=True)
class Service:
    """A running gateway, and its users."""

    url: str
    postmaster: int
    """Process id of Postgres."""
    requests: Sequence[StreamRequest]
    """One message of each user, with the user's token."""

    @classmethod
    async def sign_in(cls, url: str, data: Path) -> "Service":
        """Sign all users in."""
        pid = int((data / "postgres" / "postmaster.pid").read_text(encoding="utf-8").partition("\n")[0])
        return cls(url, pid, await keepsake_requests(url, LARGE_BURST))

    def messages(self, count: int) -> list[StreamRequest]:
        """Messages of different users to new threads."""
        return [
            replace(request, url=f"{self.url}/threads/{uuid.uuid4()}/messages", body=_new_text())
            for request in itertools.islice(itertools.cycle(self.requests), count)
        ]

    async def burst(self, size: int) -> list[float]:
        """Send messages at once, each of another user to a new thread; the times of the first tokens, in seconds."""
        requests = self.messages(size)
        started = 1000 * time.perf_counter()
        streams = await read_streams(requests)
        incomplete = [b"".join(data for _, data in stream.chunks) for stream in streams if not stream.is_complete]
        assert not incomplete, incomplete[0][-500:]
        return [(stream.token_times[0] - started) / 1000 for stream in streams]

    async def one_by_one(self, turns: int, *, again: bool = False) -> list[float]:
        """Send messages to new threads one after another; the times of the first tokens, in seconds.

        Args:
            turns: the number of messages.
            again: send a second message to each thread, and measure only those.
        """
        firsts = []
        for request in self.messages(turns):
            first = await _first_token(request)
            firsts.append(await _first_token(replace(request, body=_new_text())) if again else first)
        return firsts

    @contextmanager
    def cpu_per_turn(self, turns: int, into: dict[str, float]) -> Iterator[None]:
        """Measure the CPU time of the turns in the block, in ms per turn."""
        before = self._cpu_seconds()
        yield
        for name, seconds in self._cpu_seconds().items():
            into[name] = round(1000 * (seconds - before[name]) / turns, 1)

    def _cpu_seconds(self) -> dict[str, float]:
        python = sum(sum(process.cpu_times()[:2]) for process in find_gateways())
        server = psutil.Process(self.postmaster)
        postgres = sum(server.cpu_times()[:4])  # with its processes that have ended
        for process in server.children():
            with suppress(psutil.NoSuchProcess):
                postgres += sum(process.cpu_times()[:2])
        return {"Python": python, "Postgres": postgres}


def find_gateways() -> list[psutil.Process]:
    """The processes of the gateway."""
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "gateway.cli" in " ".join(child.cmdline())]


async def _first_token(request: StreamRequest) -> float:
    started = 1000 * time.perf_counter()
    [stream] = await read_streams([request])
    return (stream.token_times[0] - started) / 1000


def _new_text() -> dict[str, str]:
    return {"text": f"I am working on plan {uuid.uuid4()}."}


@asynccontextmanager
async def sampled(into: Counter[str]) -> AsyncIterator[None]:
    """Sample the stacks of the gateway during the block, and count the samples by area."""
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        options = ["--pid", str(find_gateways()[0].pid), "--rate", str(SAMPLES_PER_SECOND), "--gil", "--format", "raw"]
        py_spy = str(Path(sys.executable).with_name("py-spy"))
        recorder = await asyncio.create_subprocess_exec(
            *(py_spy, "record", "--full-filenames", *options, "--output", file.name),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await asyncio.sleep(SETTLE_SECONDS)
        yield
        recorder.send_signal(signal.SIGINT)
        await recorder.wait()
        for line in file.read().decode().splitlines():
            stack, _, count = line.rpartition(" ")
            into[area_of(stack.split(";"))] += int(count)


def area_of(stack: Sequence[str]) -> str:
    """The area of the innermost frame that belongs to one."""
    for frame in reversed(stack):
        for area, parts in AREAS.items():
            if any(part in frame for part in parts):
                return area
    return OTHER


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile, and their ratio."""
    p50, p95 = statistics.median(values), statistics.quantiles(values, n=20, method="inclusive")[-1]
    return {"p50": round(p50, 3), "p95": round(p95, 3), "p95/p50": round(p95 / p50, 2)}


async def measure_cpu(service: Service) -> dict[str, Any]:
    """CPU time per turn in bursts and one by one, and while idle."""
    figures: dict[str, Any] = {}
    await service.burst(BURST)
    await service.one_by_one(SINGLE_TURNS // 4)
    firsts: list[float] = []
    with service.cpu_per_turn(BURSTS * BURST, figures.setdefault("CPU per turn in bursts of 50 (ms)", {})):
        for _ in range(BURSTS):
            firsts += await service.burst(BURST)
            await asyncio.sleep(SETTLE_SECONDS)
    figures["first token of 50 at once (s)"] = quantiles(firsts)
    firsts = []
    for _ in range(BURSTS // 2):
        firsts += await service.burst(LARGE_BURST)
        await asyncio.sleep(SETTLE_SECONDS)
    figures["first token of 100 at once (s)"] = quantiles(firsts)
    with service.cpu_per_turn(SINGLE_TURNS, figures.setdefault("CPU per turn, one by one (ms)", {})):
        firsts = await service.one_by_one(SINGLE_TURNS)
    figures["first token, new thread (s)"] = quantiles(firsts)
    figures["first token, existing thread (s)"] = quantiles(await service.one_by_one(SINGLE_TURNS, again=True))
    await asyncio.sleep(2 * SETTLE_SECONDS)
    idle: dict[str, float] = {}
    with service.cpu_per_turn(1, idle):
        await asyncio.sleep(IDLE_SECONDS)
    figures["idle (% of a core)"] = {name: round(ms / 10 / IDLE_SECONDS, 2) for name, ms in idle.items()}
    return figures


async def sample_areas(service: Service) -> dict[str, Any]:
    """Share of the samples in each area, in %, in bursts and one by one."""
    counted: dict[str, Counter[str]] = {"burst": Counter(), "one by one": Counter()}
    async with sampled(counted["burst"]):
        for _ in range(BURSTS):
            await service.burst(BURST)
    async with sampled(counted["one by one"]):
        await service.one_by_one(SINGLE_TURNS)
    return {
        area: {name: round(100 * counts[area] / counts.total(), 1) for name, counts in counted.items()}
        for area, _ in counted["burst"].most_common()
    }


async def count_statements(service: Service, counts: Counts) -> dict[str, Any]:
    """Statements and round trips of a turn, with what the process does at the same time."""
    statements, round_trips, texts = counts.statements, counts.round_trips, Counter(counts.texts)
    await service.one_by_one(COUNTED_TURNS)
    await asyncio.sleep(SETTLE_SECONDS)
    figures: dict[str, Any] = {
        "statements": round((counts.statements - statements) / COUNTED_TURNS, 1),
        "round trips": round((counts.round_trips - round_trips) / COUNTED_TURNS, 1),
    }
    return figures | {text: round(n / COUNTED_TURNS, 2) for text, n in (counts.texts - texts).most_common()}


async def profile() -> dict[str, dict[str, Any]]:
    """Start all processes, and measure."""
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        model = stack.enter_context(scripted_model())
        uri = await stack.enter_async_context(open_database(AgentSettings(data_dir=data, _env_file=None)))
        with gateway(model, data, DATABASE_URL=uri) as url:
            await seed(model, data, PROFILED_USERS)
            service = await Service.sign_in(url, data)
            figures = {"CPU and latency": await measure_cpu(service), "samples (%)": await sample_areas(service)}
        server, folder = Path(unquote(re.findall(r"host=([^&]+)", uri)[0])) / ".s.PGSQL.5432", data / "proxy"
        folder.mkdir()
        async with counting_proxy(server, folder) as counts:
            proxied = gateway(model, data, DATABASE_URL=re.sub(r"host=[^&]+", f"host={folder}", uri))
            url = await asyncio.to_thread(proxied.__enter__)
            try:
                service = await Service.sign_in(url, data)
                await service.one_by_one(COUNTED_TURNS)
                figures["statements of a turn"] = await count_statements(service, counts)
            finally:
                await asyncio.to_thread(proxied.__exit__, None, None, None)
    return figures


def print_profile() -> None:
    """Measure, print tables and write results/turn_profile.json."""
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        tables = runner.run(profile())
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "load": [round(value, 1) for value in os.getloadavg()],
        "model": MODEL,
    }
    results = HERE / "results" / "turn_profile.json"
    results.write_text(json.dumps({"setting": setting, **tables}, indent=2) + "\n")
    for title, rows in tables.items():
        print(f"\n{title}")
        for name, figure in rows.items():
            parts = [f"{part} {value:>6}" for part, value in figure.items()] if isinstance(figure, dict) else [figure]
            print(f"  {name:72.72}", *parts, sep="  ")
