"""Whether a search costs more once the tables are cut into partitions, or shards. See README.md, here."""

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
from psycopg import sql

from .bench_store import BOTH, COSINE, QUERIES, against
from .store_data import Databases, Filled, Population, filled, namespaces, postgres
from .store_open import exact
from .store_report import Case, Figure
from .store_searches import Ask, Contestant, Finds, Pages, asking, compare

RESULTS = Path(__file__).parent / "results"
PARTITIONS = 8
SHARDS = 4
MOST = 1.3

# As an operator would cut them: hash partitions by namespace, with the same keys and indexes.
PARTITIONED: LiteralString = """
SET session_replication_role = 'replica';
ALTER TABLE store_vectors RENAME TO whole_vectors;
ALTER TABLE store RENAME TO whole;
CREATE TABLE store (LIKE whole INCLUDING DEFAULTS, PRIMARY KEY (prefix, key)) PARTITION BY HASH (prefix);
CREATE TABLE store_vectors (
    LIKE whole_vectors INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE,
    PRIMARY KEY (prefix, key, field_name),
    FOREIGN KEY (prefix, key) REFERENCES store ON DELETE CASCADE
) PARTITION BY HASH (prefix);
"""
FILLED: LiteralString = """
INSERT INTO store SELECT * FROM whole;
INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
    SELECT prefix, key, field_name, embedding, words || '', sequence, moment FROM whole_vectors;
CREATE INDEX ON store_vectors (prefix text_pattern_ops, sequence, moment, key) INCLUDE (field_name, near, words);
DROP TABLE whole_vectors, whole;
"""
# Every shard is given the rows of its own users.
SHARDED: LiteralString = """
SET session_replication_role = 'replica';
DELETE FROM store_vectors WHERE mod(('x' || md5(split_part(prefix, '.', 2)))::bit(32)::bigint, {shards}) <> {shard};
DELETE FROM store WHERE mod(('x' || md5(split_part(prefix, '.', 2)))::bit(32)::bigint, {shards}) <> {shard};
"""


def cut(uri: str) -> None:
    """Cut a database's tables into partitions."""
    part = sql.SQL("CREATE TABLE {name} PARTITION OF {of} FOR VALUES WITH (MODULUS {modulus}, REMAINDER {n})")
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(PARTITIONED)
        for of in ("store", "store_vectors"):
            for n in range(PARTITIONS):
                names = {"name": sql.Identifier(f"{of}_{n}"), "of": sql.Identifier(of)}
                connection.execute(part.format(**names, modulus=sql.Literal(PARTITIONS), n=sql.Literal(n)))
        connection.execute(FILLED)
        connection.execute("VACUUM ANALYZE")


def thin(uri: str, shard: int) -> None:
    """Leave a shard's own users in a copy of the database."""
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(sql.SQL(SHARDED).format(shards=sql.Literal(SHARDS), shard=sql.Literal(shard)))
        connection.execute("VACUUM FULL ANALYZE")
        connection.execute("VACUUM")


def shard_of(n: int) -> int:
    """Return the shard of user number `n`: the hash of their label says which."""
    label = namespaces(n)[0][1]
    return int(hashlib.md5(label.encode(), usedforsecurity=False).hexdigest()[:8], 16) % SHARDS


@asynccontextmanager
async def asked(of: Filled, uris: Sequence[str], *, language: str | None) -> AsyncIterator[Ask]:
    """Open a store on each database, and ask the one that has the user."""
    async with AsyncExitStack() as stack:
        asks = [asking(await stack.enter_async_context(exact(uri, of.embedder, language=language))) for uri in uris]

        async def ask(n: int, text: str) -> Pages:
            return await asks[shard_of(n) if len(asks) > 1 else 0](n, text)

        yield ask


async def measure(population: Population, *, rounds: int, searches: int) -> Case:
    """Measure one table, its partitions and its shards side by side."""
    with postgres() as uri:
        async with filled(uri, population) as of, AsyncExitStack() as stack:
            databases, queries = Databases(uri), of.queries(QUERIES)
            template = of.exact.rpartition("?")[0].rpartition("/")[2]
            partitioned = stack.enter_context(databases.copied(template, "partitioned"))
            shards = [stack.enter_context(databases.copied(template, f"shard_{n}")) for n in range(SHARDS)]
            await asyncio.to_thread(cut, partitioned)
            for n, shard in enumerate(shards):
                await asyncio.to_thread(thin, shard, n)
            contestants, figures = [], []
            for name, language in ((COSINE, None), (BOTH, "english")):
                for how, uris in (
                    ("", [of.exact]),
                    (f", {PARTITIONS} partitions", [partitioned]),
                    (f", {SHARDS} shards", shards),
                ):
                    ask = await stack.enter_async_context(asked(of, uris, language=language))
                    finds: Finds = "nearest" if language is None else "others"
                    contestants.append(Contestant(f"{name}{how}", ask, of, range(population.users), finds))
            found = await compare(contestants, queries, rounds=rounds, searches=searches)
            for name in (COSINE, BOTH):
                for how in (f"{PARTITIONS} partitions", f"{SHARDS} shards"):
                    one = found[f"{name}, {how}"]
                    assert one.found is not None
                    figures.append(
                        Figure(f"{name}, {how}: found", one.found / one.wanted, "of those wanted", at_least=1)
                    )
                    figures.append(replace(against(found, f"{name}, {how}", name), at_most=MOST))
    title = f"{population.users:,} users with {population.memories} memories each, in one table, partitions and shards"
    return Case(title, population.rows, found, figures)


def main() -> None:
    """Measure, print a table, and keep the figures in results/."""
    parser = argparse.ArgumentParser(description="What partitions and shards cost a search.")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try it; nothing is kept")
    quick = parser.parse_args().quick
    population = Population(500, 20) if quick else Population(20_000, 20)
    case = asyncio.run(measure(population, rounds=8 if quick else 60, searches=5))
    case.print()
    if not quick:
        (RESULTS / "growth.json").write_text(json.dumps(case.as_json(), indent=2) + "\n")


if __name__ == "__main__":
    main()
