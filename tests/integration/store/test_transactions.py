"""A batch of one owner is atomic (exact store only)."""

import asyncio
from typing import Any

import pytest
from langgraph.store.base import Op, PutOp

from integration.store.bad import BAD
from integration.store.stores import Namespace, Store, keys_of

ROUNDS = 20
KEYS = [str(n) for n in range(12)]


async def _fails(store: Store, ops: list[Op]) -> bool:
    [result] = await asyncio.gather(store.abatch(ops), return_exceptions=True)
    return isinstance(result, Exception)


async def _known(store: Store, namespace: Namespace) -> dict[str, Any]:
    return {item.key: item.value for item in await store.asearch(namespace, limit=100)}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_the_batch_of_a_user_is_atomic(exact: Store, home: Namespace, bad: dict[str, Any]) -> None:
    memories, inbox = (*home, "memories", "user"), (*home, "inbox")
    await exact.aput(memories, "old", {"text": "red car"})
    await exact.aput(inbox, "old", {"text": "red car"})
    ops: list[Op] = [
        PutOp(inbox, "old", None),
        PutOp(memories, "old", {"text": "green apple"}),
        PutOp(memories, "new", {"text": "house"}),
        PutOp(inbox, "bad", bad),
        PutOp((*home, "profile"), "new", {"text": "house"}),
    ]
    assert await _fails(exact, ops)
    assert await _known(exact, home) == {"old": {"text": "red car"}}
    assert len(await exact.asearch(home)) == 2
    assert [item.score for item in await exact.asearch(home, query="red car")] == pytest.approx([1.0, 1.0])
    assert not await _fails(exact, [op for op in ops if isinstance(op, PutOp) and op.key != "bad"])
    assert sorted(keys_of(await exact.asearch(home))) == ["new", "new", "old"]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_a_failure_of_one_owner_does_not_affect_others(
    exact: Store, home: Namespace, bad: dict[str, Any]
) -> None:
    others = [(home[0], f"{home[1]}{n}", "inbox") for n in range(3)]
    ops: list[Op] = [PutOp(other, "new", {"text": "house"}) for other in others]
    ops[1:1] = [PutOp(home, "new", {"text": "house"}), PutOp(home, "bad", bad)]
    assert await _fails(exact, ops)
    assert [await _known(exact, other) for other in others] == [{"new": {"text": "house"}}] * 3
    assert await _known(exact, home) == {}


async def test_a_namespace_of_one_label_is_its_own_owner(exact: Store, home: Namespace) -> None:
    one, other = (f"one {home[1]}",), (f"other {home[1]}",)
    ops: list[Op] = [
        PutOp(one, "new", {"text": "house"}),
        PutOp(one, "bad", BAD["NUL"]),
        PutOp(other, "new", {"text": "house"}),
    ]
    assert await _fails(exact, ops)
    assert await _known(exact, one) == {}
    assert await _known(exact, other) == {"new": {"text": "house"}}


async def test_readers_never_see_part_of_a_batch(exact: Store, home: Namespace) -> None:
    async def write() -> None:
        for n in range(ROUNDS):
            await exact.abatch([PutOp((*home, str(int(key) % 3)), key, {"text": "car", "n": n}) for key in KEYS])

    await exact.abatch([PutOp((*home, str(int(key) % 3)), key, {"text": "car", "n": -1}) for key in KEYS])
    writing = asyncio.create_task(write())
    while not writing.done():
        for query in (None, "car"):
            seen = [item.value["n"] for item in await exact.asearch(home, query=query, limit=100)]
            assert len(seen) == len(KEYS)
            assert len(set(seen)) == 1
    await writing
