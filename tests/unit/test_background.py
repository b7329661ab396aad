"""Background tasks end with the block that owns them, also those that miss that they are cancelled."""

import asyncio
import contextlib

import pytest

from agent.background import background_tasks, run_every, sleep, yield_to_loop


async def test_a_task_that_swallows_its_cancellation_ends_all_the_same() -> None:
    swallowed = asyncio.Event()

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            swallowed.set()
        await asyncio.Event().wait()

    async with background_tasks(cancel_again_seconds=0.01) as spawn:
        task = spawn(stubborn())
        await asyncio.sleep(0)
    assert swallowed.is_set()
    assert task.cancelled()


async def test_a_loop_that_swallowed_its_cancellation_does_not_pause() -> None:
    rounds = 0

    async def loop() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            await sleep(3_600)

    task = asyncio.create_task(loop())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert rounds == 1


async def test_what_fails_once_is_told_and_done_again(caplog: pytest.LogCaptureFixture) -> None:
    again = asyncio.Event()

    async def work() -> None:
        if not caplog.records:
            raise ConnectionError("the database is away")
        again.set()

    async with background_tasks() as spawn:
        task = spawn(run_every(0, work, name="tidying"))
        await again.wait()
    assert task.cancelled()
    assert [record.getMessage() for record in caplog.records] == ["tidying failed, and is tried again"]


async def test_others_go_first_as_far_as_tasks_that_they_begin() -> None:
    out: list[int] = []

    async def send(tasks: int) -> None:
        if tasks:
            await asyncio.create_task(send(tasks - 1))
        out.append(tasks)

    sending = asyncio.create_task(send(3))
    await yield_to_loop()
    assert out == [0, 1, 2, 3]
    await sending
