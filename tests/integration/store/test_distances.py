"""Other distances and vectors than the usual; the same on either store."""

import numpy as np
import pytest

from integration.store.embedder import WordEmbedder, cosine, vector
from integration.store.stores import Store, indexed, opened, rows

TEXTS = {"a": "red car", "b": "red red car car", "c": "red violin", "d": "green house"}
QUERY = "red car"


def _scores(distance: str) -> dict[str, float]:
    query = np.array(vector(QUERY))
    others = {key: np.array(vector(text)) for key, text in TEXTS.items()}
    if distance == "l2":
        return {key: -float(np.linalg.norm(query - other)) for key, other in others.items()}
    if distance == "inner_product":
        return {key: float(query @ other) for key, other in others.items()}
    return {key: cosine(vector(QUERY), vector(text)) for key, text in TEXTS.items()}


@pytest.mark.parametrize("vectors", ["vector", "halfvec"])
async def test_the_score_follows_the_distance(kind: type[Store], empty: str, vectors: str) -> None:
    for distance in ("cosine", "inner_product", "l2"):
        index = indexed(WordEmbedder(), distance_type=distance, ann_index_config={"vector_type": vectors})
        async with opened(kind, empty, index=index) as store:
            await store.setup()
            for key, text in TEXTS.items():
                await store.aput(("docs",), key, {"text": text})
            found = await store.asearch(("docs",), query=QUERY)
        expected = _scores(distance)
        assert {item.key: item.score for item in found} == pytest.approx(expected, abs=2e-3), distance
        scores = [item.score or 0 for item in found]
        assert scores == sorted(scores, reverse=True), distance
    [(made,)] = await rows(
        empty, "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attname = 'embedding' LIMIT 1"
    )
    assert made == vectors
