"""Compare searches of several stores: duration and completeness."""

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

from .store_data import Dataset, namespaces
from .store_open import PreparedEmbedder

Floats = npt.NDArray[np.float32]
Pages = Sequence[Sequence[SearchItem]]
SearchFunction = Callable[[int, str], Awaitable[Pages]]
SearchRequest = tuple[float, str]
"""(position of the user from 0 up to 1, search text)."""
ResultCheck = Literal["nearest", "others", "rows"]

LIMIT = 4
UNDER_LOAD, ALONE = "another user, large user searching", "another user, no other load"
TOLERANCE = 1e-5  # allowed difference between two computations of a similarity


@dataclass(frozen=True, slots=True)
class Contestant:
    """A way to search both namespaces of user `n` for a text."""

    name: str
    search: SearchFunction
    """Only the time of awaiting the result is measured."""
    dataset: Dataset
    users: Sequence[int]
    """Users whose memories are searched."""
    check: ResultCheck = "nearest"
    """`nearest`: compare with the true nearest items; `others`: count items only; `rows`: ignore results."""
    max_searches: int | None = None
    """Searches per round, to limit the time of slow contestants; None: all."""


class SearchResult(NamedTuple):
    """The pages that a contestant returned."""

    contestant: Contestant
    user: int
    text: str
    pages: Pages


@dataclass(slots=True)
class Measurement:
    """A contestant's search times in ms, by round, and the number of items found."""

    rounds: list[list[float]] = field(default_factory=list)
    expected: int = 0
    found: int | None = None
    """Number of items found; None if not checked."""
    nearest: int | None = None
    """Number of items found that are among the true nearest; None if not checked."""

    @property
    def times(self) -> list[float]:
        """All search times, in ms."""
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
        """The median of each round, in ms."""
        return [statistics.median(times) for times in self.rounds]


class ExactSearch:
    """The true nearest memories of a namespace, computed with numpy."""

    def __init__(self, connection: psycopg.Connection, embedder: PreparedEmbedder) -> None:
        self._connection = connection
        self._embedder = embedder
        self._known: dict[str, tuple[list[str], Floats]] = {}

    def nearest(self, namespace: tuple[str, ...], text: str) -> set[str]:
        """Keys of the `LIMIT` nearest memories, and of those as near as the last of them."""
        keys, vectors = self._vectors(".".join(namespace))
        query = np.asarray(self._embedder.vectors[text], dtype=np.float32)
        similarities = vectors @ (query / np.linalg.norm(query))
        least = np.sort(similarities)[-LIMIT:][0] - TOLERANCE
        return {keys[n] for n in np.flatnonzero(similarities >= least)}

    def _vectors(self, prefix: str) -> tuple[list[str], Floats]:
        """The keys of a namespace and their unit vectors."""
        if prefix not in self._known:
            statement = "SELECT key, vector_send(embedding) FROM store_vectors WHERE prefix = %s"
            rows = self._connection.execute(statement, (prefix,), binary=True).fetchall()
            # pgvector's binary format: two 16-bit integers, then floats, in network byte order.
            vectors = np.stack([np.frombuffer(sent, dtype=">f4", offset=4).astype(np.float32) for _, sent in rows])
            self._known[prefix] = [key for key, _ in rows], vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return self._known[prefix]


def search_function(store: BaseStore) -> SearchFunction:
    """Search a store as Keepsake does, in one batch."""

    async def ask(n: int, text: str) -> Pages:
        return cast("Pages", await store.abatch(_operations(n, text)))

    return ask


@asynccontextmanager
async def open_bare_statement(filled: Dataset, store: ExactPostgresStore) -> AsyncIterator[SearchFunction]:
    """Open a connection that runs only the statement of Keepsake's store."""
    language = None if store.indexing is None else store.indexing.language
    connection = await AsyncConnection.connect(
        filled.exact, autocommit=True, prepare_threshold=None, row_factory=dict_row
    )
    async with connection, connection.cursor(binary=True) as cursor:

        def ask(n: int, text: str) -> Awaitable[Pages]:
            [search] = Searches.of(list(enumerate(_operations(n, text))), indexed=True)
            parameters = search.parameters(filled.embedder.vectors[text], language, widening=1)
            return run(search.statement(store.indexing), parameters)

        async def run(statement: LiteralString, parameters: dict[str, Any]) -> Pages:
            await cursor.execute(statement, parameters)
            await cursor.fetchall()
            return []

        yield ask


