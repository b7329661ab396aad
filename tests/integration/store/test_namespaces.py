"""Listing of namespaces, on both stores."""

import pytest
from langgraph.store.base import PutOp

from integration.store.stores import Namespace, Store

PATHS = [
    ("docs", "en", "public"),
    ("docs", "en", "secret"),
    ("docs", "de", "public", "old"),
    ("docs", "de", "public"),
    ("images", "public"),
    ("images",),
    ("docs2", "en", "public"),
]

CASES: list[tuple[Namespace, Namespace | None, list[Namespace]]] = [
    ((), None, sorted(PATHS)),
    (("docs",), None, [PATHS[3], PATHS[2], PATHS[0], PATHS[1]]),
    (("docs", "de"), None, [PATHS[3], PATHS[2]]),
    (("images",), None, [PATHS[5], PATHS[4]]),
    (("images", "public"), None, [PATHS[4]]),
    (("doc",), None, []),
    (("en",), None, []),
    ((), ("public",), [PATHS[3], PATHS[0], PATHS[6], PATHS[4]]),
    ((), ("en", "public"), [PATHS[0], PATHS[6]]),
    ((), ("lic",), []),
    ((), ("docs",), []),
    (("docs",), ("public",), [PATHS[3], PATHS[0]]),
    (("docs", "*", "public"), None, [PATHS[3], PATHS[2], PATHS[0]]),
    (("*", "en"), None, [PATHS[0], PATHS[1], PATHS[6]]),
    (("*", "*", "*", "*"), None, [PATHS[2]]),
    (("images", "*"), None, [PATHS[4]]),
    ((), ("*", "public"), [PATHS[3], PATHS[0], PATHS[6], PATHS[4]]),
    ((), ("docs", "*", "public"), [PATHS[3], PATHS[0]]),
    ((), ("public", "*"), [PATHS[2]]),
    (("images",), ("*", "en", "*"), []),
]


@pytest.fixture
async def tree(store: Store, home: Namespace) -> Namespace:
    """A namespace with one or more items in each of the paths below it."""
    await store.abatch([PutOp((*home, *path), key, {}) for path in PATHS for key in ("a", "b")])
    return home


async def test_namespaces_are_listed_by_prefix_and_suffix(store: Store, tree: Namespace) -> None:
    for prefix, suffix, paths in CASES:
        listed = await store.alist_namespaces(prefix=(*tree, *prefix), suffix=suffix)
        assert listed == [(*tree, *path) for path in paths], (prefix, suffix)


async def test_a_wildcard_matches_the_first_label(store: Store, tree: Namespace) -> None:
    assert await store.alist_namespaces(prefix=("*", tree[1], "images")) == [(*tree, "images"), (*tree, *PATHS[4])]
    assert (*tree, "images") in await store.alist_namespaces(suffix=("*", tree[1], "images"))


async def test_without_conditions_all_are_listed(store: Store, tree: Namespace) -> None:
    assert {(*tree, *path) for path in PATHS} <= set(await store.alist_namespaces(limit=10_000))


async def test_namespaces_are_truncated_at_a_depth_without_duplicates(store: Store, tree: Namespace) -> None:
    async def listed(depth: int) -> list[Namespace]:
        return [path[2:] for path in await store.alist_namespaces(prefix=tree, max_depth=depth)]

    assert await listed(1) == [()]
    assert await listed(2) == [()]
    assert await listed(3) == [("docs",), ("docs2",), ("images",)]
    assert await listed(4) == [("docs", "de"), ("docs", "en"), ("docs2", "en"), ("images",), ("images", "public")]
    assert await listed(9) == sorted(PATHS)


async def test_namespaces_are_listed_in_pages(store: Store, tree: Namespace) -> None:
    expected = [(*tree, *path) for path in sorted(PATHS)]
    pages = [await store.alist_namespaces(prefix=tree, limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert pages == [expected[:3], expected[3:6], expected[6:], []]
    assert await store.alist_namespaces(prefix=tree, limit=0) == []
    assert await store.alist_namespaces(prefix=tree, max_depth=3, limit=1, offset=1) == [(*tree, "docs2")]


async def test_the_default_limit_is_one_hundred(store: Store, home: Namespace) -> None:
    await store.abatch([PutOp((*home, f"{n:03}"), "a", {}) for n in range(101)])
    assert await store.alist_namespaces(prefix=home) == [(*home, f"{n:03}") for n in range(100)]


async def test_a_label_is_not_a_pattern(store: Store, home: Namespace) -> None:
    labels = ["a_c", "a%", "a+", "(a)", "[abc]", "^", "$", "a|b", "\\", "'", "a b", "ü", "家", "-"]
    for path in ((), ("z",)):
        await store.abatch([PutOp((*home, label, *path), "a", {}) for label in (*labels, "abc", "aa", "a", "b")])
    for label in labels:
        assert await store.alist_namespaces(prefix=(*home, label)) == [(*home, label), (*home, label, "z")]
        assert await store.alist_namespaces(prefix=home, suffix=(label, "z")) == [(*home, label, "z")]


async def test_a_namespace_without_items_is_not_listed(store: Store, home: Namespace) -> None:
    await store.aput((*home, "a"), "1", {})
    await store.aput((*home, "a"), "2", {})
    await store.adelete((*home, "a"), "1")
    assert await store.alist_namespaces(prefix=home) == [(*home, "a")]
    await store.adelete((*home, "a"), "2")
    assert await store.alist_namespaces(prefix=home) == []
