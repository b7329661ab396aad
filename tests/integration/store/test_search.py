"""Searches without a query: a namespace and those below it, latest first, on both stores."""

from typing import Any, cast

import pytest
from langgraph.store.base import PutOp

from integration.store.embedder import WordEmbedder
from integration.store.stores import Namespace, Store, keys_of, opened

LABELS = [
    "a",
    "A",
    "aa",
    "a_",
    "a%",
    "aX",
    "_",
    "%",
    "%%",
    "%s",
    "*",
    "a*",
    "a|b",
    "(a)",
    "[a]",
    "^a",
    "a$",
    "a+",
    "'",
    "''",
    '"',
    "\\",
    "a\\",
    "a b",
    " ",
    "a/b",
    "a-b",
    "a,b",
    "{a}",
    "$1",
    "ü",
    "u\u0308",
    "家",
    "😀",
    "null",
    "x" * 500,
]


@pytest.fixture
async def tree(store: Store, home: Namespace) -> Namespace:
    """Items in `home` and below it, put one after another; each key is its path."""
    for path in ((), ("1",), ("10",), ("1", "0"), ("1", "0", "0"), ("2",)):
        await store.aput((*home, *path), "/".join(path), {"text": "red car", "path": list(path)})
    return home


async def test_a_search_covers_a_namespace_and_all_below_it(store: Store, tree: Namespace) -> None:
    assert keys_of(await store.asearch(tree)) == ["2", "1/0/0", "1/0", "10", "1", ""]
    assert keys_of(await store.asearch((*tree, "1"))) == ["1/0/0", "1/0", "1"]
    assert keys_of(await store.asearch((*tree, "1", "0"))) == ["1/0/0", "1/0"]
    [found] = await store.asearch((*tree, "1", "0", "0"))
    assert (found.namespace, found.value) == ((*tree, "1", "0", "0"), {"text": "red car", "path": ["1", "0", "0"]})


async def test_a_search_does_not_match_longer_labels(store: Store, tree: Namespace) -> None:
    assert "10" not in keys_of(await store.asearch((*tree, "1")))
    assert "10" not in keys_of(await store.asearch((*tree, "1"), query="red car"))
    assert keys_of(await store.asearch((*tree, "10"))) == ["10"]
    assert await store.asearch((*tree, "0")) == []
    assert (*tree, "10") not in await store.alist_namespaces(prefix=(*tree, "1"))


@pytest.mark.parametrize("query", [None, "red car"])
async def test_special_characters_of_a_label_have_no_meaning(store: Store, home: Namespace, query: str | None) -> None:
    value = {"text": "red car"}
    await store.abatch([PutOp((*home, label), "at", value | {"label": label}) for label in LABELS])
    await store.abatch([PutOp((*home, label, "below"), "below", value | {"label": label}) for label in LABELS])
    for label in LABELS:
        found = await store.asearch((*home, label), query=query)
        assert {(item.key, item.value["label"]) for item in found} == {("at", label), ("below", label)}
        at = await store.aget((*home, label), "at")
        assert at is not None
        assert at.namespace == (*home, label)


async def test_a_search_at_the_root_covers_all_users(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"mark": home[1]})
    await store.aput(("other", home[1], "b"), "b", {"mark": home[1]})
    assert keys_of(await store.asearch((), filter={"mark": home[1]})) == ["b", "a"]


async def test_a_namespace_may_be_a_list(store: Store, tree: Namespace) -> None:
    assert keys_of(await store.asearch(cast("Namespace", [*tree, "1", "0"]))) == ["1/0/0", "1/0"]


async def test_an_empty_namespace_has_no_results(store: Store, home: Namespace) -> None:
    assert await store.asearch(home) == []
    assert await store.asearch(home, query="red car") == []
    assert await store.asearch(home, filter={"n": 1}, limit=5, offset=5) == []


async def test_the_last_updated_item_is_first(store: Store, home: Namespace) -> None:
    for key in ("a", "b", "c"):
        await store.aput(home, key, {"text": key})
    assert keys_of(await store.asearch(home)) == ["c", "b", "a"]
    await store.aput(home, "a", {"text": "a"})
    assert keys_of(await store.asearch(home)) == ["a", "c", "b"]


async def test_without_a_query_there_is_no_score(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red car"})
    for found in (await store.asearch(home), await store.asearch(home, query=""), await store.asearch(home, limit=1)):
        assert [item.score for item in found] == [None]


async def test_results_are_paginated(store: Store, home: Namespace) -> None:
    for n in range(13):
        await store.aput(home, str(n), {"even": n % 2 == 0})
    expected = [str(n) for n in range(12, -1, -1)]
    pages = [keys_of(await store.asearch(home, limit=5, offset=offset)) for offset in (0, 5, 10, 15)]
    assert pages == [expected[:5], expected[5:10], expected[10:], []]
    assert keys_of(await store.asearch(home)) == expected[:10]
    assert keys_of(await store.asearch(home, limit=0)) == []
    assert keys_of(await store.asearch(home, filter={"even": True}, limit=3, offset=2)) == ["8", "6", "4"]


async def test_a_store_without_vectors_ignores_queries(kind: type[Store], uri: str, home: Namespace) -> None:
    async with opened(kind, uri) as plain:
        for key in ("a", "b"):
            await plain.aput(home, key, {"text": "red car"}, index=["text"])
        found = await plain.asearch(home, query="red car")
    assert [(item.key, item.score) for item in found] == [("b", None), ("a", None)]


async def test_an_empty_query_is_ignored(store: Store, home: Namespace, embedder: WordEmbedder) -> None:
    for key in ("a", "b"):
        await store.aput(home, key, {"text": "red car"})
    embedder.texts.clear()
    assert keys_of(await store.asearch(home, query="")) == ["b", "a"]
    assert embedder.texts == []


async def test_results_are_json_serialisable(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red car"})
    [found] = await store.asearch(home, query="red car")
    sent: dict[str, Any] = found.dict()
    assert {name: sent[name] for name in ("namespace", "key", "value")} == {
        "namespace": list(home),
        "key": "a",
        "value": {"text": "red car"},
    }
    assert sent["score"] == pytest.approx(1.0)
    assert sent["created_at"] == sent["updated_at"] == found.updated_at.isoformat()
