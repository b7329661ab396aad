"""Ours only: a search finds all that is nearest, whatever the others have."""

import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from psycopg import AsyncConnection

from integration.store.embedder import DIMS
from integration.store.stores import EXACT, Store, indexed, keys_of, opened, rows

OWN_ROWS = 300
OTHERS = 100
ROWS_OF_ANOTHER = 100
STOCKS_INDEX = "CREATE INDEX store_vectors_embedding_idx ON store_vectors USING hnsw (embedding vector_cosine_ops)"


@dataclass(frozen=True)
class Crowd:
    """A store with one user's rows among those of many."""

    store: Store
    query: np.ndarray
    own: np.ndarray  # [OWN_ROWS][DIMS]

    def nearest(self) -> list[str]:
        """Return the keys of the user's rows, the nearest first."""
        lengths = np.linalg.norm(self.own, axis=1)
        return [str(n) for n in np.argsort(-(self.own @ self.query) / lengths, kind="stable")]


async def _fill(uri: str, crowd: list[tuple[str, str, np.ndarray]]) -> None:
    async with await AsyncConnection.connect(uri) as connection, connection.cursor() as cursor:
        async with cursor.copy("COPY store (prefix, key, value) FROM STDIN") as copy:
            for prefix, key, _ in crowd:
                await copy.write_row((prefix, key, '{"text": "something"}'))
        async with cursor.copy("COPY store_vectors (prefix, key, field_name, embedding) FROM STDIN") as copy:
            for prefix, key, vector in crowd:
                await copy.write_row((prefix, key, "text", str(vector.tolist())))
    await rows(uri, "ANALYZE")


@pytest.fixture(params=["stock's index", "no index", "words, too"])
async def crowd(empty: str, request: pytest.FixtureRequest) -> AsyncIterator[Crowd]:
    """One user's 300 rows among 10,000 of others, inserted in no order."""
    random = np.random.default_rng(7)
    own = random.standard_normal((OWN_ROWS, DIMS)).astype(np.float32)
    query = random.standard_normal(DIMS)
    near = query + 0.2 * random.standard_normal((OTHERS * ROWS_OF_ANOTHER, DIMS))  # nearer than one's own
    of_others = [
        (f"users.{n % OTHERS}", uuid.UUID(bytes=random.bytes(16)).hex, vector) for n, vector in enumerate(near)
    ]
    crowd = [*(("users.own", str(n), vector) for n, vector in enumerate(own)), *of_others]
    random.shuffle(crowd)

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [query.tolist() for _ in texts]

    words: dict[str, Any] = {} if request.param == "words, too" else {"language": None}
    async with opened(EXACT, empty, index=indexed(embed, **words)) as store:
        await store.setup()
        await _fill(empty, crowd)
        if request.param == "stock's index":
            await rows(empty, STOCKS_INDEX)
        yield Crowd(store, query, own)


async def test_the_nearest_are_found_in_a_crowd(crowd: Crowd) -> None:
    for limit in (1, 10, 299, 1_000):
        found = await crowd.store.asearch(("users", "own"), query="what", limit=limit)
        assert keys_of(found) == crowd.nearest()[:limit]
    assert len(await crowd.store.asearch(("users", "7"), query="what", limit=150)) == ROWS_OF_ANOTHER
    assert len(await crowd.store.asearch(("users",), query="what", limit=10)) == 10
    pages = [
        keys_of(await crowd.store.asearch(("users", "own"), query="what", limit=7, offset=offset))
        for offset in range(0, 308, 7)
    ]
    assert [key for page in pages for key in page] == crowd.nearest()
    assert pages[-1] == []
