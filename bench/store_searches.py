"""Searches of several stores side by side: how long each takes, and whether it finds everything."""

import asyncio
import itertools
import random
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, LiteralString, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import psycopg
from langgraph.store.base import BaseStore, SearchItem, SearchOp
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from agent.store import ExactPostgresStore
from agent.store.search import Searches

from .store_data import Filled, namespaces
from .store_open import Prepared

Floats = npt.NDArray[np.float32]
Pages = Sequence[Sequence[SearchItem]]
Ask = Callable[[int, str], Awaitable[Pages]]
Draw = tuple[float, str]
"""Whom to search the memories of, from 0 up to 1 in the order of users, and what for."""
Finds = Literal["nearest", "others", "rows"]

LIMIT = 4
BESIDE, ALONE = "another user, while the big one searches", "another user, alone"
SAME = 1e-5  # what two ways to compute a similarity may differ by


@dataclass(frozen=True, slots=True)
class Contestant:
    """One way to search the memories of user number `n` for a text, in both of their namespaces at once."""

    name: str
    ask: Ask
    """What it does before its answer is awaited does not count."""
    filled: Filled
    users: Sequence[int]
    """Whose memories are searched."""
    finds: Finds = "nearest"
    """What: the nearest items, items that are the best by another measure, or rows that nobody looks at."""
    most: int | None = None
    """How many searches of a round it takes part in, so that the slow take no more than their time; None: all."""


class Answer(NamedTuple):
    """What a contestant found."""

    contestant: Contestant
    user: int
    text: str
    pages: Pages


@dataclass(slots=True)
class Measured:
    """A contestant's searches: how long they took, in ms, round by round, and what they found."""

    rounds: list[list[float]] = field(default_factory=list)
    wanted: int = 0
    found: int | None = None
    """How many items were found of those wanted; None if nobody looked, as below."""
    nearest: int | None = None
    """How many of those found are the nearest."""

    @property
    def times(self) -> list[float]:
        """Every round's, in ms."""
        return list(itertools.chain.from_iterable(self.rounds))

    @property
    def p50(self) -> float:
        """The median, in ms."""
        return statistics.median(self.times)

    @property
    def p95(self) -> float:
        """The 95th percentile, in ms."""
        return statistics.quantiles(self.times, n=20, method="inclusive")[-1]

    @property
    def medians(self) -> list[float]:
        """Each round's, in ms."""
        return [statistics.median(times) for times in self.rounds]


class Truth:
    """A namespace's nearest memories, by a plain product of all its vectors."""

    def __init__(self, connection: psycopg.Connection, embedder: Prepared) -> None:
        self._connection = connection
        self._embedder = embedder
        self._known: dict[str, tuple[list[str], Floats]] = {}

    def nearest(self, namespace: tuple[str, ...], text: str) -> set[str]:
        """Return the keys of the nearest, up to `LIMIT` and those that are as near as the last."""
        keys, vectors = self._vectors(".".join(namespace))
        query = np.asarray(self._embedder.known[text], dtype=np.float32)
        similarities = vectors @ (query / np.linalg.norm(query))
        least = np.sort(similarities)[-LIMIT:][0] - SAME
        return {keys[n] for n in np.flatnonzero(similarities >= least)}

    def _vectors(self, prefix: str) -> tuple[list[str], Floats]:
        """Return the keys of a namespace, and its vectors of length 1."""
        if prefix not in self._known:
            statement = "SELECT key, vector_send(embedding) FROM store_vectors WHERE prefix = %s"
            rows = self._connection.execute(statement, (prefix,), binary=True).fetchall()
            # Two numbers of 16 bits, then floats, both in the network's order of bytes.
            vectors = np.stack([np.frombuffer(sent, dtype=">f4", offset=4).astype(np.float32) for _, sent in rows])
            self._known[prefix] = [key for key, _ in rows], vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return self._known[prefix]


def asking(store: BaseStore) -> Ask:
    """Return how a store is asked: as Keepsake does it, in one batch."""

    async def ask(n: int, text: str) -> Pages:
        return cast("Pages", await store.abatch(_operations(n, text)))

    return ask


@asynccontextmanager
async def bare(filled: Filled, store: ExactPostgresStore) -> AsyncIterator[Ask]:
    """Open a connection that runs the same statement as our store, and does nothing else."""
    language = None if store.indexing is None else store.indexing.language
    connection = await AsyncConnection.connect(
        filled.exact, autocommit=True, prepare_threshold=None, row_factory=dict_row
    )
    async with connection, connection.cursor(binary=True) as cursor:

        def ask(n: int, text: str) -> Awaitable[Pages]:
            [search] = Searches.of(list(enumerate(_operations(n, text))), indexed=True)
            parameters = search.parameters(filled.embedder.known[text], language, widened=1)
            return run(search.statement(store.indexing), parameters)

        async def run(statement: LiteralString, parameters: dict[str, Any]) -> Pages:
            await cursor.execute(statement, parameters)
            await cursor.fetchall()
            return []

        yield ask


