"""Measure the first token through each client API compared with Keepsake's own route; see README.md.

The scripted model, the gateway and its embedded Postgres are separate processes. Each round sends one message through
every API, in rotating order, so that a disturbance of the machine affects all of them.
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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from .processes import HERE, MODEL, gateway, scripted_model

WARM_UP = 10
TIMEOUT_SECONDS = 30.0
TEXT = "What should I cook tonight?"
OWN = "own"


@dataclass(frozen=True, slots=True)
class ClientApi:
    """How a message is sent through an API, and the line of the response that begins its first token."""

    path: str
    body: Mapping[str, Any]
    token_line: str


def _langgraph(*modes: str) -> ClientApi:
    message = {"type": "human", "content": TEXT}
    body = {"assistant_id": "chat", "input": {"messages": [message]}, "stream_mode": list(modes)}
    return ClientApi("/langgraph/threads/{thread}/runs/stream", body, "event: messages")


APIS: Mapping[str, ClientApi] = {
    OWN: ClientApi("/threads/{thread}/messages", {"text": TEXT}, "event: token"),
    "langgraph messages-tuple": _langgraph("messages-tuple"),
    "langgraph values and messages-tuple": _langgraph("values", "messages-tuple"),
}


async def first_token_ms(http: httpx.AsyncClient, api: ClientApi) -> float:
    """Send a message to an existing thread, and read the reply to its end.

    Returns:
        The time until the first token, in ms.
    """
    thread = (await http.post("/threads", json={})).raise_for_status().json()["thread_id"]
    started, first = time.perf_counter(), 0.0
    async with http.stream("POST", api.path.format(thread=thread), json=api.body) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if not first and line.startswith(api.token_line):
                first = 1000 * (time.perf_counter() - started)
    assert first
    return first


async def measure(url: str, rounds: int) -> dict[str, list[float]]:
    """The times of all rounds after the warm-up, by API."""
    times: dict[str, list[float]] = {name: [] for name in APIS}
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as http:
        token = (await http.post("/dev/token", json={"user": str(uuid.uuid4())})).json()["access_token"]
        http.headers["Authorization"] = f"Bearer {token}"
        for n in range(WARM_UP + rounds):
            names = list(APIS)
            for name in names[n % len(names) :] + names[: n % len(names)]:
                elapsed = await first_token_ms(http, APIS[name])
                if n >= WARM_UP:
                    times[name].append(elapsed)
    return times


def summary(times: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """Quantiles in ms, and the median of the differences to Keepsake's own route within a round."""
    return {
        name: {
            "p50": round(statistics.median(values), 1),
            "p90": round(statistics.quantiles(values, n=10)[-1], 1),
            "more_than_own": round(
                statistics.median(here - own for here, own in zip(values, times[OWN], strict=True)), 1
            ),
        }
        for name, values in times.items()
    }


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as data, scripted_model() as model, gateway(model, Path(data)) as url:
        figures = summary(asyncio.run(measure(url, rounds)))
    for name, values in figures.items():
        print(f"{name:36} p50 {values['p50']:6.1f} ms  p90 {values['p90']:6.1f}  {values['more_than_own']:+5.1f}")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    result = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine, "rounds": rounds, "model": MODEL}
    (HERE / "results" / "faces.json").write_text(json.dumps(result | {"apis": figures}, indent=2) + "\n")


if __name__ == "__main__":
    main()
