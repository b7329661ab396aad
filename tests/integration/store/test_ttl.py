"""Items with a time to live, on both stores."""

import asyncio
from datetime import timedelta

import pytest
from langgraph.store.base import GetOp, PutOp, SearchOp, TTLConfig
from psycopg import AsyncConnection

from integration.store.embedder import WordEmbedder
from integration.store.stores import Namespace, Store, expire, indexed, keys_of, opened, rows

NOTIFY = """
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY deleted; RETURN NULL; END $$;
CREATE TRIGGER tell AFTER DELETE ON store FOR EACH ROW EXECUTE FUNCTION tell();"""


async def _minutes_left(uri: str, namespace: Namespace) -> dict[str, int | None]:
    found = await rows(uri, "SELECT key, expires_at - now() FROM store WHERE prefix = %s", ".".join(namespace))
    return {key: None if left is None else round(left / timedelta(minutes=1)) for key, left in found}


async def _age(uri: str, namespace: Namespace) -> None:
    """Let every item with a TTL expire in a minute."""
    await rows(
        uri,
        "UPDATE store SET expires_at = now() + interval '1 minute' WHERE prefix = %s AND ttl_minutes IS NOT NULL",
        ".".join(namespace),
    )


async def test_a_put_sets_the_ttl_of_an_item(store: Store, home: Namespace, uri: str) -> None:
    await store.aput(home, "ever", {})
    await store.aput(home, "ten", {}, ttl=10)
    await store.aput(home, "none", {}, ttl=None)
    assert await _minutes_left(uri, home) == {"ever": None, "ten": 10, "none": None}
    await store.aput(home, "ever", {}, ttl=20)
    await store.aput(home, "ten", {})
    assert await _minutes_left(uri, home) == {"ever": 20, "ten": None, "none": None}


async def test_the_store_has_a_default_ttl(kind: type[Store], uri: str, home: Namespace) -> None:
    async with opened(kind, uri, ttl={"default_ttl": 30}) as store:
        await store.aput(home, "default", {})
        await store.aput(home, "ten", {}, ttl=10)
        await store.aput(home, "ever", {}, ttl=None)
        await store.abatch([PutOp(home, "batch", {}, ttl=5), PutOp(home, "bare", {})])
    assert await _minutes_left(uri, home) == {"default": 30, "ten": 10, "ever": None, "batch": 5, "bare": None}


@pytest.mark.parametrize("query", [None, "red car"])
async def test_reading_refreshes_the_ttl(store: Store, home: Namespace, uri: str, query: str | None) -> None:
    for key in ("a", "b", "c"):
        await store.aput(home, key, {"text": "red car", "key": key}, ttl=10)
    await store.aput(home, "ever", {"text": "red car"})
    await _age(uri, home)
    await store.aget(home, "a")
    await store.aget(home, "ever")
    await store.asearch(home, query=query, filter={"key": "b"})
    assert await _minutes_left(uri, home) == {"a": 10, "b": 10, "c": 1, "ever": None}


@pytest.mark.parametrize("query", [None, "red car"])
async def test_a_read_can_leave_the_ttl_unchanged(store: Store, home: Namespace, uri: str, query: str | None) -> None:
    await store.aput(home, "a", {"text": "red car"}, ttl=10)
    await _age(uri, home)
    await store.aget(home, "a", refresh_ttl=False)
    await store.asearch(home, query=query, refresh_ttl=False)
    await store.alist_namespaces(prefix=home)
    await store.abatch([GetOp(home, "a", refresh_ttl=False), SearchOp(home, query=query, refresh_ttl=False)])
    assert await _minutes_left(uri, home) == {"a": 1}


