"""Databases with generated memories; the rows of different users are interleaved."""

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
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label

from .store_open import PreparedEmbedder, open_keepsake_store, open_langgraph_store

WORDS_PER_TEXT = 12
STOP_WORDS = 20  # the most frequent words of a language are stop words and are left out
SYLLABLES = ("ba", "ke", "di", "go", "fu", "ha", "me", "ni", "po", "qu", "ra", "se", "ti", "vo", "xu")
WORDS = ["".join(syllables) for syllables in itertools.product(SYLLABLES, repeat=3)][:3_000]
WEIGHTS = [1 / (STOP_WORDS + rank) for rank in range(1, 1 + len(WORDS))]  # Zipf
TOPICS = 200

# A memory's vector is the sum of a topic vector and a detail vector, so some memories of a user are similar.
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
# Each user's first memory, then each user's second …; 20 memories of a user per thread. Joins are avoided because they
# could change the order of the rows.
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
# Skips foreign-key checks, and makes scans start at the first page.
FILLING: LiteralString = """
SET session_replication_role = 'replica';
SET synchronize_seqscans = off;
SET max_parallel_workers_per_gather = 0;
"""
# The index of LangGraph's setup, built after the rows, which is many times faster.
HNSW: LiteralString = """
SET maintenance_work_mem = {memory};
SET max_parallel_maintenance_workers = 1;
CREATE INDEX store_vectors_embedding_idx ON store_vectors USING hnsw (embedding vector_cosine_ops);
"""


@dataclass(frozen=True, slots=True)
class Population:
    """Numbers of users and memories; half of the memories are of each kind."""

    users: int
    memories: int
    dims: int = 384
    first_user_memories: int | None = None
    """Memories of the first user; None: as many as the others."""

    @property
    def rows(self) -> int:
        """Number of memories."""
        more = 0 if self.first_user_memories is None else self.first_user_memories - self.memories
        return self.users * self.memories + more

    @property
    def texts(self) -> int:
        """Number of distinct texts and detail vectors."""
        return min(10_000, self.rows)


@dataclass(frozen=True, slots=True)
class Databases:
    """Creates databases in one Postgres cluster."""

    uri: str

    def uri_of(self, name: str) -> str:
        """The URI of a database."""
        return self.uri.replace("/postgres?", f"/{name}?")

    @contextmanager
    def create(self, template: str, name: str) -> Iterator[str]:
        """Create a database from a template and drop it at the end."""
        names = {"template": sql.Identifier(template), "name": sql.Identifier(name)}
        make = sql.SQL("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY").format(**names)
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(make)
            try:
                yield self.uri_of(name)
            finally:
                connection.execute(sql.SQL("DROP DATABASE {name} WITH (FORCE)").format(**names))


@dataclass(frozen=True, slots=True)
class Dataset:
    """The same memories in the tables of each store."""

    population: Population
    embedder: PreparedEmbedder
    exact: str
    stock: str = ""
    """URI of LangGraph's tables without vector index; "" if not created."""
    hnsw: str = ""
    """URI of LangGraph's tables with vector index; "" if not created."""

    def queries(self, count: int) -> list[str]:
        """Search texts, each about one of the topics."""
        pick = random.Random(2)
        with psycopg.connect(self.exact) as connection:
            found = connection.execute("SELECT vector::real[] FROM seed.vectors WHERE n < %s", (TOPICS,))
            topics = [vector for (vector,) in found.fetchall()]
        return [self.embedder.add(sentence(pick, words=8), pick.choice(topics)) for _ in range(count)]


@contextmanager
def postgres() -> Iterator[str]:
    """Run an embedded Postgres with enough shared buffers for all tables; yields its URI."""
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as folder:
        data = Path(folder) / "postgres"
        with embedded_postgres(data) as uri:
            _run(uri, "ALTER SYSTEM SET shared_buffers = '3GB'")
        with embedded_postgres(data) as uri:
            yield uri


@asynccontextmanager
async def open_dataset(uri: str, population: Population, *kinds: str) -> AsyncIterator[Dataset]:
    """Create the databases of a population: `exact` and, of `kinds`, `stock` and `hnsw`."""
    databases, embedder = Databases(uri), PreparedEmbedder(population.dims)
    suffix = f"{population.users}_{population.memories}"
    with ExitStack() as stack:
        seed = f"seed_{suffix}"
        await asyncio.to_thread(_seed, stack.enter_context(databases.create("template0", seed)), population)
        async with open_langgraph_store(databases.uri_of(seed), None) as store:
            await store.setup()
        await asyncio.to_thread(_run, databases.uri_of(seed), FILLING, FILL_STORE)
        uris = {"exact": stack.enter_context(databases.create(seed, f"exact_{suffix}"))}
        async with open_keepsake_store(uris["exact"], embedder) as store:
            await store.setup()
        filling = [asyncio.to_thread(_run, uris["exact"], FILLING, FILL_EXACT, "VACUUM ANALYZE")]
        if kinds:
            uris["stock"] = stack.enter_context(databases.create(seed, f"stock_{suffix}"))
            async with open_langgraph_store(uris["stock"], embedder) as store:
                await store.setup()
            drop: LiteralString = "DROP INDEX store_vectors_embedding_idx"
            filling.append(asyncio.to_thread(_run, uris["stock"], drop, FILLING, FILL_STOCK, "VACUUM ANALYZE"))
        await asyncio.gather(*filling)
        await IndexRebuild(uris["exact"]).rebuild_if_bloated()
        if "hnsw" in kinds:
            uris["hnsw"] = stack.enter_context(databases.create(f"stock_{suffix}", f"hnsw_{suffix}"))
            # Memory for the whole graph; with less, pgvector is many times slower.
            kilobytes = population.rows * (4 * population.dims + 800) // 1_000 + 65_536
            index = sql.SQL(HNSW).format(memory=sql.Literal(f"{kilobytes}kB"))
            await asyncio.to_thread(_run, uris["hnsw"], index, "ANALYZE")
        await asyncio.to_thread(_run, uri, "CHECKPOINT")
        yield Dataset(population, embedder, **uris)


def namespaces(n: int) -> list[tuple[str, ...]]:
    """The memory namespaces of user `n`."""
    return [("users", user_label(LOCAL_ISSUER, f"user{n}"), "memories", kind) for kind in ("user", "episodic")]


def sentence(pick: random.Random, words: int = WORDS_PER_TEXT) -> str:
    """A random text."""
    return " ".join(pick.choices(WORDS, WEIGHTS, k=words))


def _seed(uri: str, population: Population) -> None:
    """Create the users, texts and vectors."""
    numbers = {
        "dims": sql.Literal(population.dims),
        "texts": sql.Literal(population.texts),
        "topics": sql.Literal(TOPICS),
    }
    pick = random.Random(1)
    with psycopg.connect(uri) as connection, connection.cursor() as cursor:
        cursor.execute(sql.SQL(SEED).format(**numbers))
        with cursor.copy("COPY seed.texts FROM STDIN") as copy:
            for n in range(population.texts):
                copy.write_row((n, sentence(pick)))
        with cursor.copy("COPY seed.users FROM STDIN") as copy:
            for n in range(population.users):
                many = (
                    population.memories
                    if n or population.first_user_memories is None
                    else population.first_user_memories
                )
                copy.write_row((n, namespaces(n)[0][1], many))
        cursor.execute(sql.SQL(MEMORIES).format(**numbers))
    _run(uri, "VACUUM ANALYZE")


def _run(uri: str, *statements: LiteralString | sql.Composed) -> None:
    """Run statements, each in its own transaction."""
    with psycopg.connect(uri, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)
