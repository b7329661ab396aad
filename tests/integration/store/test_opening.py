"""Every way to open a store, on both stores."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypedDict

import pytest
from langgraph.config import get_store
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import GetOp, PutOp, SearchOp
from langgraph.store.postgres.base import PoolConfig
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from agent.store.indexing import ExactIndexConfig
from integration.store.embedder import WordEmbedder
from integration.store.stores import Namespace, Store, indexed, keys_of, opened, rows

WAYS = ["connection", "pipeline", "pool", "own connection", "own pool"]


@asynccontextmanager
async def _opened_by(way: str, kind: type[Store], uri: str, index: ExactIndexConfig) -> AsyncIterator[Store]:
    options: dict[str, Any] = {"autocommit": True, "row_factory": dict_row}
    if way == "own connection":
        async with await AsyncConnection[DictRow].connect(uri, **options) as connection:
            yield kind(connection, index=index)
    elif way == "own pool":
        pooled = AsyncConnection[DictRow]
        async with AsyncConnectionPool(uri, connection_class=pooled, kwargs=options, open=False) as pool:
            yield kind(pool, index=index)
    else:
        pool_config: PoolConfig | None = {} if way == "pool" else None
        pipeline = way == "pipeline"
        async with kind.from_conn_string(uri, index=index, pipeline=pipeline, pool_config=pool_config) as store:
            yield store


@pytest.mark.parametrize("way", WAYS)
async def test_a_store_works_however_it_is_opened(kind: type[Store], uri: str, home: Namespace, way: str) -> None:
    async with _opened_by(way, kind, uri, indexed(WordEmbedder())) as store:
        await store.aput(home, "a", {"text": "red apple"})
        await store.aput(home, "b", {"text": "green car"}, ttl=10)
        await store.abatch([PutOp(home, str(n), {"text": "house", "n": n}) for n in range(9)])
        await asyncio.gather(*(store.adelete(home, str(n)) for n in range(8)))
        item = await store.aget(home, "b")
        assert item is not None
        assert item.value == {"text": "green car"}
        assert keys_of(await store.asearch(home, query="green car", limit=1)) == ["b"]
        assert sorted(keys_of(await store.asearch(home))) == ["8", "a", "b"]
        assert keys_of(await store.asearch(home, filter={"n": 8})) == ["8"]
        assert await store.alist_namespaces(prefix=home) == [home]
        got, found = await store.abatch([GetOp(home, "a"), SearchOp(home, query="red apple", limit=1)])
        assert isinstance(found, list)
        assert found == [got]


@pytest.mark.parametrize("way", WAYS)
async def test_concurrent_calls_work_however_the_store_is_opened(
    kind: type[Store], uri: str, home: Namespace, way: str
) -> None:
    async with _opened_by(way, kind, uri, indexed(WordEmbedder())) as store:

        async def user(n: int) -> list[str]:
            mine = (*home, str(n))
            await store.abatch([PutOp(mine, f"{n}/{m}", {"text": "car " * (m + 1)}) for m in range(3)])
            await store.aput(mine, f"{n}/house", {"text": "house"})
            return keys_of(await store.asearch(mine, query="house", limit=1))

        found = await asyncio.gather(*(user(n) for n in range(10)))
    assert found == [[f"{n}/house"] for n in range(10)]


async def test_the_pool_has_the_configured_options(kind: type[Store], uri: str) -> None:
    named: PoolConfig = {"min_size": 1, "max_size": 2, "kwargs": {"application_name": "the store's pool"}}
    async with kind.from_conn_string(uri, pool_config=named) as store:
        assert isinstance(store.conn, AsyncConnectionPool)
        assert (store.conn.min_size, store.conn.max_size) == (1, 2)
        await store.aget(("users", "ada"), "a")
        names = await rows(uri, "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", "the store's pool")
    assert names[0][0] >= 1
    assert named == {"min_size": 1, "max_size": 2, "kwargs": {"application_name": "the store's pool"}}


async def test_a_store_is_a_context_manager(store: Store, home: Namespace) -> None:
    async with store as same:
        assert same is store
        await same.aput(home, "a", {})


@pytest.mark.parametrize("way", ["connection", "pool"])
async def test_setup_is_idempotent(kind: type[Store], empty: str, way: str) -> None:
    for n in range(2):
        async with _opened_by(way, kind, empty, indexed(WordEmbedder())) as store:
            await store.setup()
            await store.setup()
            await store.aput(("docs",), str(n), {"text": "red car"})
            assert len(await store.asearch(("docs",), query="red car")) == n + 1


async def test_vectors_can_be_added_to_an_existing_store(kind: type[Store], empty: str) -> None:
    async with opened(kind, empty) as plain:
        await plain.setup()
        await plain.aput(("docs",), "before", {"text": "red car"})
        assert await rows(empty, "SELECT to_regclass('store_vectors')") == [(None,)]
    async with opened(kind, empty, index=indexed(WordEmbedder())) as store:
        await store.setup()
        await store.aput(("docs",), "after", {"text": "red car"})
        assert keys_of(await store.asearch(("docs",), query="red car")) == ["after"]
        assert keys_of(await store.asearch(("docs",))) == ["after", "before"]


async def test_a_graph_uses_the_store(store: Store, home: Namespace) -> None:
    class State(TypedDict):
        reply: str
        known: list[str]

    async def remember(state: State) -> dict[str, Any]:
        kept = get_store()
        known = [item.value["text"] for item in await kept.asearch(home, query=state["reply"], limit=1)]
        await kept.aput(home, state["reply"], {"text": state["reply"]})
        return {"known": known}

    graph = StateGraph(State).add_node(remember).add_edge(START, "remember").add_edge("remember", END)
    compiled = graph.compile(store=store)
    for reply, known in (("red car", []), ("violin", ["red car"]), ("a red car?", ["red car"])):
        assert (await compiled.ainvoke({"reply": reply, "known": []}))["known"] == known
