"""What 50 answers at the same time cost each other. See README.md, here.

A scripted model, Keepsake's gateway and the client that measures run as processes of their own, over HTTP, and
compete for the machine's cores; so what each of them took is told too. The client does nothing but note when bytes
came; what they say is read afterwards.
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import httpx
import psutil

from gateway.server import fastest_loop

from .processes import HERE, MODEL, gateway, scripted_model

STREAMS = 50
MORE_STREAMS = 100
ROUNDS = 10
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for an answer, and what in its bytes is a token."""

    url: str
    body: dict[str, Any]
    token: bytes
    last: bytes
    headers: dict[str, str] = field(default_factory=dict)

    def written(self) -> bytes:
        """Return the request as it goes over the wire."""
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
    """One answer: its bytes, and when they came, until the last event has."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.came: list[tuple[float, bytes]] = []
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by inheritance
        self._transport.write(self.asked.written())

    def data_received(self, data: bytes) -> None:
        """Note what came, and when."""
        self.came.append((time.perf_counter(), data))
        if self.asked.last in data:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - what is missing will tell
        """Note that there is no more."""
        if not self.ended.done():
            self.ended.set_result(None)

    @property
    def tokens(self) -> list[float]:
        """When each token came, in ms; a piece of the stream may hold several."""
        return [1000 * at for at, data in self.came for _ in range(data.count(self.asked.token))]

    @property
    def gaps(self) -> list[float]:
        """How long after the one before it each token but the first came, in ms."""
        return [after - before for before, after in pairwise(self.tokens)]

    @property
    def is_whole(self) -> bool:
        """Whether all tokens and the good end came."""
        return len(self.tokens) == MODEL["tokens"] and self.asked.last in b"".join(data for _, data in self.came)


async def listen(asked: list[Asked]) -> list[Stream]:
    """Ask all at the same time, and listen to every end."""
    loop = asyncio.get_running_loop()
    streams: list[Stream] = []
    for one in asked:
        at = httpx.URL(one.url)
        assert at.port is not None
        _, stream = await loop.create_connection(partial(Stream, one), at.host, at.port)
        streams.append(stream)
    await asyncio.wait_for(asyncio.gather(*(stream.ended for stream in streams)), PATIENCE_SECONDS)
    return streams


def bare(model: str, streams: int) -> list[Asked]:
    """Return what asks the model itself."""
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "Hello."}]}
    return [Asked(f"{model}/v1/chat/completions", body, b'{"content": ', b"[DONE]")] * streams


async def turns(url: str, streams: int) -> list[Asked]:
    """Return what asks Keepsake: each somebody else, in a thread of their own."""
    asked = []
    async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
        for n in range(streams):
            token = (await http.post("/dev/token", json={"user": f"user{n}"})).raise_for_status().json()["access_token"]
            await http.get("/me", headers={"Authorization": f"Bearer {token}"})  # makes the account
            asked.append(
                Asked(
                    f"{url}/threads/{uuid.uuid4()}/messages",
                    {"text": f"I am working on plan {uuid.uuid4()}."},
                    b"event: token",
                    b'"status": "completed"',
                    {"Authorization": f"Bearer {token}"},
                )
            )
    return asked


def spread(values: list[float]) -> dict[str, float]:
    """Return median, 99th percentile and maximum."""
    p99 = statistics.quantiles(values, n=100, method="inclusive")[-1]
    return {"p50": round(statistics.median(values), 1), "p99": round(p99, 1), "max": round(max(values), 1)}


@contextmanager
def shares(of: dict[str, psutil.Process]) -> Iterator[dict[str, float]]:
    """Measure how many seconds of a core each process takes for a second of the block."""

    def seconds(process: psutil.Process) -> float:
        times = process.cpu_times()
        return float(times.user + times.system)

    taken: dict[str, float] = {}
    before = {name: seconds(process) for name, process in of.items()}
    began = time.perf_counter()
    yield taken
    took = time.perf_counter() - began
    taken |= {name: round((seconds(process) - before[name]) / took, 2) for name, process in of.items()}


def processes() -> dict[str, psutil.Process]:
    """Return who takes part, by what they are."""
    found = {"client": psutil.Process()}
    for child in psutil.Process().children(recursive=True):
        command = " ".join(child.cmdline())
        for name, mark in (("model", "scripted_openai"), ("gateway", "gateway.cli")):
            if mark in command:
                found[name] = child
    return found


async def measure(model: str, url: str, rounds: int) -> dict[str, Any]:
    """Let the bare model and Keepsake take turns, then ask Keepsake for more at a time."""
    gaps: dict[str, list[float]] = {"bare": [], "keepsake": []}
    firsts: dict[str, list[float]] = {"bare": [], "keepsake": []}
    taken: dict[str, list[dict[str, float]]] = {"bare": [], "keepsake": []}
    who = processes()
    for n in range(1 + rounds):
        for name, asked in (("bare", bare(model, STREAMS)), ("keepsake", await turns(url, STREAMS))):
            with shares(who) as share:
                began = 1000 * time.perf_counter()
                streams = await listen(asked)
            assert all(stream.is_whole for stream in streams), name
            if n:  # the first round warms up
                gaps[name] += [gap for stream in streams for gap in stream.gaps]
                firsts[name] += [stream.tokens[0] - began for stream in streams]
                taken[name].append(share)
            await asyncio.sleep(0.5)
    more = await listen(await turns(url, MORE_STREAMS))
    return {
        "gap between tokens, bare (ms)": spread(gaps["bare"]),
        "gap between tokens, Keepsake (ms)": spread(gaps["keepsake"]),
        "first token, bare (ms)": spread(firsts["bare"]),
        "first token, Keepsake (ms)": spread(firsts["keepsake"]),
        "cores taken, bare": average(taken["bare"]),
        "cores taken, Keepsake": average(taken["keepsake"]),
        "100 streams, whole": sum(stream.is_whole for stream in more),
        "100 streams, gap (ms)": spread([gap for stream in more for gap in stream.gaps]),
    }


def average(taken: list[dict[str, float]]) -> dict[str, float]:
    """Return each one's share over all rounds."""
    return {name: round(statistics.mean(share[name] for share in taken), 2) for name in taken[0]}


async def run(rounds: int) -> dict[str, Any]:
    """Start everything, measure."""
    with (
        tempfile.TemporaryDirectory(prefix="keepsake-bench-") as data,
        scripted_model() as model,
        gateway(model, Path(data)) as url,
    ):
        return await measure(model, url, rounds)


def main() -> None:
    """Measure, print a table, and keep the figures in results/streams.json."""
    parser = argparse.ArgumentParser(description="What 50 answers at the same time cost each other.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        figures = runner.run(run(given.rounds))
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "model": MODEL,
        "streams": STREAMS,
        "rounds": given.rounds,
    }
    results = HERE / "results" / "streams.json"
    results.write_text(json.dumps({"setting": setting, "figures": figures}, indent=2) + "\n")
    for what, figure in figures.items():
        row = [f"{part} {value:>6}" for part, value in figure.items()] if isinstance(figure, dict) else [figure]
        print(f"{what:40}", *row, sep="  ")


if __name__ == "__main__":
    main()
