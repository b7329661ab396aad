"""A search finds all of the nearest items, however many rows other users have (exact store only)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from langgraph.store.base import PutOp
from psycopg import AsyncConnection

from agent.store.indexing import ExactIndexConfig
from integration.store.embedder import DIMS
from integration.store.stores import EXACT, Namespace, Store, indexed, keys_of, opened, rows

OWN_ROWS = 300
OTHERS = 100
ROWS_OF_ANOTHER = 100
STOCKS_INDEX = """
    CREATE INDEX store_vectors_embedding_idx ON store_vectors
    USING hnsw (embedding vector_cosine_ops) WITH (m = 4, ef_construction = 8)"""


@dataclass(frozen=True)
class Population:
    """A database with one user's rows among those of many users, and a query."""

    uri: str
    query: np.ndarray
    own: np.ndarray  # [OWN_ROWS][DIMS]

    def scores(self) -> dict[str, float]:
        """The cosine of each of the user's rows, the nearest first."""
        lengths = np.linalg.norm(self.own, axis=1) * np.linalg.norm(self.query)
        cosines = (self.own @ self.query) / lengths
        return {str(n): float(cosines[n]) for n in np.argsort(-cosines, kind="stable")}

    def index(self, **more: object) -> ExactIndexConfig:
        async def embed(texts: Sequence[str]) -> list[list[float]]:
            return [self.query.tolist() for _ in texts]

        return indexed(embed, **more)  # type: ignore[arg-type] # more of the configuration


async def _fill(uri: str, population: Sequence[tuple[str, str, np.ndarray]]) -> None:
    async with await AsyncConnection.connect(uri) as connection, connection.cursor() as cursor:
        async with cursor.copy("COPY store (prefix, key, value) FROM STDIN") as copy:
            for prefix, key, _ in population:
                await copy.write_row((prefix, key, '{"text": "something"}'))
        async with cursor.copy("COPY store_vectors (prefix, key, field_name, embedding) FROM STDIN") as copy:
            for prefix, key, vector in population:
                await copy.write_row((prefix, key, "text", str(vector.tolist())))
    await rows(uri, "ANALYZE")


@pytest.fixture
async def population(empty: str) -> Population:
    """One user's 300 rows among 10,000 of others, inserted in random order."""
    random = np.random.default_rng(7)
    query = random.standard_normal(DIMS)
    own = random.standard_normal((OWN_ROWS, DIMS)).astype(np.float32)
    near = query + 0.2 * random.standard_normal((OTHERS * ROWS_OF_ANOTHER, DIMS))  # nearer than one's own
    shuffled = [
        *(("users.own", str(n), vector) for n, vector in enumerate(own)),
        *((f"users.{n % OTHERS}", uuid.UUID(int=n).hex, vector) for n, vector in enumerate(near)),
    ]
    made = Population(empty, query, own)
    async with opened(EXACT, empty, index=made.index()) as store:
        await store.setup()
    await _fill(empty, [shuffled[n] for n in random.permutation(len(shuffled))])
    return made


async def _finds_the_nearest(population: Population) -> None:
    scores = population.scores()
    async with opened(EXACT, population.uri, index=population.index(language=None)) as store:
        for limit in (1, 10, 299, 1_000):
            found = await store.asearch(("users", "own"), query="what", limit=limit)
            assert keys_of(found) == list(scores)[:limit]
            expected = [scores[item.key] for item in found]
            assert [item.score for item in found] == pytest.approx(expected, abs=1e-6)
        assert len(await store.asearch(("users", "7"), query="what", limit=150)) == ROWS_OF_ANOTHER
        assert len(await store.asearch(("users",), query="what", limit=10)) == 10


async def test_the_nearest_items_are_found_among_many_users(population: Population) -> None:
    await _finds_the_nearest(population)
    await rows(population.uri, STOCKS_INDEX)
    await _finds_the_nearest(population)


@pytest.mark.parametrize("words", [{}, {"language": None}], ids=["with words", "without words"])
async def test_pages_have_no_gaps_and_no_duplicates(exact_uri: str, home: Namespace, words: dict[str, None]) -> None:
    random = np.random.default_rng(7)
    one = Population(exact_uri, random.standard_normal(DIMS), random.standard_normal((OWN_ROWS, DIMS)))
    await _fill(exact_uri, [(".".join(home), str(n), vector) for n, vector in enumerate(one.own)])
    async with opened(EXACT, exact_uri, index=one.index(**words)) as store:
        whole = keys_of(await store.asearch(home, query="what", limit=OWN_ROWS))
        assert sorted(whole) == sorted(one.scores())
        pages = [
            keys_of(await store.asearch(home, query="what", limit=37, offset=offset))
            for offset in range(0, OWN_ROWS + 37, 37)
        ]
        assert [key for page in pages for key in page] == whole
        assert keys_of(await store.asearch(home, query="what", limit=10)) == whole[:10]


async def test_small_differences_are_ranked_correctly(exact_uri: str, home: Namespace) -> None:
    random = np.random.default_rng(7)
    query = np.eye(DIMS)[0]
    somewhere = np.array([0.6, 0.8, *[0.0] * (DIMS - 2)])
    close = (somewhere + 1e-4 * random.standard_normal((OWN_ROWS, DIMS))).astype(np.float32)
    one = Population(exact_uri, query, close)
    await _fill(exact_uri, [(".".join(home), str(n), vector) for n, vector in enumerate(close)])
    async with opened(EXACT, exact_uri, index=one.index(language=None)) as store:
        found = await store.asearch(home, query="what", limit=10)
    least = list(one.scores().values())[9]
    assert len(found) == 10
    assert min(one.scores()[item.key] for item in found) == pytest.approx(least, abs=2e-6)


async def test_equal_scores_have_a_stable_order(exact: Store, home: Namespace) -> None:
    names = [f"{n:03}" for n in range(200)]
    await exact.abatch([PutOp((*home, name[:1]), name, {"text": "car"}) for name in reversed(names)])
    pages = [keys_of(await exact.asearch(home, query="car", limit=30, offset=offset)) for offset in range(0, 210, 30)]
    assert [key for page in pages for key in page] == names


async def test_an_item_with_many_vectors_takes_one_place(exact: Store, home: Namespace) -> None:
    await exact.aput(home, "many", {"tags": ["car " * n for n in range(1, 200)]}, index=["tags[*]"])
    await exact.abatch([PutOp(home, str(n), {"text": "car " * (10 - n) + "house"}) for n in range(10)])
    assert keys_of(await exact.asearch(home, query="car", limit=5)) == ["many", "0", "1", "2", "3"]
    assert keys_of(await exact.asearch(home, query="car", limit=5, offset=5)) == ["4", "5", "6", "7", "8"]
