"""Deadlines count the time in which the event loop waits, not the time in which it computes."""

import asyncio
import time

import pytest

from agent.deadlines import MAX_FACTOR, TOLERANCE_SECONDS, WaitingTimer, waiting_timeout

SECONDS = 0.01


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event loop that computes all the time."""
    monkeypatch.setattr(time, "thread_time", time.monotonic)


async def wait_within_deadline(event: asyncio.Event) -> None:
    async with waiting_timeout(SECONDS):
        await event.wait()


async def test_a_block_that_waits_too_long_is_cancelled() -> None:
    with pytest.raises(TimeoutError):
        await wait_within_deadline(asyncio.Event())


@pytest.mark.usefixtures("busy")
async def test_computations_of_the_event_loop_do_not_count() -> None:
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(3 * SECONDS, done.set)
    await wait_within_deadline(done)


@pytest.mark.usefixtures("busy")
async def test_a_deadline_passes_at_its_maximum_even_if_the_event_loop_never_waits() -> None:
    started = time.perf_counter()
    with pytest.raises(TimeoutError):
        await wait_within_deadline(asyncio.Event())
    assert time.perf_counter() - started >= MAX_FACTOR * SECONDS - 2 * TOLERANCE_SECONDS


async def test_a_deadline_ends_with_its_block() -> None:
    async with waiting_timeout(SECONDS):
        pass
    later = asyncio.Event()
    asyncio.get_running_loop().call_later(3 * SECONDS, later.set)
    await later.wait()


async def test_a_cancelled_timer_calls_nothing() -> None:
    calls, done = [], asyncio.Event()

    def call() -> None:
        calls.append("kept")
        done.set()

    WaitingTimer(SECONDS, lambda: calls.append("cancelled")).cancel()
    WaitingTimer(2 * SECONDS, call)
    await done.wait()
    assert calls == ["kept"]
