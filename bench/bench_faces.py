"""Measure the first token through each client API compared with Keepsake's own route, and recall through MCP.

The scripted model, the gateway and its embedded Postgres are separate processes. Each round sends one new message
through every API, in rotating order, so that a disturbance of the machine affects all of them; see README.md.
"""

import argparse
import asyncio
import json
import os
import platform
import re
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from support.mcp_client import mcp_client

from .processes import HERE, MODEL, gateway, scripted_model

WARM_UP = 10
TIMEOUT_SECONDS = 30.0
TEXT = "What should I cook tonight?"
OWN = "own"


@dataclass(frozen=True, slots=True)
class ClientApi:
    """How a message is sent through an API, and the line of the response that begins its first token."""

    path: str
    body: Callable[[str], Mapping[str, Any]]
    """The body of the request that sends a text."""
    token_line: str
    """A regular expression."""


def _langgraph(*modes: str) -> ClientApi:
    def body(text: str) -> Mapping[str, Any]:
        messages = [{"type": "human", "content": text}]
        return {"assistant_id": "chat", "input": {"messages": messages}, "stream_mode": list(modes)}

    return ClientApi("/langgraph/threads/{thread}/runs/stream", body, "event: messages")


def _chat_completion(text: str) -> Mapping[str, Any]:
    return {"messages": [{"role": "user", "content": text}], "stream": True}


def _response(text: str) -> Mapping[str, Any]:
    return {"input": text, "stream": True}


APIS: Mapping[str, ClientApi] = {
    OWN: ClientApi("/threads/{thread}/messages", lambda text: {"text": text}, "event: token"),
    "langgraph messages-tuple": _langgraph("messages-tuple"),
    "langgraph values and messages-tuple": _langgraph("values", "messages-tuple"),
    "openai chat completions": ClientApi("/v1/chat/completions", _chat_completion, r'data: .*"content": ?"[^"]'),
    "openai responses": ClientApi("/v1/responses", _response, "event: response.output_text.delta"),
}


async def first_token_ms(http: httpx.AsyncClient, api: ClientApi) -> float:
    """Send a new message to an existing thread, if the API has threads, and read the reply to its end.

    Returns:
        The time until the first token, in ms.
    """
    thread = (await http.post("/threads", json={})).raise_for_status().json()["thread_id"]
    body = api.body(_new_text())
    started, first = time.perf_counter(), 0.0
    async with http.stream("POST", api.path.format(thread=thread), json=body) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if not first and re.match(api.token_line, line):
                first = 1000 * (time.perf_counter() - started)
    assert first
    return first


async def measure(url: str, rounds: int) -> dict[str, list[float]]:
    """The times of all rounds after the warm-up, by API."""
    times: dict[str, list[float]] = {name: [] for name in APIS}
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as http:
        http.headers["Authorization"] = f"Bearer {await _sign_in(http)}"
        for n in range(WARM_UP + rounds):
            names = list(APIS)
            for name in names[n % len(names) :] + names[: n % len(names)]:
                elapsed = await first_token_ms(http, APIS[name])
                if n >= WARM_UP:
                    times[name].append(elapsed)
    return times


async def measure_mcp(url: str, model: str, rounds: int) -> dict[str, float]:
    """The median times of recall through MCP and of an embedding by the model's server, in ms."""
    embedding: list[float] = []
    recall: list[float] = []
    async with httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS) as http, httpx.AsyncClient() as direct:
        token = await _sign_in(http)
        for n in range(100):
            fact = {"text": f"Fact number {n} about cooking"}
            (await http.post("/memories", json=fact, headers={"Authorization": f"Bearer {token}"})).raise_for_status()
        async with mcp_client(url, token) as client:
            for n in range(WARM_UP + rounds):
                started = time.perf_counter()
                body = {"model": "text-embedding-3-small", "input": [_new_text()]}
                (await direct.post(f"{model}/v1/embeddings", json=body)).raise_for_status()
                embedded = time.perf_counter()
                await client.call_tool("recall", {"query": _new_text()})
                if n >= WARM_UP:
                    embedding.append(1000 * (embedded - started))
                    recall.append(1000 * (time.perf_counter() - embedded))
    both = {"embedding": statistics.median(embedding), "recall": statistics.median(recall)}
    return {name: round(value, 1) for name, value in both.items()}


async def _sign_in(http: httpx.AsyncClient) -> str:
    return str((await http.post("/dev/token", json={"user": str(uuid.uuid4())})).json()["access_token"])


def _new_text() -> str:
    """A text whose vector is in no cache."""
    return f"{TEXT} ({uuid.uuid4()})"


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
        mcp = asyncio.run(measure_mcp(url, model, rounds))
    for name, values in figures.items():
        print(f"{name:36} p50 {values['p50']:6.1f} ms  p90 {values['p90']:6.1f}  {values['more_than_own']:+5.1f}")
    print(f"MCP recall p50 {mcp['recall']:.1f} ms, of which the embedding takes {mcp['embedding']:.1f} ms")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    result = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": machine, "rounds": rounds, "model": MODEL}
    (HERE / "results" / "faces.json").write_text(json.dumps(result | {"apis": figures, "mcp": mcp}, indent=2) + "\n")


if __name__ == "__main__":
    main()
