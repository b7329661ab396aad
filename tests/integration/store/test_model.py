"""Random searches have the results of a model: a dictionary sorted with numpy (exact store only)."""

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from langgraph.store.base import PutOp, SearchItem, SearchOp

from integration.store.conftest import TablesOf
from integration.store.model import Model, are_apart, random_vectors, similarities
from integration.store.stores import EXACT, Namespace, indexed, opened

FIELDS = ["text", "tags[*]"]
TEXTS = ["one", "two", "three", "four", "five", "six"]
QUERIES = ["seven", "two", "one"]

paths = st.lists(st.sampled_from("abc"), max_size=3).map(tuple)
keys = st.sampled_from("xyz")
texts = st.sampled_from([*TEXTS, "", "  "])
scalars = st.sampled_from([9, 10, 10.0, -1, 2.5, "9", "10", "b", True, False, None])
values = st.fixed_dictionaries(
    {}, optional={"text": texts, "tags": st.lists(texts, max_size=3), "n": scalars, "m": scalars}
)
indexes = st.sampled_from([None, None, None, False, ["text"], ["tags[*]"], ["tags[0]", "m"]])
comparisons = st.dictionaries(
    st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]),
    st.sampled_from([9, 10, 2.5, "9", "10", "b"]),
    min_size=1,
    max_size=2,
)
filters = st.none() | st.dictionaries(st.sampled_from(["n", "m", "text"]), scalars | comparisons, max_size=2)


@dataclass(frozen=True)
class Case:
    """Batches of puts and deletes, and searches afterwards; namespaces are below a root."""

    batches: Sequence[Sequence[tuple[Namespace, str, dict[str, Any] | None, Any]]]
    searches: Sequence[tuple[Namespace, str, dict[str, Any] | None, int, int]]

    def puts(self, root: Namespace) -> list[list[PutOp]]:
        return [[PutOp((*root, *path), *rest) for path, *rest in batch] for batch in self.batches]

    def asked(self, root: Namespace) -> list[SearchOp]:
        return [
            SearchOp((*root, *path), wanted, limit, offset, query)
            for path, query, wanted, limit, offset in self.searches
        ]


batches = st.lists(st.lists(st.tuples(paths, keys, st.none() | values, indexes), max_size=12), min_size=1, max_size=3)
searches = st.lists(
    st.tuples(paths, st.sampled_from(QUERIES), filters, st.integers(0, 9), st.integers(0, 5)), min_size=1, max_size=6
)
cases = st.builds(Case, batches, searches)


async def _answers_as_the_model(uri: str, case: Case, seed: int) -> None:
    root = ("model", uuid.uuid4().hex)
    vectors = random_vectors(["seven", *TEXTS, "9", "10", "10.0", "-1", "2.5", "b", "True", "False"], seed)
    scores = {query: similarities(query, vectors) for query in QUERIES}
    assume(all(are_apart(of_query) for of_query in scores.values()))

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [vectors[text].tolist() for text in texts]

    model = Model(FIELDS)
    async with opened(EXACT, uri, index=indexed(embed, fields=FIELDS, language=None)) as store:
        for batch in case.puts(root):
            await store.abatch(batch)
            for put in batch:
                model.put(put)
        asked = case.asked(root)
        for search, found in zip(asked, await store.abatch(asked), strict=True):
            assert isinstance(found, list)
            items = [item for item in found if isinstance(item, SearchItem)]
            expected = model.search(search, scores[search.query or ""])
            assert [(item.namespace, item.key, item.value) for item in items] == [item[:3] for item in expected]
            assert [item.score for item in items] == pytest.approx([score for *_, score in expected], abs=1e-5)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases, seed=st.integers(0, 2**32 - 1))
def test_a_search_returns_the_results_of_the_model(tables_of: TablesOf, case: Case, seed: int) -> None:
    asyncio.run(_answers_as_the_model(tables_of(EXACT), case, seed))
