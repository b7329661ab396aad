"""Concurrent embeddings and writes (exact store only)."""

import asyncio
import random

from langgraph.store.base import PutOp

from integration.store.embedder import WaitingEmbedder, WordEmbedder
from integration.store.stores import EXACT, Namespace, indexed, keys_of, opened

SECONDS = 10  # longer than anything here takes, shorter than a test may
USERS = 8
WRITERS = 20
ROUNDS = 10
KEYS = [str(n) for n in range(30)]


def _user(home: Namespace, n: int) -> Namespace:
    """The namespace of one of several users."""
    return (home[0], f"{home[1]} {n}", "memories")


async def _put_cars(uri: str, home: Namespace) -> None:
    async with opened(EXACT, uri, index=indexed(WordEmbedder())) as store:
        await store.abatch([PutOp(_user(home, n), str(n), {"text": "car"}) for n in range(USERS)])


async def test_queries_of_different_users_are_embedded_at_the_same_time(exact_uri: str, home: Namespace) -> None:
    await _put_cars(exact_uri, home)
    embedder = WaitingEmbedder(texts=USERS)
    async with opened(EXACT, exact_uri, index=indexed(embedder)) as store, asyncio.timeout(SECONDS):
        found = await asyncio.gather(*(store.asearch(_user(home, n), query=f"car {n}") for n in range(USERS)))
    assert [keys_of(items) for items in found] == [[str(n)] for n in range(USERS)]


async def test_a_query_does_not_wait_for_earlier_ones(exact_uri: str, home: Namespace) -> None:
    await _put_cars(exact_uri, home)
    embedder = WaitingEmbedder(texts=USERS)
    async with opened(EXACT, exact_uri, index=indexed(embedder)) as store, asyncio.timeout(SECONDS):
        asking = []
        for n in range(USERS):
            embedder.entered.clear()
            asking.append(asyncio.create_task(store.asearch(_user(home, n), query=f"car {n}")))
            await embedder.entered.wait()
        found = await asyncio.gather(*asking)
    assert [keys_of(items) for items in found] == [[str(n)] for n in range(USERS)]


async def test_puts_of_different_users_are_embedded_at_the_same_time(exact_uri: str, home: Namespace) -> None:
    embedder = WaitingEmbedder(texts=USERS)
    async with opened(EXACT, exact_uri, index=indexed(embedder)) as store, asyncio.timeout(SECONDS):
        await asyncio.gather(*(store.aput(_user(home, n), "a", {"text": f"car {n}"}) for n in range(USERS)))
        assert await store.aget(_user(home, 0), "a") is not None


async def test_an_embedding_holds_no_connection(exact_uri: str, home: Namespace) -> None:
    await _put_cars(exact_uri, home)
    embedder = WaitingEmbedder(texts=99)
    index = indexed(embedder)
    async with (
        opened(EXACT, exact_uri, index=index, pool={"min_size": 1, "max_size": 1}) as store,
        asyncio.timeout(SECONDS),
    ):
        searching = asyncio.create_task(store.asearch(_user(home, 0), query="car"))
        await embedder.entered.wait()
        embedder.entered.clear()
        putting = asyncio.create_task(store.aput(_user(home, 0), "new", {"text": "house"}))
        await embedder.entered.wait()
        item = await store.aget(_user(home, 1), "1")
        assert item is not None
        assert keys_of(await store.asearch(_user(home, 2))) == ["2"]
        await store.aput(_user(home, 3), "new", {"text": "house"}, index=False)
        assert not searching.done()
        assert not putting.done()
        embedder.may_answer.set()
        assert keys_of(await searching) == ["0"]
        await putting
        assert keys_of(await store.asearch(_user(home, 0))) == ["new", "0"]


async def test_writers_of_the_same_keys_do_not_deadlock(exact_uri: str, home: Namespace) -> None:
    async with opened(
        EXACT, exact_uri, index=indexed(WordEmbedder()), pool={"min_size": 1, "max_size": WRITERS}
    ) as store:

        async def write(writer: int) -> None:
            keys = KEYS if writer % 2 else KEYS[::-1]
            if writer % 3 == 0:
                keys = random.sample(KEYS, len(KEYS))
            await store.abatch([PutOp(home, key, {"text": f"car {writer}", "writer": writer}) for key in keys])

        for _ in range(ROUNDS):
            await asyncio.gather(*(write(writer) for writer in range(WRITERS)))
            items = await store.asearch(home, limit=100)
            assert sorted(keys_of(items)) == sorted(KEYS)
            assert len({item.value["writer"] for item in items}) == 1
        assert len(await store.asearch(home, query="car", limit=100)) == len(KEYS)


async def test_deletes_and_writes_do_not_deadlock(exact_uri: str, home: Namespace) -> None:
    async with opened(EXACT, exact_uri, index=indexed(WordEmbedder())) as store:

        async def write(writer: int) -> None:
            keys = KEYS if writer % 2 else KEYS[::-1]
            value = {"text": "car"} if writer % 3 else None
            await store.abatch([PutOp(home, key, value) for key in keys])

        for _ in range(ROUNDS // 3):
            await asyncio.gather(*(write(writer) for writer in range(WRITERS)))
            assert len(await store.asearch(home, limit=100)) in (0, len(KEYS))
