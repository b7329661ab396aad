"""The measurements of `make bench`; the systems take turns in random order within each round."""

import asyncio
import itertools
import json
import random
import statistics
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from .bench_streams import StreamRequest, read_streams
from .peer_figures import Measure
from .peer_systems import BARE, NEWCOMER, BareModel, MemorySystem, Note, System, new_thread
from .processes import DIMS
from .turn_seed import PLACES, QUALITIES, SUBJECTS

ACTIVE = range(60)
"""The users that send requests."""
BURST = 50
WARM_UP = 3
ASK_SECONDS = 0.05
KNOWN_SECONDS = 20.0
PAUSE_SECONDS = 0.5  # lets the work after a burst end
LIMIT = 10
MESSAGES = 4
CHARS_PER_TOKEN = 4  # approximately true for English; the same for all systems
ERRORS = (httpx.HTTPError, OSError, RuntimeError, TimeoutError, KeyError)


@dataclass(slots=True)
class Run:
    """The systems, and those of them that no stage measures any longer."""

    model: BareModel
    http: httpx.AsyncClient
    """A client of the model."""
    systems: list[MemorySystem]
    rounds: float = 1.0
    """Factor for the numbers of rounds."""
    pick: random.Random = field(default_factory=lambda: random.Random(3))

    def count(self, rounds: int) -> int:
        """The number of rounds of a stage."""
        return max(2, round(rounds * self.rounds))

    def order(self, *others: System) -> list[Any]:
        """All systems, in random order."""
        return self.pick.sample([*others, *self.systems], len(self.systems) + len(others))

    def question(self) -> str:
        """A message about a memory."""
        subject = f"{self.pick.choice(QUALITIES)} {self.pick.choice(SUBJECTS)}"
        return f"I am working on plan {uuid.uuid4().hex[:8]}. Where is my {subject}?"


@asynccontextmanager
async def recorded(measures: Sequence[Measure], system: str) -> AsyncIterator[None]:
    """Record an error of a system; the others continue."""
    try:
        yield
    except ERRORS as error:
        for measure in measures:
            measure.failed.setdefault(system, f"{type(error).__name__}: {error}"[:200])


async def first_tokens(requests: Sequence[StreamRequest]) -> list[float]:
    """Send requests at once and read the replies to their ends; returns the times of the first tokens, in ms."""
    started = 1000 * time.perf_counter()
    streams = await read_streams(list(requests))
    for stream in streams:
        if not stream.token_times or not stream.is_ended:
            received = b"".join(data for _, data in stream.chunks)
            raise RuntimeError(f"incomplete reply: {received[-150:]!r}")
    return [stream.token_times[0] - started for stream in streams]


async def measure_turns(run: Run) -> list[Measure]:
    """First token of single turns, each in a new thread."""
    first = Measure("first token", "ms")
    users = itertools.cycle(ACTIVE)
    for n in range(WARM_UP + run.count(40)):
        text, user = run.question(), next(users)
        for system in run.order(run.model):
            async with recorded([first], system.name):
                [at] = await first_tokens([system.turn(user, new_thread(), text)])
                if n >= WARM_UP:
                    first.add(system.name, at)
                if system is not run.model:
                    await system.settle()
    return [first, first.over(BARE, "first token over the bare call")]


async def measure_bursts(run: Run) -> list[Measure]:
    """First tokens of turns of 50 users that begin at once."""
    middle, late = (
        Measure(f"{BURST} at once, first token p50", "ms"),
        Measure(f"{BURST} at once, first token p95", "ms"),
    )
    for n in range(1 + run.count(6)):
        for system in run.order(run.model):
            requests = [system.turn(user, new_thread(), run.question()) for user in ACTIVE[:BURST]]
            async with recorded([middle, late], system.name):
                times = await first_tokens(requests)
                if n:
                    middle.add(system.name, statistics.median(times))
                    late.add(system.name, statistics.quantiles(times, n=20, method="inclusive")[-1])
                if system is not run.model:
                    await system.settle()
            await asyncio.sleep(PAUSE_SECONDS)
    return [middle, late]


async def measure_puts(run: Run) -> list[Measure]:
    """Storing one memory, over the embedding call."""

    async def put(system: MemorySystem, user: int) -> None:
        text = f"Their {run.pick.choice(SUBJECTS)} {uuid.uuid4().hex} is in {run.pick.choice(PLACES)}"
        await system.put(user, [Note(str(uuid.uuid4()), text)])

    return await _measure_requests(run, "put", put, rounds=30)


async def measure_searches(run: Run) -> list[Measure]:
    """Searching the 40 memories of one user among all, over the embedding call."""

    async def search(system: MemorySystem, user: int) -> None:
        if not await system.search(user, run.question(), LIMIT):  # mem0 omits memories below its minimum score
            raise RuntimeError("found nothing")

    return await _measure_requests(run, "search", search, rounds=60)


