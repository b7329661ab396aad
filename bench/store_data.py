"""Databases of memories to measure: filled by the server itself, their rows interleaved as in real life."""

import asyncio
import itertools
import random
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

from agent.database.embedded import embedded_postgres
from agent.store.reindex import IndexRebuild
from gateway.auth.local import LOCAL_ISSUER, label

from .store_open import Prepared, exact, stock

WORDS_OF_A_TEXT = 12
STOP_WORDS = 20  # a language's most frequent words, which a search does not look for: they are left out
SYLLABLES = ("ba", "ke", "di", "go", "fu", "ha", "me", "ni", "po", "qu", "ra", "se", "ti", "vo", "xu")
WORDS = ["".join(syllables) for syllables in itertools.product(SYLLABLES, repeat=3)][:3_000]
WEIGHTS = [1 / (STOP_WORDS + rank) for rank in range(1, 1 + len(WORDS))]  # Zipf
TOPICS = 200

# Some of a user's memories are about the same: a memory's vector is the sum of a topic's and a detail's.
SEED: LiteralString = """
CREATE EXTENSION vector;
CREATE SCHEMA seed;
CREATE TABLE seed.texts (n int PRIMARY KEY, text text);
CREATE TABLE seed.users (n int PRIMARY KEY, label text, memories int);
SELECT setseed(0.5);
CREATE TABLE seed.vectors AS
    SELECT n, (SELECT array_agg(random_normal()) FROM generate_series(1, {dims}) WHERE n = n)::vector AS vector
    FROM generate_series(0, {topics} + {texts} - 1) AS n;
ALTER TABLE seed.vectors ADD PRIMARY KEY (n);
"""
# Every user's first memory, every user's second … Twenty of a user's are from one thread. There are no joins, which
# could bring the rows into another order.
MEMORIES: LiteralString = """
CREATE TABLE seed.rows AS
    SELECT at, n FROM generate_series(0, (SELECT max(memories) FROM seed.users) - 1) AS at
    JOIN seed.users ON at < memories ORDER BY at, n;
CREATE VIEW seed.memories AS
    SELECT 'users.' || (SELECT label FROM seed.users u WHERE u.n = rows.n) || '.memories.' || kind AS prefix,
        md5(n || ':' || at)::uuid::text AS key, kind, mod(place, {texts}) AS said,
        (SELECT vector FROM seed.vectors v WHERE v.n = mod(place / 31, {topics}))
            + (SELECT vector FROM seed.vectors v WHERE v.n = {topics} + mod(place / 6271, {texts})) AS vector,
        md5(n || '/' || at / 20)::uuid::text AS thread,
        to_char(timestamp '2026-01-01' + at * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS') AS ts
    FROM (
        SELECT *, CASE at % 2 WHEN 0 THEN 'user' ELSE 'episodic' END AS kind,
            hashtextextended(n || ':' || at, 0) & 9223372036854775807 AS place
        FROM seed.rows
    ) AS rows;
"""
FILL_STORE: LiteralString = """
INSERT INTO store (prefix, key, value)
SELECT prefix, key, jsonb_build_object(
    'text', text, 'type', kind, 'source_thread', thread, 'ts', ts, 'category', 'personal', 'confidence', 0.9,
    'confirmed', 1, 'last_seen', ts,
    'sources', jsonb_build_array(jsonb_build_object('thread', thread, 'message', key, 'quote', text, 'ts', ts))
) FROM (SELECT *, (SELECT text FROM seed.texts WHERE n = said) AS text FROM seed.memories) AS memories;
"""
FILL_STOCK: LiteralString = """
INSERT INTO store_vectors (prefix, key, field_name, embedding) SELECT prefix, key, 'text', vector FROM seed.memories;
"""
FILL_EXACT: LiteralString = """
CREATE TABLE seed.words AS SELECT n, store_words('english', text, 900) AS words FROM seed.texts;
ALTER TABLE seed.words ADD PRIMARY KEY (n);
INSERT INTO store_vectors (prefix, key, field_name, embedding, words, sequence, moment)
SELECT prefix, key, 'text', vector, (SELECT words || '' FROM seed.words WHERE n = said), thread, ts FROM seed.memories;
"""
# Foreign keys need no check here, and every scan begins at the beginning.
FILLING: LiteralString = """
SET session_replication_role = 'replica';
SET synchronize_seqscans = off;
SET max_parallel_workers_per_gather = 0;
"""
# As the stock store's setup makes it; of rows that are there, in a fraction of the time.
HNSW: LiteralString = """
SET maintenance_work_mem = {memory};
SET max_parallel_maintenance_workers = 1;
CREATE INDEX store_vectors_embedding_idx ON store_vectors USING hnsw (embedding vector_cosine_ops);
"""


@dataclass(frozen=True, slots=True)
class Population:
    """How many users have how many memories, half of them in each kind."""

    users: int
    memories: int
    dims: int = 384
    of_the_first: int | None = None
    """How many memories the first user has, if not as many as the others."""

    @property
    def rows(self) -> int:
        """How many memories there are."""
        more = 0 if self.of_the_first is None else self.of_the_first - self.memories
        return self.users * self.memories + more

    @property
    def texts(self) -> int:
        """How many different texts they have, and vectors of details."""
        return min(10_000, self.rows)


