"""A model of the store: a dictionary with the expected search results."""

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from langgraph.store.base import PutOp, SearchOp, get_text_at_path

from integration.store.embedder import DIMS
from integration.store.stores import Namespace

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
TOO_NEAR = 1e-5  # differences below the precision of the comparison

Vectors = Mapping[str, np.ndarray]


def random_vectors(texts: Sequence[str], seed: int) -> Vectors:
    """A random vector [DIMS] for each text, rounded to the precision of Postgres."""
    random = np.random.default_rng(seed)
    return {text: random.standard_normal(DIMS).astype(np.float32).astype(np.float64) for text in texts}


def similarities(query: str, vectors: Vectors) -> dict[str, float]:
    """The cosine of each text and the query."""
    asked = vectors[query]
    return {
        text: float(asked @ vector / (np.linalg.norm(asked) * np.linalg.norm(vector)))
        for text, vector in vectors.items()
    }


def are_apart(scores: Mapping[str, float]) -> bool:
    """Check that no two scores are so close that rounding decides their order."""
    ordered = sorted(scores.values())
    return all(later - earlier > TOO_NEAR for earlier, later in pairwise(ordered))


def keeps(asked: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Check whether a value matches a filter."""
    return all(
        name in value and _holds(comparison, value[name], operand)
        for name, condition in asked.items()
        for comparison, operand in (condition.items() if isinstance(condition, dict) else [("$eq", condition)])
    )


def _holds(comparison: str, value: object, operand: object) -> bool:
    if comparison in ("$eq", "$ne"):
        return _is_same(value, operand) is (comparison == "$eq")
    return _kind(value) == _kind(operand) and COMPARISONS[comparison](value, operand)


def _is_same(one: object, other: object) -> bool:
    return _kind(one) == _kind(other) and one == other


def _kind(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return type(value).__name__
    return "number"


@dataclass
class Model:
    """A store as a dictionary of values and embedded texts."""

    fields: Sequence[str]
    items: dict[tuple[Namespace, str], tuple[dict[str, Any], list[str]]] = field(default_factory=dict)

    def put(self, op: PutOp) -> None:
        """Put or delete an item."""
        self.items.pop((op.namespace, op.key), None)
        if op.value is None:
            return
        fields = [] if op.index is False else self.fields if op.index is None else op.index
        texts = [text for path in fields for text in get_text_at_path(op.value, path) if text.strip()]
        self.items[op.namespace, op.key] = (json.loads(json.dumps(op.value)), texts)

    def search(self, op: SearchOp, scores: Mapping[str, float]) -> list[tuple[Namespace, str, dict[str, Any], float]]:
        """The namespace, key, value and score of the results, best first."""
        found = [
            (namespace, key, value, max(scores[text] for text in texts))
            for (namespace, key), (value, texts) in self.items.items()
            if namespace[: len(op.namespace_prefix)] == op.namespace_prefix and texts and keeps(op.filter or {}, value)
        ]
        found.sort(key=lambda item: (-item[3], ".".join(item[0]), item[1]))
        return found[op.offset : op.offset + op.limit]