async def compare(
    contestants: Sequence[Contestant], queries: Sequence[str], *, rounds: int, searches: int
) -> dict[str, Measurement]:
    """Let all contestants run the same searches, in random order per round.

    Each contestant first runs all its searches once, so that the measured searches read no pages from disk.
    """
    pick = random.Random(3)
    measured = {contestant.name: Measurement() for contestant in contestants}
    draws = [[(pick.random(), pick.choice(queries)) for _ in range(searches)] for _ in range(rounds)]
    for contestant in contestants:
        for round_ in draws:
            await _run_searches(contestant, round_)
    answers: list[SearchResult] = []
    for round_ in draws:
        for contestant in pick.sample(contestants, len(contestants)):
            times, found = await _run_searches(contestant, round_)
            measured[contestant.name].rounds.append(times)
            answers += found
    _count_results(answers, measured)
    return measured


async def compare_under_load(
    contestant: Contestant, busy: Contestant, queries: Sequence[str], *, rounds: int, searches: int
) -> dict[str, Measurement]:
    """Alternate between searches with and without a concurrently searching contestant.

    Returns:
        The measurements `UNDER_LOAD` and `ALONE`.
    """
    pick = random.Random(3)
    beside, alone = Measurement(), Measurement()
    draws = [[(pick.random(), pick.choice(queries)) for _ in range(searches)] for _ in range(rounds)]
    for round_ in draws:
        await _run_searches(contestant, round_)
    for round_ in draws:
        for measured in pick.sample([beside, alone], 2):
            over = asyncio.Event()
            async with asyncio.TaskGroup() as tasks:
                if measured is beside:
                    tasks.create_task(_search_until(over, busy, queries))
                times, _ = await _run_searches(contestant, round_)
                measured.rounds.append(times)
                over.set()
    return {UNDER_LOAD: beside, ALONE: alone}


async def _search_until(over: asyncio.Event, contestant: Contestant, queries: Sequence[str]) -> None:
    for text in itertools.cycle(queries):
        if over.is_set():
            return
        await contestant.search(contestant.users[0], text)


async def _run_searches(
    contestant: Contestant, draws: Sequence[SearchRequest]
) -> tuple[list[float], list[SearchResult]]:
    """Run searches sequentially; returns the times in ms and the results."""
    times, answers = [], []
    for place, text in draws[: contestant.max_searches]:
        n = contestant.users[int(place * len(contestant.users))]
        answer = contestant.search(n, text)
        started = time.perf_counter()
        pages = await answer
        times.append(1000 * (time.perf_counter() - started))
        answers.append(SearchResult(contestant, n, text, pages))
    return times, answers


def round_ratios(one: Measurement, other: Measurement) -> tuple[float, tuple[float, float]]:
    """Compare two measurements round by round.

    Returns:
        The median of the ratios of the round medians, and their lower and upper quartiles.
    """
    each = [mine / theirs for mine, theirs in zip(one.medians, other.medians, strict=True)]
    lower, middle, upper = statistics.quantiles(each, n=4, method="inclusive")
    return middle, (lower, upper)


def _operations(n: int, text: str) -> list[SearchOp]:
    return [SearchOp(namespace, query=text, limit=LIMIT) for namespace in namespaces(n)]


def _count_results(answers: Sequence[SearchResult], measured: dict[str, Measurement]) -> None:
    """Count the items found, after all searches are measured."""
    with ExitStack() as stack:
        truths: dict[str, ExactSearch] = {}
        for contestant, n, text, pages in answers:
            if contestant.check == "rows":
                continue
            filled, of = contestant.dataset, measured[contestant.name]
            if filled.exact not in truths:
                truths[filled.exact] = ExactSearch(stack.enter_context(psycopg.connect(filled.exact)), filled.embedder)
            for namespace, page in zip(namespaces(n), pages, strict=True):
                nearest = truths[filled.exact].nearest(namespace, text)
                of.expected += min(LIMIT, len(nearest))
                of.found = (of.found or 0) + len(page)
                if contestant.check == "nearest":
                    of.nearest = (of.nearest or 0) + sum(item.key in nearest for item in page)
