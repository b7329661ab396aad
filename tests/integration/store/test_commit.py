"""Commits that depend on unchanged items; in the exact store, in one transaction."""

import asyncio
from datetime import datetime, timedelta

import pytest
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, PutOp, TTLConfig
from langgraph.store.memory import InMemoryStore

from agent.memory.records import batches
from agent.store import ExactPostgresStore
from integration.store.embedder import WaitingEmbedder, WordEmbedder
from integration.store.stores import EXACT, Namespace, Store, expire, indexed, keys_of, opened

WRITERS = 20
EARLIER = timedelta(microseconds=1)


@pytest.fixture(params=["ours", "theirs"])
def either(request: pytest.FixtureRequest, exact: Store) -> BaseStore:
    """The exact store, and LangGraph's in-memory store."""
    return exact if request.param == "ours" else InMemoryStore()


async def _read(store: BaseStore, namespace: Namespace, key: str) -> datetime:
    [item] = await batches.get(store, [GetOp(namespace, key)])
    assert item is not None
    return item.updated_at


async def _keys(store: BaseStore, namespace: Namespace) -> list[str]:
    return sorted(keys_of(await store.asearch(namespace, limit=100)))


async def test_a_commit_writes_if_nothing_has_changed(either: BaseStore, home: Namespace) -> None:
    await batches.put(either, [PutOp(home, key, {"text": key}) for key in ("old", "known")])
    read: batches.ReadVersions = {
        (home, "old"): await _read(either, home, "old"),
        (home, "known"): await _read(either, home, "known"),
        (home, "new"): None,
    }
    ops = [PutOp(home, "old", None), PutOp(home, "known", {"text": "car"}), PutOp(home, "new", {"text": "house"})]
    assert await batches.commit(either, ops, unchanged=read)
    assert await _keys(either, home) == ["known", "new"]
    found = await batches.get(either, [GetOp(home, "known"), GetOp(home, "new")])
    assert [item and item.value["text"] for item in found] == ["car", "house"]


async def test_a_committed_text_is_found_by_its_words(exact: Store, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "car"})
    unchanged: batches.ReadVersions = {(home, "a"): await _read(exact, home, "a")}
    assert await batches.commit(exact, [PutOp(home, "a", {"text": "violin"})], unchanged=unchanged)
    [item] = await exact.asearch(home, query="violin")
    assert item.score is not None
    assert item.score > 0.9


async def test_a_commit_writes_nothing_if_an_item_has_changed(either: BaseStore, home: Namespace) -> None:
    await batches.put(either, [PutOp(home, key, {"text": key}) for key in ("a", "b")])
    read: batches.ReadVersions = {(home, key): await _read(either, home, key) for key in ("a", "b")}
    await batches.put(either, [PutOp(home, "b", {"text": "changed"})])
    ops = [PutOp(home, "a", None), PutOp(home, "new", {"text": "new"})]
    assert not await batches.commit(either, ops, unchanged=read)
    assert await _keys(either, home) == ["a", "b"]


async def test_a_commit_writes_nothing_if_an_item_was_deleted_or_created(either: BaseStore, home: Namespace) -> None:
    await batches.put(either, [PutOp(home, "a", {"text": "a"})])
    moment = await _read(either, home, "a")
    ops = [PutOp(home, "new", {"text": "new"})]
    assert not await batches.commit(either, ops, unchanged={(home, "a"): None})
    await batches.put(either, [PutOp(home, "a", None)])
    assert not await batches.commit(either, ops, unchanged={(home, "a"): moment})
    assert await _keys(either, home) == []


async def test_a_commit_checks_the_time_of_the_read(either: BaseStore, home: Namespace) -> None:
    await batches.put(either, [PutOp(home, "a", {"text": "a"})])
    moment = await _read(either, home, "a")
    for other in (moment - EARLIER, moment + EARLIER):
        assert not await batches.commit(either, [PutOp(home, "a", None)], unchanged={(home, "a"): other})
    assert await batches.commit(either, [PutOp(home, "a", None)], unchanged={(home, "a"): moment})


