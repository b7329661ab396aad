"""Items are put, read and deleted, on both stores."""

import asyncio
from types import MappingProxyType
from typing import Any

import pytest
from langgraph.store.base import InvalidNamespaceError, SearchItem

from integration.store.embedder import WaitingEmbedder
from integration.store.stores import Namespace, Store, indexed, keys_of, opened, rows

VALUES: list[dict[str, Any]] = [
    {},
    {"": ""},
    {"nested": {"lists": [1, [2, [3, {"deep": None}]]], "empty": [[], {}]}},
    {"numbers": [0, -1, 2**53 + 1, 2**70, 0.1, -1.5e-300, 1e22]},
    {"booleans": [True, False, None]},
    {"texts": ["", " ", "\n\t", "家", "😀", "e\u0301", 'a"b', "it's", "back\\slash", "100%", "%s", "$1", "\u2028"]},
    {"$eq": 1, "a.b": 2, "a": {"b": 3}, "ключ": 4, "%": 5, "'": 6, '"': 7},
    {"long": "x" * 100_000},
    {str(n): n for n in range(1_000)},
]
KEYS = ["", " ", "a.b", "%", "_", "%s", "'", '"', "\\", "$1", "{}", "ключ", "😀", "x" * 1_000]
REFUSED: list[tuple[Any, ...]] = [("users.ada",), ("users", ""), ("",), ("users", 1), ("users", None), ("a\0b",)]


async def test_get_returns_an_item_that_was_put(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red car", "n": 1})
    item = await store.aget(home, "a")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (home, "a", {"text": "red car", "n": 1})
    assert not isinstance(item, SearchItem)


async def test_get_returns_none_for_a_missing_item(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {})
    assert await store.aget(home, "b") is None
    assert await store.aget((*home, "a"), "a") is None
    assert await store.aget(home[:1], "a") is None


async def test_json_values_are_unchanged(store: Store, home: Namespace) -> None:
    for value in VALUES:
        await store.aput(home, "a", value)
        item = await store.aget(home, "a")
        assert item is not None
        assert item.value == value
        [found] = await store.asearch(home)
        assert found.value == value


async def test_a_value_may_be_any_mapping(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", MappingProxyType({"text": "red car"}))
    item = await store.aget(home, "a")
    assert item is not None
    assert item.value == {"text": "red car"}


async def test_a_key_may_be_any_text(store: Store, home: Namespace) -> None:
    await asyncio.gather(*(store.aput(home, key, {"key": key}) for key in KEYS))
    items = await asyncio.gather(*(store.aget(home, key) for key in KEYS))
    assert [item.value["key"] if item else None for item in items] == KEYS
    assert sorted(keys_of(await store.asearch(home, limit=100))) == sorted(KEYS)
    await asyncio.gather(*(store.adelete(home, key) for key in KEYS[1:]))
    assert keys_of(await store.asearch(home, limit=100)) == KEYS[:1]


async def test_a_second_put_replaces_the_value_and_keeps_when_it_was_created(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red car", "only": "first"})
    first = await store.aget(home, "a")
    await store.aput(home, "a", {"text": "green car"})
    second = await store.aget(home, "a")
    assert first is not None
    assert second is not None
    assert second.value == {"text": "green car"}
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at


async def test_times_are_aware_and_from_the_database(store: Store, home: Namespace, uri: str) -> None:
    [(before,)] = await rows(uri, "SELECT now()")
    await store.aput(home, "a", {"text": "red car"})
    [(after,)] = await rows(uri, "SELECT now()")
    item = await store.aget(home, "a")
    [found] = await store.asearch(home)
    assert item is not None
    assert before < item.created_at == item.updated_at < after
    assert (found.created_at, found.updated_at) == (item.created_at, item.updated_at)


async def test_delete_is_idempotent(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red car"})
    await store.aput(home, "b", {"text": "green car"})
    await store.adelete(home, "a")
    await store.adelete(home, "a")
    assert await store.aget(home, "a") is None
    assert keys_of(await store.asearch(home)) == ["b"]
    assert keys_of(await store.asearch(home, query="red car")) == ["b"]


async def test_a_deleted_item_can_be_put_again(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red car"})
    await store.adelete(home, "a")
    await store.aput(home, "a", {"text": "green apple"})
    [found] = await store.asearch(home, query="green apple")
    assert found.value == {"text": "green apple"}
    assert found.score == pytest.approx(1.0)


async def test_an_invalid_namespace_is_rejected(store: Store) -> None:
    for namespace in REFUSED:
        for asked in (
            store.aput(namespace, "a", {}),
            store.aget(namespace, "a"),
            store.adelete(namespace, "a"),
            store.asearch(namespace),
            store.alist_namespaces(prefix=namespace),
            store.alist_namespaces(suffix=namespace),
        ):
            with pytest.raises(InvalidNamespaceError):
                await asked


async def test_puts_to_reserved_namespaces_are_rejected(store: Store) -> None:
    for namespace in ((), ("langgraph",), ("langgraph", "ada")):
        with pytest.raises(InvalidNamespaceError):
            await store.aput(namespace, "a", {})


async def test_the_label_langgraph_is_allowed_after_the_first(store: Store, home: Namespace) -> None:
    await store.aput((*home, "langgraph"), "a", {"n": 1})
    [found] = await store.asearch((*home, "langgraph"))
    assert found.value == {"n": 1}


async def test_concurrent_calls_get_their_own_results(store: Store, home: Namespace) -> None:
    numbers = range(200)
    await asyncio.gather(*(store.aput((*home, str(n % 7)), str(n), {"n": n}) for n in numbers))
    items = await asyncio.gather(*(store.aget((*home, str(n % 7)), str(n)) for n in numbers))
    assert [item.value["n"] if item else None for item in items] == list(numbers)
    found = await asyncio.gather(*(store.asearch(home, filter={"n": n}) for n in numbers))
    assert [keys_of(items) for items in found] == [[str(n)] for n in numbers]


async def test_the_last_of_concurrent_puts_wins(store: Store, home: Namespace) -> None:
    await asyncio.gather(*(store.aput(home, "a", {"text": "car " * n, "n": n}) for n in range(1, 9)))
    item = await store.aget(home, "a")
    assert item is not None
    assert item.value["n"] == 8


async def test_a_put_with_a_slow_embedding_does_not_overwrite_a_later_one(
    kind: type[Store], uri: str, home: Namespace
) -> None:
    embedder = WaitingEmbedder(texts=99)
    async with opened(kind, uri, index=indexed(embedder)) as store:
        earlier = asyncio.create_task(store.aput(home, "a", {"text": "red car"}))
        await embedder.entered.wait()
        later = asyncio.create_task(store.aput(home, "a", {"text": "green car"}, index=False))
        await asyncio.wait([later], timeout=0.2)  # whether it is done by now or waits in line
        embedder.may_answer.set()
        await asyncio.gather(earlier, later)
        item = await store.aget(home, "a")
    assert item is not None
    assert item.value == {"text": "green car"}


async def test_a_cancelled_call_does_not_affect_others(store: Store, home: Namespace) -> None:
    given_up = asyncio.create_task(store.aput(home, "a", {"n": 1}))
    others = [asyncio.create_task(store.aput(home, str(n), {"n": n})) for n in range(5)]
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(*others)
    with pytest.raises(asyncio.CancelledError):
        await given_up
    assert {str(n) for n in range(5)} <= set(keys_of(await store.asearch(home)))