async def _measure_requests(
    run: Run, name: str, act: Callable[[MemorySystem, int], Awaitable[None]], *, rounds: int
) -> list[Measure]:
    taken = Measure(name, "ms")
    users = itertools.cycle(ACTIVE)
    for n in range(WARM_UP + run.count(rounds)):
        user = next(users)
        for system in run.order(run.model):
            async with recorded([taken], system.name):
                started = time.perf_counter()
                if system is run.model:
                    await _embed(run.http, run.question())
                else:
                    await act(system, user)
                if n >= WARM_UP:
                    taken.add(system.name, 1000 * (time.perf_counter() - started))
    return [taken, taken.over(BARE, f"{name} over the embedding call")]


async def _embed(http: httpx.AsyncClient, text: str) -> None:
    body = {"model": "text-embedding-3-small", "input": [text], "dimensions": DIMS}
    (await http.post("/v1/embeddings", json=body)).raise_for_status()


async def measure_known(run: Run) -> list[Measure]:
    """Time from sending a fact until a prompt in another thread contains it."""
    known = Measure("known in another thread after", "ms")
    users = itertools.cycle(reversed(ACTIVE))
    for n in range(run.count(10)):
        user = next(users)
        for system in run.order():
            async with recorded([known], system.name):
                known.add(system.name, await _known_after(run, system, user, f"Zorblax{n}"))
                await system.settle()
            await asyncio.sleep(PAUSE_SECONDS)
    return [known]


async def _known_after(run: Run, system: MemorySystem, user: int, fact: str) -> float:
    """State a fact, and ask for it in new threads every 50 ms until a prompt contains it; in ms."""
    started = time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(first_tokens([system.turn(user, new_thread(), f"My parrot is called {fact}.")]))
        while time.monotonic() - started < KNOWN_SECONDS:
            question = f"{uuid.uuid4().hex}: what is my parrot called?"
            tasks.create_task(first_tokens([system.turn(user, new_thread(), question)]))
            await asyncio.sleep(ASK_SECONDS)
            asked = await chats(run, since=started, containing="what is my parrot called?")
            if times := [float(one["at"]) for one in asked if one["body"].get("stream") and fact in str(one["body"])]:
                return 1000 * (min(times) - started)
    raise TimeoutError(f"not known after {KNOWN_SECONDS:.0f} s")


async def measure_tokens(run: Run) -> list[Measure]:
    """Prompt tokens that memory costs, over four messages of a user with 40 memories.

    The system messages of a user without memories are subtracted.
    """
    tip = Measure("memory in the prompt of an answer", "tokens")
    forming = Measure("prompts that form memories, per message", "tokens")
    for n in range(run.count(8)):
        user = ACTIVE[n % len(ACTIVE)]
        for system in run.order():
            async with recorded([tip, forming], system.name):
                started = time.monotonic()
                await first_tokens([system.turn(NEWCOMER, new_thread(), "Hello.")])
                [without, *_], _ = split_prompts(await chats(run, since=started))
                await system.settle()
                started, thread = time.monotonic(), new_thread()
                texts = [f"My {subject} is called {uuid.uuid4().hex[:6]}." for subject in SUBJECTS[:MESSAGES]]
                for text in texts:
                    await first_tokens([system.turn(user, thread, text)])
                await system.flush([user])
                answers, others = split_prompts(await chats(run, since=started))
                with_memory = sum(map(system_tokens, answers)) / len(answers)
                tip.add(system.name, with_memory - system_tokens(without))
                forming.add(system.name, sum(map(prompt_tokens, others)) / MESSAGES)
    return [tip, forming]


def split_prompts(asked: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The requests for answers, which are streamed, and those that form memories."""
    bodies = [one["body"] for one in asked]
    return [one for one in bodies if one.get("stream")], [one for one in bodies if not one.get("stream")]


def system_tokens(body: dict[str, Any]) -> float:
    """Tokens of the system messages of a request."""
    texts = [str(one["content"]) for one in body["messages"] if one["role"] in {"system", "developer"}]
    return sum(map(len, texts)) / CHARS_PER_TOKEN


def prompt_tokens(body: dict[str, Any]) -> float:
    """Tokens of a request: messages, tools and the response format."""
    parts = [body["messages"], *(body[name] for name in ("tools", "response_format") if body.get(name))]
    return sum(len(json.dumps(part)) for part in parts) / CHARS_PER_TOKEN


async def chats(run: Run, *, since: float, containing: str = "") -> list[dict[str, Any]]:
    """The chat requests that the model received since a time."""
    answer = await run.http.get("/chats", params={"since": since, "containing": containing})
    return list(answer.raise_for_status().json())
