"""Batches of operations, on both stores."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchOp,
)

from integration.store.stores import Namespace, Store, keys_of


def _value(result: Result) -> Any:  # noqa: ANN401 - whatever was put
    return result.value if isinstance(result, Item) else None


def _keys(result: Result) -> list[str]:
    assert isinstance(result, list)
    return [item.key for item in result if isinstance(item, Item)]


async def _values(store: Store, namespace: Namespace) -> dict[str, Any]:
    return {item.key: item.value for item in await store.asearch(namespace, limit=10_000)}


async def test_results_are_in_the_order_of_the_operations(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red apple"})
    await store.aput((*home, "below"), "b", {"text": "green car"})
    listing = ListNamespacesOp((MatchCondition("prefix", home),), None, 10, 0)
    answers: list[tuple[Op, Callable[[Result], object], object]] = [
        (GetOp(home, "a"), _value, {"text": "red apple"}),
        (PutOp(home, "c", {"text": "house"}), lambda result: result, None),
        (SearchOp(home, query="green car"), _keys, ["b", "a"]),
        (listing, lambda result: result, [home, (*home, "below")]),
        (GetOp((*home, "below"), "b"), _value, {"text": "green car"}),
        (SearchOp(home, {"text": "red apple"}), _keys, ["a"]),
        (GetOp(home, "never"), _value, None),
        (PutOp(home, "a", None), lambda result: result, None),
        (SearchOp(home, query="red apple", limit=1), _keys, ["a"]),
        (GetOp(home, "a"), _value, {"text": "red apple"}),
    ]
    results = await store.abatch([op for op, _, _ in answers])
    assert [seen(result) for (_, seen, _), result in zip(answers, results, strict=True)] == [
        expected for _, _, expected in answers
    ]
    assert sorted(await _values(store, home)) == ["b", "c"]


async def test_an_empty_batch_has_no_results(store: Store) -> None:
    assert await store.abatch([]) == []


async def test_operations_may_come_from_a_generator(store: Store, home: Namespace) -> None:
    await store.abatch(PutOp(home, str(n), {"n": n}) for n in range(3))
    assert [_value(item) for item in await store.abatch(GetOp(home, str(n)) for n in range(3))] == [
        {"n": n} for n in range(3)
    ]


async def test_reads_see_the_state_before_the_batch(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red car"})
    put, got, listed, found, named = await store.abatch(
        [
            PutOp(home, "a", {"text": "green apple"}),
            GetOp(home, "a"),
            SearchOp(home),
            SearchOp(home, query="green apple"),
            ListNamespacesOp((MatchCondition("prefix", home),)),
        ]
    )
    assert put is None
    assert _value(got) == {"text": "red car"}
    for items in (listed, found):
        assert isinstance(items, list)
        assert [_value(item) for item in items if isinstance(item, Item)] == [{"text": "red car"}]
    assert named == [home]
    assert await _values(store, home) == {"a": {"text": "green apple"}}


async def test_the_last_of_several_writes_of_a_key_wins(store: Store, home: Namespace) -> None:
    await store.abatch(
        [
            PutOp(home, "a", {"text": "red car"}),
            PutOp(home, "b", None),
            PutOp(home, "c", {"text": "house"}),
            PutOp(home, "a", {"text": "green apple"}),
            PutOp(home, "b", {"text": "violin"}),
            PutOp(home, "c", None),
        ]
    )
    assert await _values(store, home) == {"a": {"text": "green apple"}, "b": {"text": "violin"}}
    assert keys_of(await store.asearch(home, query="green apple", limit=1)) == ["a"]


async def test_a_repeated_get_has_two_results(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"n": 1})
    results = await store.abatch([GetOp(home, "a"), GetOp(home, "b"), GetOp(home, "a")])
    assert [_value(result) for result in results] == [{"n": 1}, None, {"n": 1}]


async def test_searches_of_one_batch_are_independent(store: Store, home: Namespace) -> None:
    for user in ("ada", "bob"):
        for text in ("red apple", "green car", "violin"):
            await store.aput((*home, user), f"{user}: {text}", {"text": text})
    results = await store.abatch(
        [
            SearchOp((*home, "ada"), query="violin", limit=1),
            SearchOp((*home, "bob"), query="violin", limit=1),
            SearchOp((*home, "bob"), query="green car", limit=1),
            SearchOp((*home, "bob"), {"text": "red apple"}),
            SearchOp((*home, "ada"), query="red apple", filter={"text": "green car"}),
            SearchOp((*home, "eve"), query="violin"),
        ]
    )
    assert [_keys(result) for result in results] == [
        ["ada: violin"],
        ["bob: violin"],
        ["bob: green car"],
        ["bob: red apple"],
        ["ada: green car"],
        [],
    ]


async def test_a_thousand_puts_are_one_batch(store: Store, home: Namespace) -> None:
    numbers = range(1_000)
    await store.abatch([PutOp(home, str(n), {"text": f"car {n}", "n": n}) for n in numbers])
    got = await store.abatch([GetOp(home, str(n)) for n in numbers])
    assert [_value(item)["n"] for item in got] == list(numbers)
    assert len(await store.asearch(home, query="car", limit=1_000)) == 1_000
    await store.abatch([PutOp(home, str(n), None) for n in numbers if n != 500])
    assert keys_of(await store.asearch(home, limit=1_000)) == ["500"]


async def test_a_batch_with_an_invalid_namespace_is_rejected(store: Store, home: Namespace) -> None:
    refused: list[Op] = [
        GetOp(("users.ada",), "a"),
        PutOp(("users", ""), "a", {}),
        PutOp(("users.ada",), "a", None),
        SearchOp(("users.ada",)),
        ListNamespacesOp((MatchCondition("prefix", ("users.ada",)),)),
        ListNamespacesOp((MatchCondition("suffix", ("users.ada",)),)),
    ]
    for op in refused:
        with pytest.raises(InvalidNamespaceError):
            await store.abatch([op, GetOp(home, "a")])


async def test_a_batch_may_write_to_the_langgraph_namespace(store: Store, home: Namespace) -> None:
    own = ("langgraph", home[1])
    await store.abatch([PutOp(own, "a", {"n": 1})])
    assert _value(await store.aget(own, "a")) == {"n": 1}


async def test_synchronous_calls_work_from_another_thread(store: Store, home: Namespace) -> None:
    def elsewhere() -> list[object]:
        store.put(home, "a", {"text": "red car"})
        store.put(home, "b", {"text": "green apple"}, index=False)
        store.put(home, "c", {"text": "house"})
        store.delete(home, "c")
        return [
            _value(store.get(home, "a")),
            keys_of(store.search(home, query="red car")),
            sorted(keys_of(store.search(home, filter={"text": "green apple"}))),
            store.list_namespaces(prefix=home),
            [_value(item) for item in store.batch([GetOp(home, "b"), GetOp(home, "c")])],
        ]

    assert await asyncio.to_thread(elsewhere) == [
        {"text": "red car"},
        ["a"],
        ["b"],
        [home],
        [{"text": "green apple"}, None],
    ]


async def test_synchronous_calls_from_the_loop_are_rejected(store: Store, home: Namespace) -> None:
    with pytest.raises(asyncio.InvalidStateError):
        store.get(home, "a")
    with pytest.raises(asyncio.InvalidStateError):
        store.put(home, "a", {})
    with pytest.raises(asyncio.InvalidStateError):
        store.batch([GetOp(home, "a")])
