"""Measure 50 concurrent streams; see README.md.

The scripted model, the gateway and this client are separate processes that compete for the machine's cores, so the
CPU time of each is reported. The client only records chunks and times, and parses them afterwards.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import httpx
import psutil

from gateway.http_server import fastest_loop

from .processes import HERE, MODEL, gateway, scripted_model

STREAMS = 50
MORE_STREAMS = 100
ROUNDS = 10
TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """A streaming request and the byte markers of its response."""

    url: str
    body: dict[str, Any]
    token_marker: bytes
    """Precedes the text of one or more tokens, each of which is a word."""
    end_marker: bytes
    headers: dict[str, str] = field(default_factory=dict)

    def as_bytes(self) -> bytes:
        """The request as sent over the wire."""
        at = httpx.URL(self.url)
        body = json.dumps(self.body).encode()
        head = {
            "Host": at.netloc.decode(),
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        } | self.headers
        lines = [f"POST {at.path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
        return "\r\n".join(lines).encode() + body


class Stream(asyncio.Protocol):
    """One streamed response: its chunks and their arrival times."""

    def __init__(self, asked: StreamRequest) -> None:
        self.request = asked
        self.chunks: list[tuple[float, bytes]] = []
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's class does not inherit from it
        self._transport.write(self.request.as_bytes())

    def data_received(self, data: bytes) -> None:
        """Record a chunk."""
        self.chunks.append((time.perf_counter(), data))
        if self.request.end_marker in data:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (is_complete detects missing data)
        """Mark the stream as ended."""
        if not self.ended.done():
            self.ended.set_result(None)

    @property
    def token_times(self) -> list[float]:
        """Arrival time of each token, in ms; a chunk, and each text in it, may contain several tokens."""
        return [1000 * at for at, data in self.chunks for _ in range(self._count_tokens(data))]

    def _count_tokens(self, data: bytes) -> int:
        texts = [after.partition(b'"')[0] for after in data.split(self.request.token_marker)[1:]]
        return sum(max(1, len(text.split())) for text in texts)

    @property
    def gaps(self) -> list[float]:
        """Time between consecutive tokens, in ms."""
        return [after - before for before, after in pairwise(self.token_times)]

    @property
    def is_ended(self) -> bool:
        """True if the end marker arrived."""
        return self.request.end_marker in b"".join(data for _, data in self.chunks)

    @property
    def is_complete(self) -> bool:
        """True if all tokens and the end marker arrived."""
        return len(self.token_times) == MODEL["tokens"] and self.is_ended


async def read_streams(asked: list[StreamRequest]) -> list[Stream]:
    """Send all requests at the same time and read the responses to the end."""
    loop = asyncio.get_running_loop()
    streams: list[Stream] = []
    for one in asked:
        at = httpx.URL(one.url)
        assert at.port is not None
        _, stream = await loop.create_connection(partial(Stream, one), at.host, at.port)
        streams.append(stream)
    await asyncio.wait_for(asyncio.gather(*(stream.ended for stream in streams)), TIMEOUT_SECONDS)
    return streams


def model_requests(model: str, streams: int) -> list[StreamRequest]:
    """Requests to the model itself."""
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "Hello."}]}
    return [StreamRequest(f"{model}/v1/chat/completions", body, b'{"content": "', b"[DONE]")] * streams


def own_request(url: str, text: str) -> StreamRequest:
    """A message in a new thread."""
    return StreamRequest(
        f"{url}/threads/{uuid.uuid4()}/messages",
        {"text": text},
        b'event: token\ndata: {"text": "',
        b'"status": "completed"',
    )


def openai_request(url: str, text: str) -> StreamRequest:
    """A message of a new conversation through `/v1`."""
    body = {"stream": True, "messages": [{"role": "user", "content": text}]}
    return StreamRequest(f"{url}/v1/chat/completions", body, b'"delta": {"content": "', b"[DONE]")


async def keepsake_requests(
    url: str, streams: int, make: Callable[[str, str], StreamRequest] = own_request
) -> list[StreamRequest]:
    """Requests to Keepsake, each from another user."""
    asked = []
    async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
        for n in range(streams):
            token = (await http.post("/dev/token", json={"user": f"user{n}"})).raise_for_status().json()["access_token"]
            await http.get("/me", headers={"Authorization": f"Bearer {token}"})  # creates the account
            request = make(url, f"I am working on plan {uuid.uuid4()}.")
            asked.append(replace(request, headers={"Authorization": f"Bearer {token}"}))
    return asked


def summarise(values: list[float]) -> dict[str, float]:
    """Median, 99th percentile and maximum."""
    p99 = statistics.quantiles(values, n=100, method="inclusive")[-1]
    return {"p50": round(statistics.median(values), 1), "p99": round(p99, 1), "max": round(max(values), 1)}


@contextmanager
def measure_cpu(of: dict[str, psutil.Process]) -> Iterator[dict[str, float]]:
    """Measure the CPU seconds per second that each process uses during the block."""

    def seconds(process: psutil.Process) -> float:
        times = process.cpu_times()
        return float(times.user + times.system)

    stats: dict[str, float] = {}
    before = {name: seconds(process) for name, process in of.items()}
    started = time.perf_counter()
    yield stats
    elapsed = time.perf_counter() - started
    stats |= {name: round((seconds(process) - before[name]) / elapsed, 2) for name, process in of.items()}


def find_processes() -> dict[str, psutil.Process]:
    """The client, model and gateway processes."""
    found = {"client": psutil.Process()}
    for child in psutil.Process().children(recursive=True):
        command = " ".join(child.cmdline())
        for name, mark in (("model", "scripted_openai"), ("gateway", "gateway.cli")):
            if mark in command:
                found[name] = child
    return found


async def measure(model: str, url: str, rounds: int) -> dict[str, Any]:
    """Alternate between the bare model and Keepsake's APIs, then send more concurrent requests to Keepsake."""
    names = ("bare", "Keepsake", "/v1")
    gaps: dict[str, list[float]] = {name: [] for name in names}
    firsts: dict[str, list[float]] = {name: [] for name in names}
    stats: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    who = find_processes()
    for n in range(1 + rounds):
        for name, asked in (
            ("bare", model_requests(model, STREAMS)),
            ("Keepsake", await keepsake_requests(url, STREAMS)),
            ("/v1", await keepsake_requests(url, STREAMS, openai_request)),
        ):
            with measure_cpu(who) as share:
                started = 1000 * time.perf_counter()
                streams = await read_streams(asked)
            assert all(stream.is_complete for stream in streams), name
            if n:  # the first round warms up
                gaps[name] += [gap for stream in streams for gap in stream.gaps]
                firsts[name] += [stream.token_times[0] - started for stream in streams]
                stats[name].append(share)
            await asyncio.sleep(0.5)
    more = await read_streams(await keepsake_requests(url, MORE_STREAMS))
    return {
        **{f"gap between tokens, {name} (ms)": summarise(gaps[name]) for name in names},
        **{f"first token, {name} (ms)": summarise(firsts[name]) for name in names},
        **{f"cores taken, {name}": average_cpu(stats[name]) for name in names},
        "100 streams, whole": sum(stream.is_complete for stream in more),
        "100 streams, gap (ms)": summarise([gap for stream in more for gap in stream.gaps]),
    }


def average_cpu(stats: list[dict[str, float]]) -> dict[str, float]:
    """Mean CPU use of each process over all rounds."""
    return {name: round(statistics.mean(share[name] for share in stats), 2) for name in stats[0]}


async def run(rounds: int) -> dict[str, Any]:
    """Start all processes and measure."""
    with (
        tempfile.TemporaryDirectory(prefix="keepsake-bench-") as data,
        scripted_model() as model,
        gateway(model, Path(data)) as url,
    ):
        return await measure(model, url, rounds)


def main() -> None:
    """Measure, print a table and write results/streams.json."""
    parser = argparse.ArgumentParser(description="Measure 50 concurrent streams.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        figures = runner.run(run(arguments.rounds))
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "model": MODEL,
        "streams": STREAMS,
        "rounds": arguments.rounds,
    }
    results = HERE / "results" / "streams.json"
    results.write_text(json.dumps({"setting": setting, "figures": figures}, indent=2) + "\n")
    for what, figure in figures.items():
        row = [f"{part} {value:>6}" for part, value in figure.items()] if isinstance(figure, dict) else [figure]
        print(f"{what:40}", *row, sep="  ")


if __name__ == "__main__":
    main()
