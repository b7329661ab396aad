"""What a turn with memory costs beside the bare model call. See README.md, here.

A scripted model, Keepsake's gateway and its embedded Postgres run as processes of their own; what is measured
is what a client sees over HTTP.
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
from .turn_seed import KINDS, QUALITIES, SUBJECTS, USERS, name, seed

WARM_UP = 20
FLUSHED = 20
REST_SECONDS = 0.6  # answers that nobody hears any more end meanwhile


@dataclass(frozen=True, slots=True)
class Keepsake:
    """A client of the gateway; `at` is in milliseconds since the message was sent."""

    http: httpx.AsyncClient
    model: str

    async def sign_in(self, n: int) -> dict[str, str]:
        """Return the headers of user number `n`."""
        answer = await self.http.post("/dev/token", json={"user": name(n)})
        return {"Authorization": f"Bearer {answer.raise_for_status().json()['access_token']}"}

    async def say(self, user: dict[str, str], text: str) -> AsyncGenerator[tuple[float, str, dict[str, Any]], None]:
        """Say something in a new thread, and yield each event: when it came, its name, its data."""
        began = time.perf_counter()
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
                    yield 1000 * (time.perf_counter() - began), event, json.loads(line.partition(":")[2])

    async def embedding_calls(self) -> int:
        """Return how often the model was asked for vectors so far."""
        counts = (await self.http.get(f"{self.model}/counts")).json()
        return int(counts.get("/v1/embeddings", 0))


@dataclass(slots=True)
class Turn:
    """What a client saw of a turn: when its first token came, in ms, and what memory gave to it."""

    first_token: float = 0.0
    tip_chars: int = 0
    degraded: bool = False


async def take_turn(keepsake: Keepsake, user: dict[str, str], text: str) -> Turn:
    """Say something in a new thread, and listen to the end."""
    turn, event = Turn(), ""
    data: dict[str, Any] = {}
    async for at, event, data in keepsake.say(user, text):
        if event == "memory.recalled":
            turn.tip_chars, turn.degraded = data["tip_chars"], data["degraded"]
        elif event == "token":
            turn.first_token = turn.first_token or at
    assert event == "run.finished", (event, data)
    return turn


async def bare_first_token(client: AsyncOpenAI, text: str) -> float:
    """Return when the first token of the model alone came, in ms; the answer is read to its end."""
    began = time.perf_counter()
    at = 0.0
    stream = await client.chat.completions.create(
        model="scripted", messages=[{"role": "user", "content": text}], stream=True
    )
    async for chunk in stream:
        if not at and chunk.choices and chunk.choices[0].delta.content:
            at = 1000 * (time.perf_counter() - began)
    return at


async def bare_embedding(client: AsyncOpenAI, text: str) -> float:
    """Return how long the embedding alone took, in ms."""
    began = time.perf_counter()
    await client.embeddings.create(model="scripted", input=[text], dimensions=DIMS)
    return 1000 * (time.perf_counter() - began)


async def recall_after_told(keepsake: Keepsake, user: dict[str, str], n: int) -> tuple[float, bool]:
    """Tell a fact in one thread, and ask for it in new ones, one after the other, as soon as the telling is safe.

    Returns:
        When one of them knew it, in ms since it was told, and whether the telling was still being answered then.
    """
    fact = f"Zorblax{n}"
    began = time.perf_counter()
    async with aclosing(keepsake.say(user, f"My parrot is called {fact}.")) as telling:
        _, event, _ = await anext(telling)
        assert event == "run.started", event
        answered = asyncio.create_task(heard_out(telling))
        while not await knows(keepsake, user, fact):
            pass
        took, early = 1000 * (time.perf_counter() - began), not answered.done()
        await answered
    await asyncio.sleep(REST_SECONDS)
    return took, early


async def heard_out(events: AsyncIterator[object]) -> None:
    """Listen to the end."""
    async for _ in events:
        pass


async def knows(keepsake: Keepsake, user: dict[str, str], fact: str) -> bool:
    """Ask in a new thread, in words that were never used before, and say whether the fact was recalled."""
    async with aclosing(keepsake.say(user, f"{uuid.uuid4().hex}: what is my parrot called?")) as events:
        async for _, event, data in events:
            if event == "memory.recalled":
                return any(fact in hit["text"] for hit in data["memories"])
    return False


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return median, 95th percentile and maximum."""
    p95 = statistics.quantiles(values, n=20, method="inclusive")[-1]
    return {"p50": round(statistics.median(values), 1), "p95": round(p95, 1), "max": round(max(values), 1)}


