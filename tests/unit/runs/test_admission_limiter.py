"""The turnstile: few at a time, and nobody waits for whoever waits."""

import asyncio

from agent.runs.admission_limiter import AdmissionLimiter


async def test_only_so_many_are_inside_at_once() -> None:
    turnstile, inside, most = AdmissionLimiter(2, 60.0), 0, 0

    async def pass_through() -> None:
        nonlocal inside, most
        async with turnstile.admit():
            inside += 1
            most = max(most, inside)
            for _ in range(3):
                await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(pass_through() for _ in range(10)))
    assert most == 2


async def test_whoever_stands_in_it_for_long_is_passed_by() -> None:
    turnstile, slow = AdmissionLimiter(1, 0.01), asyncio.Event()

    async def stand() -> None:
        async with turnstile.admit():
            await slow.wait()

    standing = asyncio.create_task(stand())
    await asyncio.sleep(0)
    for _ in range(2):  # the slow one's place was given back once, not twice
        async with asyncio.timeout(5), turnstile.admit():
            pass
    slow.set()
    await standing
    async with turnstile.admit():
        assert await _is_full(turnstile)


async def test_whoever_gives_up_leaves_no_place_behind() -> None:
    turnstile = AdmissionLimiter(1, 60.0)
    async with turnstile.admit():
        waiting = asyncio.create_task(_pass(turnstile))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
    async with asyncio.timeout(5), turnstile.admit():
        assert await _is_full(turnstile)


async def _pass(turnstile: AdmissionLimiter) -> None:
    async with turnstile.admit():
        pass


async def _is_full(turnstile: AdmissionLimiter) -> bool:
    """Tell whether somebody else would have to wait."""
    other = asyncio.create_task(_pass(turnstile))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    is_waiting = not other.done()
    other.cancel()
    await asyncio.wait([other])
    return is_waiting
