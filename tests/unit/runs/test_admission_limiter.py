"""The admission limiter: a concurrency limit that slow holders do not block."""

import asyncio

from agent.runs.graph_runner import AdmissionLimiter


async def test_concurrent_entries_are_limited() -> None:
    limiter, entered, maximum = AdmissionLimiter(2, 60.0), 0, 0

    async def hold_briefly() -> None:
        nonlocal entered, maximum
        async with limiter.admit():
            entered += 1
            maximum = max(maximum, entered)
            for _ in range(3):
                await asyncio.sleep(0)
            entered -= 1

    await asyncio.gather(*(hold_briefly() for _ in range(10)))
    assert maximum == 2


async def test_a_slow_holder_stops_counting_after_the_time_limit() -> None:
    limiter, finish = AdmissionLimiter(1, 0.01), asyncio.Event()

    async def hold() -> None:
        async with limiter.admit():
            await finish.wait()

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    for _ in range(2):
        async with asyncio.timeout(5), limiter.admit():
            pass
    finish.set()
    await holding
    async with limiter.admit():
        assert await _is_full(limiter)  # the slow holder released its slot once, not twice


async def test_a_cancelled_waiter_releases_its_slot() -> None:
    limiter = AdmissionLimiter(1, 60.0)
    async with limiter.admit():
        waiting = asyncio.create_task(_enter(limiter))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
    async with asyncio.timeout(5), limiter.admit():
        assert await _is_full(limiter)


async def _enter(limiter: AdmissionLimiter) -> None:
    async with limiter.admit():
        pass


async def _is_full(limiter: AdmissionLimiter) -> bool:
    """Check whether another task would have to wait."""
    other = asyncio.create_task(_enter(limiter))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    is_waiting = not other.done()
    other.cancel()
    await asyncio.wait([other])
    return is_waiting