async def measure(keepsake: Keepsake, bare: AsyncOpenAI, turns: int, facts: int) -> dict[str, Any]:
    """Take every figure, one turn at a time."""
    pick = random.Random(2)  # noqa: S311 (the same turns in each run)
    users = [await keepsake.sign_in(n) for n in pick.sample(range(USERS), min(turns, USERS))]
    whose = itertools.cycle(users)

    async def pair(n: int) -> tuple[float, float, Turn]:
        text = f"I am working on plan {n}. Where is my {pick.choice(QUALITIES)} {pick.choice(SUBJECTS)}?"
        embedding, first_token = await bare_embedding(bare, text), await bare_first_token(bare, text)
        return embedding, first_token, await take_turn(keepsake, next(whose), text)

    for n in range(WARM_UP):
        await pair(-1 - n)
    calls = await keepsake.embedding_calls()
    pairs = [await pair(n) for n in range(turns)]
    calls_of_turns = await keepsake.embedding_calls() - calls - turns  # as many were the bare ones
    told = [await recall_after_told(keepsake, next(whose), n) for n in range(facts)]
    calls = await keepsake.embedding_calls()
    for user in users[-FLUSHED:]:
        (await keepsake.http.post("/memories/flush", headers=user, timeout=60)).raise_for_status()
    calls_of_formation = await keepsake.embedding_calls() - calls
    return {
        "embedding, bare call (ms)": spread([embedding for embedding, _, _ in pairs]),
        "first token, bare call (ms)": spread([theirs for _, theirs, _ in pairs]),
        "first token, Keepsake (ms)": spread([ours.first_token for _, _, ours in pairs]),
        "first token over the bare call (ms)": spread([ours.first_token - theirs for _, theirs, ours in pairs]),
        "… and over the embedding (ms)": spread([ours.first_token - theirs - bare for bare, theirs, ours in pairs]),
        "a new fact is recalled after (ms)": spread([took for took, _ in told]),
        "of these before the answer ended": f"{sum(early for _, early in told)} of {facts}",
        "tip (characters)": spread([ours.tip_chars for *_, ours in pairs]),
        "degraded turns": f"{sum(ours.degraded for *_, ours in pairs)} of {turns}",
        "embedding calls a turn": round(calls_of_turns / turns, 2),
        "embedding calls a turn's formation": round(calls_of_formation / FLUSHED, 2),
    }


async def run(turns: int, facts: int) -> dict[str, Any]:
    """Start everything, seed, measure."""
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        model = stack.enter_context(scripted_model())
        url = stack.enter_context(gateway(model, data))
        await seed(model, data)
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, trust_env=False))
        bare = await stack.enter_async_context(AsyncOpenAI(base_url=f"{model}/v1", api_key="x"))
        return await measure(Keepsake(http, model), bare, turns, facts)


def main() -> None:
    """Measure, print a table, and keep the figures in results/turn.json."""
    parser = argparse.ArgumentParser(description="What a turn costs beside the bare model call.")
    parser.add_argument("--turns", type=int, default=240)
    parser.add_argument("--facts", type=int, default=40)
    given = parser.parse_args()
    figures = asyncio.run(run(given.turns, given.facts))
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "users": USERS,
        "memories_per_user": len(KINDS),
        "model": MODEL,
        "turns": given.turns,
        "facts": given.facts,
    }
    results = HERE / "results" / "turn.json"
    results.parent.mkdir(exist_ok=True)
    results.write_text(json.dumps({"setting": setting, "figures": figures}, indent=2) + "\n")
    for what, figure in figures.items():
        row = [f"{part} {value:>6}" for part, value in figure.items()] if isinstance(figure, dict) else [figure]
        print(f"{what:40}", *row, sep="  ")


if __name__ == "__main__":
    main()
