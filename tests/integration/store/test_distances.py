"""Other distances and vector types than the default, on both stores."""

import numpy as np
import pytest
from langgraph.store.base import PutOp

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


@pytest.mark.parametrize(
    ("vectors", "distance"),
    [("vector", "cosine"), ("vector", "l2"), ("vector", "inner_product"), ("halfvec", "cosine")],
)
async def test_the_score_is_computed_by_the_configured_distance(
    kind: type[Store], empty: str, vectors: str, distance: str
) -> None:
    ann = {"vector_type": vectors}
    index = indexed(WordEmbedder(), distance_type=distance, ann_index_config=ann, language=None)
    async with opened(kind, empty, index=index) as store:
        await store.setup()
        await store.abatch([PutOp(("docs",), key, {"text": text}) for key, text in TEXTS.items()])
        found = await store.asearch(("docs",), query=QUERY)
    assert {item.key: item.score for item in found} == pytest.approx(_scores(distance), abs=2e-3)
    scores = [item.score or 0 for item in found]
    assert scores == sorted(scores, reverse=True)
    column = "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = %s::regclass AND attname = %s"
    assert await rows(empty, column, "store_vectors", "embedding") == [(vectors,)]
