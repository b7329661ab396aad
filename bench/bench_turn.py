"""Measure the latency of a turn with memory compared with the bare model call; see README.md.

The scripted model, the gateway and its embedded Postgres are separate processes; all figures are measured by an
HTTP client.
"""

import argparse
import asyncio
import itertools
import json
import os
import platform
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from openai import AsyncOpenAI

from .processes import DIMS, HERE, MODEL, gateway, scripted_model
from .turn_profile import print_profile
from .turn_seed import KINDS, QUALITIES, SUBJECTS, USERS, seed, user_name

WARM_UP = 20
FLUSHED_USERS = 20
PAUSE_SECONDS = 0.6  # lets replies of closed connections end


@dataclass(frozen=True, slots=True)
class GatewayClient:
    """A client of the gateway; event times are in ms since the message was sent."""

    http: httpx.AsyncClient
    model: str

    async def sign_in(self, n: int) -> dict[str, str]:
        """The request headers of user `n`."""
        answer = await self.http.post("/dev/token", json={"user": user_name(n)})
        return {"Authorization": f"Bearer {answer.raise_for_status().json()['access_token']}"}

    async def send(self, user: dict[str, str], text: str) -> AsyncGenerator[tuple[float, str, dict[str, Any]], None]:
        """Send a message to a new thread and yield (ms, event name, data) of each event."""
        started = time.perf_counter()
        request = self.http.stream(
            "POST", f"/threads/{uuid.uuid4()}/messages", json={"text": text}, headers=user, timeout=30
        )
        async with request as response:
            response.raise_for_status()
            event = ""
            async for line in response.aiter_lines():
                if line.startswith("event:"):
                    event = line.partition(":")[2].strip()
                elif line.startswith("data:"):
                    yield 1000 * (time.perf_counter() - started), event, json.loads(line.partition(":")[2])

    async def embedding_calls(self) -> int:
        """The number of embedding requests that the model has received so far."""
        counts = (await self.http.get(f"{self.model}/counts")).json()
        return int(counts.get("/v1/embeddings", 0))


@dataclass(slots=True)
class Turn:
    """The time of the first token, in ms, and the recalled memory of a turn."""

    first_token: float = 0.0
    tip_chars: int = 0
    degraded: bool = False


async def take_turn(keepsake: GatewayClient, user: dict[str, str], text: str) -> Turn:
    """Send a message to a new thread and read the reply to the end."""
    turn, event = Turn(), ""
    data: dict[str, Any] = {}
    async for at, event, data in keepsake.send(user, text):
        if event == "memory.recalled":
            turn.tip_chars, turn.degraded = data["tip_chars"], data["degraded"]
        elif event == "token":
            turn.first_token = turn.first_token or at
    assert event == "run.finished", (event, data)
    return turn


async def bare_first_token(client: AsyncOpenAI, text: str) -> float:
    """Time of the first token of the model alone, in ms; the reply is read to the end."""
    started = time.perf_counter()
    at = 0.0
    stream = await client.chat.completions.create(
        model="scripted", messages=[{"role": "user", "content": text}], stream=True
    )
    async for chunk in stream:
        if not at and chunk.choices and chunk.choices[0].delta.content:
            at = 1000 * (time.perf_counter() - started)
    return at


async def bare_embedding(client: AsyncOpenAI, text: str) -> float:
    """Duration of the embedding call alone, in ms."""
    started = time.perf_counter()
    await client.embeddings.create(model="scripted", input=[text], dimensions=DIMS)
    return 1000 * (time.perf_counter() - started)


async def measure_fact_latency(keepsake: GatewayClient, user: dict[str, str], n: int) -> tuple[float, bool]:
    """State a fact in one thread and, once the message is durable, ask for it in new threads until it is recalled.

    Returns:
        The time from sending the fact until it is recalled, in ms, and whether the first reply was still in progress.
    """
    fact = f"Zorblax{n}"
    started = time.perf_counter()
    async with aclosing(keepsake.send(user, f"My parrot is called {fact}.")) as telling:
        _, event, _ = await anext(telling)
        assert event == "run.started", event
        answered = asyncio.create_task(drain_events(telling))
        while not await is_recalled(keepsake, user, fact):
            pass
        elapsed, early = 1000 * (time.perf_counter() - started), not answered.done()
        await answered
    await asyncio.sleep(PAUSE_SECONDS)
    return elapsed, early


async def drain_events(events: AsyncIterator[object]) -> None:
    """Read a stream to its end."""
    async for _ in events:
        pass