@dataclass(frozen=True, slots=True)
class Databases:
    """The databases of a cluster."""

    uri: str

    def at(self, name: str) -> str:
        """Return the URI of one of them."""
        return self.uri.replace("/postgres?", f"/{name}?")

    @contextmanager
    def copied(self, template: str, name: str) -> Iterator[str]:
        """Make one, and drop it at the end."""
        names = {"template": sql.Identifier(template), "name": sql.Identifier(name)}
        make = sql.SQL("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY").format(**names)
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(make)
            try:
                yield self.at(name)
            finally:
                connection.execute(sql.SQL("DROP DATABASE {name} WITH (FORCE)").format(**names))


@dataclass(frozen=True, slots=True)
class Filled:
    """The same memories in the tables of each kind of store, as its own setup makes them."""

    population: Population
    embedder: Prepared
    exact: str
    stock: str = ""
    """The stock store's tables without its index of vectors; "" where they are not asked for, as below."""
    hnsw: str = ""
    """The same with it."""

    def queries(self, count: int) -> list[str]:
        """Return texts to search for, each about one of the topics."""
        pick = random.Random(2)  # noqa: S311 (the same in each run)
        with psycopg.connect(self.exact) as connection:
            found = connection.execute("SELECT vector::real[] FROM seed.vectors WHERE n < %s", (TOPICS,))
            topics = [vector for (vector,) in found.fetchall()]
        return [self.embedder.learn(sentence(pick, words=8), pick.choice(topics)) for _ in range(count)]


@contextmanager
def postgres() -> Iterator[str]:
    """Run an embedded Postgres whose memory has room for the contestants' tables side by side; yield its URI."""
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as folder:
        data = Path(folder) / "postgres"
        with embedded_postgres(data) as uri:
            _run(uri, "ALTER SYSTEM SET shared_buffers = '3GB'")
        with embedded_postgres(data) as uri:
            yield uri


@asynccontextmanager
async def filled(uri: str, population: Population, *kinds: str) -> AsyncIterator[Filled]:
    """Make the databases of a population: `exact`, and of `kinds` `stock` and `hnsw`."""
    databases, embedder = Databases(uri), Prepared(population.dims)
    suffix = f"{population.users}_{population.memories}"
    with ExitStack() as stack:
        seed = f"seed_{suffix}"
        await asyncio.to_thread(_seed, stack.enter_context(databases.copied("template0", seed)), population)
        async with stock(databases.at(seed), None) as store:
            await store.setup()
        await asyncio.to_thread(_run, databases.at(seed), FILLING, FILL_STORE)
        uris = {"exact": stack.enter_context(databases.copied(seed, f"exact_{suffix}"))}
        async with exact(uris["exact"], embedder) as store:
            await store.setup()
        filling = [asyncio.to_thread(_run, uris["exact"], FILLING, FILL_EXACT, "VACUUM ANALYZE")]
        if kinds:
            uris["stock"] = stack.enter_context(databases.copied(seed, f"stock_{suffix}"))
            async with stock(uris["stock"], embedder) as store:
                await store.setup()
            drop: LiteralString = "DROP INDEX store_vectors_embedding_idx"
            filling.append(asyncio.to_thread(_run, uris["stock"], drop, FILLING, FILL_STOCK, "VACUUM ANALYZE"))
        await asyncio.gather(*filling)
        await IndexRebuild(uris["exact"]).rebuild_if_bloated()
        if "hnsw" in kinds:
            uris["hnsw"] = stack.enter_context(databases.copied(f"stock_{suffix}", f"hnsw_{suffix}"))
            # What pgvector wants of memory, with some to spare: with less it takes many times as long.
            kilobytes = population.rows * (4 * population.dims + 800) // 1_000 + 65_536
            index = sql.SQL(HNSW).format(memory=sql.Literal(f"{kilobytes}kB"))
            await asyncio.to_thread(_run, uris["hnsw"], index, "ANALYZE")
        await asyncio.to_thread(_run, uri, "CHECKPOINT")
        yield Filled(population, embedder, **uris)


def namespaces(n: int) -> list[tuple[str, ...]]:
    """Return where the memories of user number `n` are."""
    return [("users", label(LOCAL_ISSUER, f"user{n}"), "memories", kind) for kind in ("user", "episodic")]


def sentence(pick: random.Random, words: int = WORDS_OF_A_TEXT) -> str:
    """Return a text."""
    return " ".join(pick.choices(WORDS, WEIGHTS, k=words))


def _seed(uri: str, population: Population) -> None:
    """Make what memories are made of."""
    numbers = {
        "dims": sql.Literal(population.dims),
        "texts": sql.Literal(population.texts),
        "topics": sql.Literal(TOPICS),
    }
    pick = random.Random(1)  # noqa: S311 (the same in each run)
    with psycopg.connect(uri) as connection, connection.cursor() as cursor:
        cursor.execute(sql.SQL(SEED).format(**numbers))
        with cursor.copy("COPY seed.texts FROM STDIN") as copy:
            for n in range(population.texts):
                copy.write_row((n, sentence(pick)))
        with cursor.copy("COPY seed.users FROM STDIN") as copy:
            for n in range(population.users):
                many = population.memories if n or population.of_the_first is None else population.of_the_first
                copy.write_row((n, namespaces(n)[0][1], many))
        cursor.execute(sql.SQL(MEMORIES).format(**numbers))
    _run(uri, "VACUUM ANALYZE")


def _run(uri: str, *statements: LiteralString | sql.Composed) -> None:
    """Run statements, each by itself."""
    with psycopg.connect(uri, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)