async def compare(
    contestants: Sequence[Contestant], queries: Sequence[str], *, rounds: int, searches: int
) -> dict[str, Measured]:
    """Let contestants search in turns: in each round for the same, but in another order.

    First each visits everybody whom it will be asked for, so that nothing has to come from a disk any more.
    """
    pick = random.Random(3)  # noqa: S311 (the same in each run)
    measured = {contestant.name: Measured() for contestant in contestants}
    draws = [[(pick.random(), pick.choice(queries)) for _ in range(searches)] for _ in range(rounds)]
    for contestant in contestants:
        for round_ in draws:
            await _ask(contestant, round_)
    answers: list[Answer] = []
    for round_ in draws:
        for contestant in pick.sample(contestants, len(contestants)):
            times, found = await _ask(contestant, round_)
            measured[contestant.name].rounds.append(times)
            answers += found
    _judge(answers, measured)
    return measured


async def compare_beside(
    contestant: Contestant, busy: Contestant, queries: Sequence[str], *, rounds: int, searches: int
) -> dict[str, Measured]:
    """Let a contestant search while another one does so all the time, and while nobody does, in turns.

    Returns:
        What was measured `BESIDE` the other one, and `ALONE`.
    """
    pick = random.Random(3)  # noqa: S311 (the same in each run)
    beside, alone = Measured(), Measured()
    draws = [[(pick.random(), pick.choice(queries)) for _ in range(searches)] for _ in range(rounds)]
    for round_ in draws:
        await _ask(contestant, round_)
    for round_ in draws:
        for measured in pick.sample([beside, alone], 2):
            over = asyncio.Event()
            async with asyncio.TaskGroup() as tasks:
                if measured is beside:
                    tasks.create_task(_search_until(over, busy, queries))
                times, _ = await _ask(contestant, round_)
                measured.rounds.append(times)
                over.set()
    return {BESIDE: beside, ALONE: alone}


async def _search_until(over: asyncio.Event, contestant: Contestant, queries: Sequence[str]) -> None:
    for text in itertools.cycle(queries):
        if over.is_set():
            return
        await contestant.ask(contestant.users[0], text)


async def _ask(contestant: Contestant, draws: Sequence[Draw]) -> tuple[list[float], list[Answer]]:
    """Search, one after the other; return how long each took, in ms, and what was found."""
    times, answers = [], []
    for place, text in draws[: contestant.most]:
        n = contestant.users[int(place * len(contestant.users))]
        answer = contestant.ask(n, text)
        began = time.perf_counter()
        pages = await answer
        times.append(1000 * (time.perf_counter() - began))
        answers.append(Answer(contestant, n, text, pages))
    return times, answers


def ratio(one: Measured, other: Measured) -> tuple[float, tuple[float, float]]:
    """Return how many times as long one takes as the other.

    Returns:
        Of the ratios of their medians in each round, what half of them exceed; and what three quarters and one do.
    """
    each = [mine / theirs for mine, theirs in zip(one.medians, other.medians, strict=True)]
    lower, middle, upper = statistics.quantiles(each, n=4, method="inclusive")
    return middle, (lower, upper)


def _operations(n: int, text: str) -> list[SearchOp]:
    return [SearchOp(namespace, query=text, limit=LIMIT) for namespace in namespaces(n)]


def _judge(answers: Sequence[Answer], measured: dict[str, Measured]) -> None:
    """Count what was found, when nobody is measured any more."""
    with ExitStack() as stack:
        truths: dict[str, Truth] = {}
        for contestant, n, text, pages in answers:
            if contestant.finds == "rows":
                continue
            filled, of = contestant.filled, measured[contestant.name]
            if filled.exact not in truths:
                truths[filled.exact] = Truth(stack.enter_context(psycopg.connect(filled.exact)), filled.embedder)
            for namespace, page in zip(namespaces(n), pages, strict=True):
                nearest = truths[filled.exact].nearest(namespace, text)
                of.wanted += min(LIMIT, len(nearest))
                of.found = (of.found or 0) + len(page)
                if contestant.finds == "nearest":
                    of.nearest = (of.nearest or 0) + sum(item.key in nearest for item in page)
