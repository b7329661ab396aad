"""Expired items are never returned, before and after the sweep (exact store only)."""

from datetime import datetime

from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from integration.store.stores import Namespace, Store, expire, keys_of, rows


async def _expires_at(uri: str, namespace: Namespace) -> datetime:
    [(time,)] = await rows(uri, "SELECT expires_at FROM store WHERE prefix = %s", ".".join(namespace))
    assert isinstance(time, datetime)
    return time


async def test_expired_items_are_never_returned(exact: Store, exact_uri: str, home: Namespace) -> None:
    gone, here = (*home, "gone"), (*home, "here")
    for namespace in (gone, here):
        await exact.abatch([PutOp(namespace, key, {"text": "red car", "n": 1}, ttl=10) for key in ("a", "b")])
    await expire(exact_uri, gone, "a", "b")
    await expire(exact_uri, here, "a")
    assert await exact.aget(gone, "a") is None
    assert await exact.asearch(gone) == []
    assert await exact.asearch(gone, query="red car") == []
    for filtered in (None, {"n": 1}, {"n": {"$gt": 0}}):
        assert keys_of(await exact.asearch(home, filter=filtered)) == ["b"]
        assert keys_of(await exact.asearch(home, filter=filtered, query="red car")) == ["b"]
        assert keys_of(await exact.asearch(home, filter=filtered, query="red car", limit=1)) == ["b"]
    assert await exact.alist_namespaces(prefix=home) == [here]
    assert await exact.alist_namespaces(prefix=home, max_depth=2) == [home]
    results = await exact.abatch(
        [GetOp(here, "a"), SearchOp(gone), ListNamespacesOp((MatchCondition("prefix", gone),)), GetOp(here, "missing")]
    )
    assert results == [None, [], [], None]


async def test_reading_does_not_revive_an_expired_item(exact: Store, exact_uri: str, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "red car"}, ttl=10)
    await expire(exact_uri, home, "a")
    expired = await _expires_at(exact_uri, home)
    await exact.aget(home, "a", refresh_ttl=True)
    await exact.asearch(home, refresh_ttl=True)
    await exact.asearch(home, query="red car", refresh_ttl=True)
    assert await _expires_at(exact_uri, home) == expired
    assert await exact.sweep_ttl() >= 1
    assert await rows(exact_uri, "SELECT FROM store WHERE prefix = %s", ".".join(home)) == []


async def test_an_expired_item_can_be_put_again(exact: Store, exact_uri: str, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "red car"}, ttl=10)
    await expire(exact_uri, home, "a")
    await exact.aput(home, "a", {"text": "green apple"})
    assert await exact.sweep_ttl() >= 0
    [found] = await exact.asearch(home, query="green apple")
    assert found.value == {"text": "green apple"}


async def test_live_items_are_found_among_many_expired_ones(exact: Store, exact_uri: str, home: Namespace) -> None:
    await exact.abatch([PutOp(home, f"gone {n}", {"text": "red car"}, ttl=10) for n in range(50)])
    await exact.abatch([PutOp(home, f"here {n}", {"text": "red apple"}, ttl=10) for n in range(5)])
    await expire(exact_uri, home, *(f"gone {n}" for n in range(50)))
    found = await exact.asearch(home, query="red car", limit=5)
    assert sorted(keys_of(found)) == [f"here {n}" for n in range(5)]


async def test_a_ttl_of_half_a_minute_is_not_zero(exact: Store, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "red car"}, ttl=0.5)
    for _ in range(2):
        assert await exact.aget(home, "a", refresh_ttl=True) is not None
        assert keys_of(await exact.asearch(home, refresh_ttl=True)) == ["a"]
