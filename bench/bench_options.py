"""Measure what limits, metrics, logs and moderation cost a turn; see README.md.

A gateway for each set of options runs beside the others. In each round, every gateway answers one new message, in
rotating order, so that a disturbance of the machine affects all of them.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from .bench_turn import GatewayClient, take_turn
from .processes import HERE, HIGH_LIMITS, MODEL, gateway, scripted_model

ROUNDS = 200
WARM_UP = 20
MODERATION_SECONDS = MODEL["embedding_delay"]
PLAIN = "no limits"
NO_LIMITS = dict.fromkeys(
    (*HIGH_LIMITS, "KEEPSAKE_LIMIT_STREAMS", "KEEPSAKE_LIMIT_THREADS", "KEEPSAKE_LIMIT_MEMORIES"), "0"
)
OPTIONS: Mapping[str, Mapping[str, str]] = {
    PLAIN: NO_LIMITS,
    "no limits, again": NO_LIMITS,
    "limits": {},
    "limits, logs as JSON, metrics read": {"KEEPSAKE_LOG_FORMAT": "json"},
    "limits, moderation": {"KEEPSAKE_MODERATION": "openai"},
}
READ_METRICS = "metrics read"


async def measure(urls: Mapping[str, str], model: str, rounds: int) -> dict[str, list[float]]:
    """The times of the first token of all rounds after the warm-up, in ms, by options."""
    times: dict[str, list[float]] = {name: [] for name in urls}
    async with AsyncExitStack() as stack:
        clients = {}
        for name, url in urls.items():
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, trust_env=False))
            keepsake = GatewayClient(http, model)
            clients[name] = keepsake, await keepsake.sign_in(0)
        for n in range(WARM_UP + rounds):
            names = list(clients)
            for name in names[n % len(names) :] + names[: n % len(names)]:
                keepsake, user = clients[name]
                if READ_METRICS in name:
                    (await keepsake.http.get("/metrics")).raise_for_status()
                turn = await take_turn(keepsake, user, f"I am working on plan {uuid.uuid4()}.")
                if n >= WARM_UP:
                    times[name].append(turn.first_token)
    return times


def summary(times: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    """Quantiles in ms, and the median of the differences to the gateway without options within a round."""
    plain = times[PLAIN]
    return {
        name: {
            "p50": round(statistics.median(values), 1),
            "p90": round(statistics.quantiles(values, n=10)[-1], 1),
            "more": round(statistics.median(here - other for here, other in zip(values, plain, strict=True)), 1),
        }
        for name, values in times.items()
    }


async def run(rounds: int) -> dict[str, Any]:
    """Start all processes and measure."""
    async with AsyncExitStack() as stack:
        model = stack.enter_context(scripted_model(moderation_delay=MODERATION_SECONDS))
        urls = {}
        for name, options in OPTIONS.items():
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
            urls[name] = stack.enter_context(gateway(model, data, **options))
        return summary(await measure(urls, model, rounds))


def main() -> None:
    """Measure, print and write results/options.json."""
    parser = argparse.ArgumentParser(description="Measure what limits, metrics, logs and moderation cost.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    figures = asyncio.run(run(rounds))
    for name, values in figures.items():
        print(f"{name:36} p50 {values['p50']:6.1f} ms  p90 {values['p90']:6.1f}  {values['more']:+5.1f}")
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    setting = {"when": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine, "rounds": rounds}
    setting |= {"model": MODEL | {"moderation_delay": MODERATION_SECONDS}}
    result = {"setting": setting, "first token (ms)": figures}
    (HERE / "results" / "options.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
