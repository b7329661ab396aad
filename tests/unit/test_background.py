"""Background tasks end with their block, even if they swallow a cancellation."""

import asyncio
import contextlib

import pytest

from agent.background import background_tasks, run_every, sleep, yield_to_loop


async def test_a_task_that_swallows_its_cancellation_is_cancelled_again() -> None:
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


async def test_sleep_raises_a_swallowed_cancellation() -> None:
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


async def test_a_failed_action_is_logged_and_repeated(caplog: pytest.LogCaptureFixture) -> None:
    repeated = asyncio.Event()

    async def work() -> None:
        if not caplog.records:
            raise ConnectionError("the database did not answer")
        repeated.set()

    async with background_tasks() as spawn:
        task = spawn(run_every(0, work, name="tidying"))
        await repeated.wait()
    assert task.cancelled()
    assert [record.getMessage() for record in caplog.records] == ["tidying failed; retrying"]


async def test_yield_to_loop_lets_other_tasks_and_their_children_run() -> None:
    finished: list[int] = []

    async def send(tasks: int) -> None:
        if tasks:
            await asyncio.create_task(send(tasks - 1))
        finished.append(tasks)

    sending = asyncio.create_task(send(3))
    await yield_to_loop()
    assert finished == [0, 1, 2, 3]
    await sending
