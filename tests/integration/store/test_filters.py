"""Searches with a filter, on both stores."""

from typing import Any, cast

import pytest
from langgraph.store.base import SearchItem, SearchOp

from integration.store.stores import Namespace, Store, keys_of

# One-digit numbers: how the two compare longer ones is where they differ.
VALUES: dict[str, dict[str, Any]] = {
    "one": {"text": "red apple", "n": 1, "tag": "fruit", "on": True},
    "two": {"text": "red car", "n": 2, "tag": "machine", "on": False},
    "three": {"text": "green apple", "n": 3, "tag": "fruit", "on": True, "a.b": "dotted"},
    "half": {"text": "green car", "n": 3.5, "tag": "machine", "on": None},
    "list": {"text": "house", "n": [1, 2], "tag": ["fruit", "machine"], "on": 1},
    "nested": {"text": "violin", "n": {"of": 1}, "tag": {"is": {"deep": "fruit"}}, "a": {"b": "dotted"}},
    "text": {"text": "red house", "n": "1", "tag": "Fruit", "ключ": "100% 'quoted'"},
    "bare": {"text": "green house"},
}

CASES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, set(VALUES)),
    ({"tag": "fruit"}, {"one", "three"}),
    ({"tag": "fruit", "n": 3}, {"three"}),
    ({"tag": "fruit", "n": 2}, set()),
    ({"tag": "frui"}, set()),
    ({"nothing": "fruit"}, set()),
    ({"n": 1}, {"one"}),
    ({"n": 1.0}, {"one"}),
    ({"n": "1"}, {"text"}),
    ({"n": [1, 2]}, {"list"}),
    ({"n": [2, 1]}, set()),
    ({"n": []}, set()),
    ({"on": True}, {"one", "three"}),
    ({"on": 1}, {"list"}),
    ({"on": None}, {"half"}),
    ({"ключ": "100% 'quoted'"}, {"text"}),
    ({"a.b": "dotted"}, {"three"}),
    ({"tag": {"$eq": "fruit"}}, {"one", "three"}),
    ({"tag": {"$eq": ["fruit", "machine"]}}, {"list"}),
    ({"tag": {"$eq": {"is": {"deep": "fruit"}}}}, {"nested"}),
    ({"tag": {"$eq": {"is": {}}}}, set()),
    ({"a": {"$eq": {"b": "dotted"}}}, {"nested"}),
    ({"on": {"$eq": None}}, {"half"}),
    ({"on": {"$eq": False}}, {"two"}),
    ({"tag": {"$ne": "fruit"}}, {"two", "half", "list", "nested", "text"}),
    ({"on": {"$ne": None}}, {"one", "two", "three", "list"}),
    ({"n": {"$ne": 1.0}}, {"two", "three", "half", "list", "nested", "text"}),
    ({"tag": "fruit", "n": {"$gt": 1}}, {"three"}),
    ({"tag": "machine", "n": {"$gte": 3.5}}, {"half"}),
    ({"tag": "fruit", "n": {"$lt": 3}}, {"one"}),
    ({"tag": "fruit", "n": {"$lte": 3}}, {"one", "three"}),
    ({"tag": "machine", "n": {"$gt": 1, "$lt": 3}}, {"two"}),
    ({"tag": "machine", "n": {"$gt": 3, "$lt": 3}}, set()),
    ({"text": {"$gte": "red apple", "$lt": "red house"}}, {"one", "two"}),
    ({"text": {"$gt": "red house"}}, {"nested"}),
    ({"text": {"$lte": "green apple"}, "n": {"$ne": 0}}, {"three"}),
]


@pytest.fixture
async def shelf(store: Store, home: Namespace) -> Namespace:
    """A namespace with the values; half of them below it."""
    for n, (key, value) in enumerate(VALUES.items()):
        await store.aput((*home, "below") if n % 2 else home, key, value)
    return home


async def test_a_filter_selects_matching_items(store: Store, shelf: Namespace) -> None:
    for wanted, keys in CASES:
        assert set(keys_of(await store.asearch(shelf, filter=wanted))) == keys, wanted


async def test_each_search_of_a_batch_has_its_own_filter(store: Store, shelf: Namespace) -> None:
    results = await store.abatch([SearchOp(shelf, wanted) for wanted, _ in CASES])
    for (wanted, keys), found in zip(CASES, cast("list[list[SearchItem]]", results), strict=True):
        assert set(keys_of(found)) == keys, wanted


async def test_a_filter_applies_to_a_query(store: Store, shelf: Namespace) -> None:
    for wanted, keys in CASES:
        assert set(keys_of(await store.asearch(shelf, filter=wanted, query="red car"))) == keys, wanted


async def test_a_filter_applies_below_the_namespace(store: Store, shelf: Namespace) -> None:
    for wanted, keys in CASES:
        found = await store.asearch((*shelf, "below"), filter=wanted)
        assert set(keys_of(found)) == keys & {*list(VALUES)[1::2]}, wanted


async def test_filtered_items_are_ordered_and_paginated(store: Store, shelf: Namespace) -> None:
    machines = {"tag": {"$ne": "fruit"}}
    assert keys_of(await store.asearch(shelf, filter=machines)) == ["text", "nested", "list", "half", "two"]
    assert keys_of(await store.asearch(shelf, filter=machines, limit=2, offset=2)) == ["list", "half"]
    assert keys_of(await store.asearch(shelf, filter=machines, query="red car", limit=1)) == ["two"]


async def test_a_filter_is_not_interpreted_as_sql(store: Store, shelf: Namespace) -> None:
    for text in ("' OR true --", "'; DROP TABLE store; --", "%s", "%(n)s", "{}", "$1", "\\'"):
        wanted: dict[str, Any]
        for wanted in ({text: 1}, {"n": text}, {"n": {"$eq": text}}, {text: {"$gt": "a"}}):
            assert await store.asearch(shelf, filter=wanted) == [], wanted
    assert len(await store.asearch(shelf)) == len(VALUES)


async def test_an_unknown_operator_is_rejected(store: Store, shelf: Namespace) -> None:
    with pytest.raises(ValueError, match=r"\$near"):
        await store.asearch(shelf, filter={"n": {"$near": 1}})
