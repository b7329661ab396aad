"""Fair queueing: users take turns, whatever the number of their requests."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from agent.database.fair_queue import SYSTEM, FairQueue


def make_queue(slots: int, share: int, *, timeout_seconds: float = 30) -> FairQueue:
    return FairQueue(slots, slots_per_user=share, timeout_seconds=timeout_seconds)


async def _enter(queue: FairQueue, user: str, order: list[str]) -> None:
    async with queue.admit(user):
        order.append(user)
        await asyncio.sleep(0)


async def test_users_take_turns_whatever_the_number_of_their_requests() -> None:
    queue, order = make_queue(1, 1), list[str]()
    users = ["ada"] * 50 + ["bob"] + ["eve"] * 2
    await asyncio.gather(*(_enter(queue, user, order) for user in users))
    assert order[:6] == ["ada", "ada", "bob", "eve", "ada", "eve"]
    assert sorted(order) == sorted(users)


async def test_a_user_never_holds_more_than_a_share_of_the_slots() -> None:
    queue, entered = make_queue(6, 2), list[str]()
    done = asyncio.Event()

    async def hold(user: str) -> None:
        async with queue.admit(user):
            entered.append(user)
            await done.wait()

    async with asyncio.TaskGroup() as group:
        for user in ["ada"] * 10 + ["bob"] + [SYSTEM] * 3:
            group.create_task(hold(user))
        await asyncio.sleep(0)
        assert sorted(entered) == [SYSTEM, SYSTEM, SYSTEM, "ada", "ada", "bob"]
        done.set()
    assert len(entered) == 14


async def test_an_entry_that_waits_too_long_or_is_cancelled_takes_no_slot() -> None:
    queue = make_queue(1, 1, timeout_seconds=0.01)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(queue.admit("ada"))
        cancelled = asyncio.create_task(_enter(queue, "bob", []))
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(TimeoutError):
            await _enter(queue, "eve", [])
    order: list[str] = []
    await asyncio.gather(*(_enter(queue, user, order) for user in ("bob", "eve", "ada")))
    assert order == ["bob", "eve", "ada"]


async def test_an_entry_that_is_cancelled_as_it_is_admitted_releases_its_slot() -> None:
    queue, order = make_queue(1, 1), list[str]()
    async with queue.admit("ada"):
        waiting = asyncio.create_task(_enter(queue, "bob", order))
        await asyncio.sleep(0)
    waiting.cancel()  # admitted, but not yet resumed
    await asyncio.wait([waiting])
    await _enter(queue, "eve", order)
    assert order == ["eve"]


async def test_waits_and_failures_are_counted() -> None:
    queue = make_queue(1, 1, timeout_seconds=0.05)
    async with queue.admit("ada"):
        assert queue.statistics["requests_queued"] == 0
        waiting = asyncio.create_task(_enter(queue, "bob", []))
        await asyncio.sleep(0)
        assert queue.statistics["requests_waiting"] == 1
        with pytest.raises(TimeoutError):
            await waiting
    assert {name: value > 0 for name, value in queue.statistics.items()} == {
        "requests_queued": True,
        "requests_wait_ms": True,
        "requests_errors": True,
        "requests_waiting": False,
    }