async def test_the_store_can_leave_the_ttl_unchanged(kind: type[Store], uri: str, home: Namespace) -> None:
    async with opened(kind, uri, ttl={"refresh_on_read": False}) as store:
        await store.aput(home, "a", {}, ttl=10)
        await _age(uri, home)
        await store.aget(home, "a")
        await store.asearch(home)
        assert await _minutes_left(uri, home) == {"a": 1}
        await store.aget(home, "a", refresh_ttl=True)
        assert await _minutes_left(uri, home) == {"a": 10}


async def test_a_search_refreshes_only_its_results(store: Store, home: Namespace, uri: str) -> None:
    for key in ("a", "b", "c"):
        await store.aput(home, key, {"text": "red car"}, ttl=10)
    await _age(uri, home)
    assert keys_of(await store.asearch(home, limit=1, offset=1)) == ["b"]
    assert await _minutes_left(uri, home) == {"a": 1, "b": 10, "c": 1}


async def test_expired_items_are_hidden_if_configured(kind: type[Store], uri: str, home: Namespace) -> None:
    hidden: TTLConfig = {"omit_expired": True}
    async with opened(kind, uri, index=indexed(WordEmbedder()), ttl=hidden) as store:
        for key in ("gone", "here"):
            await store.aput((*home, key), key, {"text": "red car"}, ttl=10)
        await expire(uri, (*home, "gone"), "gone")
        assert await store.aget((*home, "gone"), "gone") is None
        assert keys_of(await store.asearch(home)) == ["here"]
        assert keys_of(await store.asearch(home, query="red car")) == ["here"]
        assert await store.alist_namespaces(prefix=home) == [(*home, "here")]
        await store.aput((*home, "gone"), "gone", {"text": "red car"})
        assert keys_of(await store.asearch(home)) == ["gone", "here"]


async def test_the_sweep_deletes_expired_items_and_their_vectors(kind: type[Store], empty: str) -> None:
    uri, home = empty, ("users", "ada")
    async with opened(kind, uri, index=indexed(WordEmbedder()), ttl={"default_ttl": 10}) as store:
        await store.setup()
        for key in ("a", "b", "c"):
            await store.aput(home, key, {"text": "red car"})
        assert await store.sweep_ttl() == 0
        await expire(uri, home, "a", "b")
        assert await store.sweep_ttl() == 2
        assert await store.sweep_ttl() == 0
        assert keys_of(await store.asearch(home, query="red car")) == ["c"]
    assert await rows(uri, "SELECT key FROM store_vectors") == [("c",)]


async def test_the_sweeper_sweeps_until_it_is_stopped(kind: type[Store], empty: str) -> None:
    uri, home = empty, ("users", "ada")
    often = 0.0001
    async with (
        opened(kind, uri, ttl={"default_ttl": 10}) as store,
        await AsyncConnection.connect(uri, autocommit=True) as connection,
    ):
        await store.setup()
        await connection.execute(NOTIFY)
        await connection.execute("LISTEN deleted")
        await store.start_ttl_sweeper(sweep_interval_minutes=often)  # type: ignore[arg-type] # in minutes, and tests are in a hurry
        for key in ("a", "b"):
            await store.aput(home, key, {})
            await expire(uri, home, key)
            assert [reply.channel async for reply in connection.notifies(stop_after=1)] == ["deleted"]
        assert await store.stop_ttl_sweeper() is True


async def test_the_sweeper_can_be_restarted(kind: type[Store], uri: str) -> None:
    async with opened(kind, uri, ttl={"default_ttl": 10, "sweep_interval_minutes": 5}) as store:
        first = await store.start_ttl_sweeper()
        assert await store.start_ttl_sweeper() is first
        assert await store.stop_ttl_sweeper(timeout=5) is True
        assert first.done()
        second = await store.start_ttl_sweeper()
        assert second is not first
        assert await store.stop_ttl_sweeper() is True
        assert await store.stop_ttl_sweeper() is True


async def test_a_store_without_ttl_has_no_sweeper(store: Store) -> None:
    await asyncio.wait_for(await store.start_ttl_sweeper(), 5)
    assert await store.stop_ttl_sweeper() is True
