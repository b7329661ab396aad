"""Measure searches with partitioned tables and with shards; see README.md."""

import argparse
import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import AsyncConnection, sql

from agent.database.pools import CONNECTION
from agent.store.partitions import TABLES, partition_tables

from .bench_store import BOTH, COSINE, QUERIES, time_ratio
from .store_data import Databases, Dataset, Population, namespaces, open_dataset, postgres
from .store_open import open_keepsake_store
from .store_report import Case, Figure
from .store_searches import Contestant, Pages, ResultCheck, SearchFunction, compare, search_function

RESULTS = Path(__file__).parent / "results"
PARTITIONS = 8
SHARDS = 4
MAX_RATIO = 1.3

DELETE_OTHER_SHARDS: LiteralString = """
SET session_replication_role = 'replica';
DELETE FROM store_vectors WHERE mod(('x' || md5(split_part(prefix, '.', 2)))::bit(32)::bigint, {shards}) <> {shard};
DELETE FROM store WHERE mod(('x' || md5(split_part(prefix, '.', 2)))::bit(32)::bigint, {shards}) <> {shard};
"""


async def partition(uri: str) -> None:
    """Split a database's tables into hash partitions, as `keepsake repartition` does."""
    async with await AsyncConnection.connect(uri, **CONNECTION) as connection:
        async with connection.transaction():
            await partition_tables(connection, TABLES, PARTITIONS)
        await connection.execute("VACUUM ANALYZE")


def keep_shard(uri: str, shard: int) -> None:
    """Delete the users of other shards from a copy of the database."""
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(sql.SQL(DELETE_OTHER_SHARDS).format(shards=sql.Literal(SHARDS), shard=sql.Literal(shard)))
        connection.execute("VACUUM FULL ANALYZE")
        connection.execute("VACUUM")


def shard_of(n: int) -> int:
    """The shard of user `n`, derived from the hash of the label."""
    label = namespaces(n)[0][1]
    return int(hashlib.md5(label.encode(), usedforsecurity=False).hexdigest()[:8], 16) % SHARDS


@asynccontextmanager
async def open_sharded(of: Dataset, uris: Sequence[str], *, language: str | None) -> AsyncIterator[SearchFunction]:
    """Open a store per database; searches go to the database of the user."""
    async with AsyncExitStack() as stack:
        asks = [
            search_function(await stack.enter_async_context(open_keepsake_store(uri, of.embedder, language=language)))
            for uri in uris
        ]

        async def ask(n: int, text: str) -> Pages:
            return await asks[shard_of(n) if len(asks) > 1 else 0](n, text)

        yield ask


async def measure(population: Population, *, rounds: int, searches: int) -> Case:
    """Compare one table, partitions and shards."""
    with postgres() as uri:
        async with open_dataset(uri, population) as of, AsyncExitStack() as stack:
            databases, queries = Databases(uri), of.queries(QUERIES)
            template = of.exact.rpartition("?")[0].rpartition("/")[2]
            partitioned = stack.enter_context(databases.create(template, "partitioned"))
            shards = [stack.enter_context(databases.create(template, f"shard_{n}")) for n in range(SHARDS)]
            await partition(partitioned)
            for n, shard in enumerate(shards):
                await asyncio.to_thread(keep_shard, shard, n)
            contestants, figures = [], []
            for name, language in ((COSINE, None), (BOTH, "english")):
                for how, uris in (
                    ("", [of.exact]),
                    (f", {PARTITIONS} partitions", [partitioned]),
                    (f", {SHARDS} shards", shards),
                ):
                    ask = await stack.enter_async_context(open_sharded(of, uris, language=language))
                    finds: ResultCheck = "nearest" if language is None else "others"
                    contestants.append(Contestant(f"{name}{how}", ask, of, range(population.users), finds))
            found = await compare(contestants, queries, rounds=rounds, searches=searches)
            for name in (COSINE, BOTH):
                for how in (f"{PARTITIONS} partitions", f"{SHARDS} shards"):
                    one = found[f"{name}, {how}"]
                    assert one.found is not None
                    figures.append(
                        Figure(f"{name}, {how}: found", one.found / one.expected, "of those expected", at_least=1)
                    )
                    figures.append(replace(time_ratio(found, f"{name}, {how}", name), at_most=MAX_RATIO))
    title = f"{population.users:,} users with {population.memories} memories each, in one table, partitions and shards"
    return Case(title, population.rows, found, figures)


def main() -> None:
    """Measure, print a table and write results/growth.json."""
    parser = argparse.ArgumentParser(description="Measure searches with partitions and shards.")
    parser.add_argument("--quick", action="store_true", help="small sizes; writes no results")
    quick = parser.parse_args().quick
    population = Population(500, 20) if quick else Population(20_000, 20)
    case = asyncio.run(measure(population, rounds=8 if quick else 60, searches=5))
    case.print()
    if not quick:
        (RESULTS / "growth.json").write_text(json.dumps(case.as_json(), indent=2) + "\n")


if __name__ == "__main__":
    main()