async def test_an_empty_commit_succeeds(either: BaseStore, home: Namespace) -> None:
    assert await batches.commit(either, [PutOp(home, "a", {"text": "a"})], unchanged={})
    assert await batches.commit(either, [PutOp(home, "a", None)], unchanged={})


async def test_an_expired_item_counts_as_deleted(exact: Store, exact_uri: str, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "a"})
    moment = await _read(exact, home, "a")
    await expire(exact_uri, home, "a")
    ops = [PutOp(home, "a", {"text": "again"})]
    assert not await batches.commit(exact, ops, unchanged={(home, "a"): moment})
    assert await batches.commit(exact, ops, unchanged={(home, "a"): None})
    [item] = await exact.asearch(home)
    assert item.value == {"text": "again"}


async def test_a_committed_item_has_the_default_ttl(exact_uri: str, home: Namespace) -> None:
    ttl = TTLConfig(default_ttl=10, refresh_on_read=False)
    async with opened(EXACT, exact_uri, index=indexed(WordEmbedder()), ttl=ttl) as store:
        assert await batches.commit(store, [PutOp(home, "a", {"text": "a"})], unchanged={(home, "a"): None})
        assert await _keys(store, home) == ["a"]
        await expire(exact_uri, home, "a")
        assert await _keys(store, home) == []


async def test_one_of_several_concurrent_commits_succeeds(exact: Store, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "a"})
    read: batches.ReadVersions = {(home, "a"): await _read(exact, home, "a"), (home, "new"): None}
    tries = [
        batches.commit(
            exact, [PutOp(home, "new", {"text": str(n)}), PutOp(home, "a", {"text": str(n)})], unchanged=read
        )
        for n in range(WRITERS)
    ]
    assert sorted(await asyncio.gather(*tries)) == [False] * (WRITERS - 1) + [True]
    found = await batches.get(exact, [GetOp(home, "a"), GetOp(home, "new")])
    assert len({item.value["text"] for item in found if item}) == 1


async def test_concurrent_increments_are_not_lost(exact: Store, home: Namespace) -> None:
    await exact.aput(home, "sum", {"n": 0}, index=False)

    async def add() -> None:
        done = False
        while not done:
            [item] = await batches.get(exact, [GetOp(home, "sum")])
            assert item is not None
            put = PutOp(home, "sum", {"n": item.value["n"] + 1}, index=False)
            done = await batches.commit(exact, [put], unchanged=batches.read_versions([item]))

    await asyncio.gather(*(add() for _ in range(WRITERS)))
    [item] = await exact.asearch(home)
    assert item.value == {"n": WRITERS}


async def test_a_delete_during_embedding_prevents_the_commit(exact_uri: str, home: Namespace) -> None:
    embedder = WaitingEmbedder(texts=99)
    async with opened(EXACT, exact_uri, index=indexed(embedder)) as store:
        await store.aput(home, "inbox", {"text": "car"}, index=False)
        read: batches.ReadVersions = {(home, "inbox"): await _read(store, home, "inbox")}
        ops = [PutOp(home, "inbox", None), PutOp(home, "fact", {"text": "car"})]
        committing = asyncio.create_task(batches.commit(store, ops, unchanged=read))
        await embedder.entered.wait()
        async with opened(EXACT, exact_uri) as another_process:
            await another_process.adelete(home, "inbox")
        embedder.may_answer.set()
        assert not await committing
        assert await _keys(store, home) == []


async def test_a_commit_writes_nothing_if_embedding_fails(exact: Store, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "a"})
    read: batches.ReadVersions = {(home, "a"): await _read(exact, home, "a")}
    with pytest.raises(RuntimeError):
        await batches.commit(exact, [PutOp(home, "a", None), PutOp(home, "b", {"text": "poison"})], unchanged=read)
    assert await _keys(exact, home) == ["a"]


async def test_a_commit_of_several_owners_is_rejected(exact: Store, home: Namespace) -> None:
    assert isinstance(exact, ExactPostgresStore)
    other = (home[0], f"{home[1]}-2")
    with pytest.raises((ValueError, InvalidNamespaceError)):
        await exact.acommit([PutOp(home, "a", {"text": "a"})], {(other, "a"): None})
    assert await _keys(exact, home) == []