async def is_recalled(keepsake: GatewayClient, user: dict[str, str], fact: str) -> bool:
    """Ask in a new thread, with words not used before, and check whether the fact is recalled."""
    async with aclosing(keepsake.send(user, f"{uuid.uuid4().hex}: what is my parrot called?")) as events:
        async for _, event, data in events:
            if event == "memory.recalled":
                return any(fact in hit["text"] for hit in data["memories"])
    return False


def summarise(values: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum."""
    p95 = statistics.quantiles(values, n=20, method="inclusive")[-1]
    return {"p50": round(statistics.median(values), 1), "p95": round(p95, 1), "max": round(max(values), 1)}


async def measure(keepsake: GatewayClient, bare: AsyncOpenAI, turns: int, facts: int) -> dict[str, Any]:
    """Measure all figures, one turn at a time."""
    pick = random.Random(2)
    users = [await keepsake.sign_in(n) for n in pick.sample(range(USERS), min(turns, USERS))]
    next_user = itertools.cycle(users)

    async def pair(n: int) -> tuple[float, float, Turn]:
        text = f"I am working on plan {n}. Where is my {pick.choice(QUALITIES)} {pick.choice(SUBJECTS)}?"
        embedding, first_token = await bare_embedding(bare, text), await bare_first_token(bare, text)
        return embedding, first_token, await take_turn(keepsake, next(next_user), text)

    for n in range(WARM_UP):
        await pair(-1 - n)
    calls = await keepsake.embedding_calls()
    pairs = [await pair(n) for n in range(turns)]
    calls_of_turns = await keepsake.embedding_calls() - calls - turns  # minus the bare calls
    statements = [await measure_fact_latency(keepsake, next(next_user), n) for n in range(facts)]
    calls = await keepsake.embedding_calls()
    for user in users[-FLUSHED_USERS:]:
        (await keepsake.http.post("/memories/flush", headers=user, timeout=60)).raise_for_status()
    calls_of_formation = await keepsake.embedding_calls() - calls
    return {
        "embedding, bare call (ms)": summarise([embedding for embedding, _, _ in pairs]),
        "first token, bare call (ms)": summarise([theirs for _, theirs, _ in pairs]),
        "first token, Keepsake (ms)": summarise([ours.first_token for _, _, ours in pairs]),
        "first token over the bare call (ms)": summarise([ours.first_token - theirs for _, theirs, ours in pairs]),
        "… and over the embedding (ms)": summarise([ours.first_token - theirs - bare for bare, theirs, ours in pairs]),
        "a new fact is recalled after (ms)": summarise([elapsed for elapsed, _ in statements]),
        "of these before the answer ended": f"{sum(early for _, early in statements)} of {facts}",
        "tip (characters)": summarise([ours.tip_chars for *_, ours in pairs]),
        "degraded turns": f"{sum(ours.degraded for *_, ours in pairs)} of {turns}",
        "embedding calls a turn": round(calls_of_turns / turns, 2),
        "embedding calls a turn's formation": round(calls_of_formation / FLUSHED_USERS, 2),
    }


async def run(turns: int, facts: int) -> dict[str, Any]:
    """Start all processes, insert the memories and measure."""
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        model = stack.enter_context(scripted_model())
        url = stack.enter_context(gateway(model, data))
        await seed(model, data)
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, trust_env=False))
        bare = await stack.enter_async_context(AsyncOpenAI(base_url=f"{model}/v1", api_key="x"))
        return await measure(GatewayClient(http, model), bare, turns, facts)


def main() -> None:
    """Measure, print a table and write results/turn.json."""
    parser = argparse.ArgumentParser(description="Measure turns compared with bare model calls.")
    parser.add_argument("--turns", type=int, default=240)
    parser.add_argument("--facts", type=int, default=40)
    parser.add_argument("--profile", action="store_true", help="measure CPU time and statements instead")
    arguments = parser.parse_args()
    if arguments.profile:
        print_profile()
        return
    figures = asyncio.run(run(arguments.turns, arguments.facts))
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "users": USERS,
        "memories_per_user": len(KINDS),
        "model": MODEL,
        "turns": arguments.turns,
        "facts": arguments.facts,
    }
    results = HERE / "results" / "turn.json"
    results.parent.mkdir(exist_ok=True)
    results.write_text(json.dumps({"setting": setting, "figures": figures}, indent=2) + "\n")
    for what, figure in figures.items():
        row = [f"{part} {value:>6}" for part, value in figure.items()] if isinstance(figure, dict) else [figure]
        print(f"{what:40}", *row, sep="  ")


if __name__ == "__main__":
    main()
