"""Background tasks with an owner: none outlives the block that opened it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

logger = logging.getLogger(__name__)

Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]

LOOP_CYCLES = 8  # of the event loop; from a new task to a request on its way it takes half as many


@asynccontextmanager
async def background_tasks(*, cancel_again_seconds: float = 5.0) -> AsyncIterator[Spawn]:
    """Yield a way to start tasks; when the block ends they are cancelled, and get to say their last word.

    Args:
        again_seconds: how long that may take before a task is told again: it may have missed it.
    """
    tasks: set[asyncio.Task[None]] = set()

    def spawn(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return task

    try:
        yield spawn
    finally:
        while tasks:
            for task in tasks:
                task.cancel()
            await asyncio.wait(list(tasks), timeout=cancel_again_seconds)


async def yield_to_loop() -> None:
    """Let tasks that were just started come as far as they do without waiting: until their request is out, say."""
    for _ in range(LOOP_CYCLES):
        await asyncio.sleep(0)


def raise_if_cancelled() -> None:
    """Raise the cancellation of this task, should something below have swallowed it; what goes on for long asks.

    References:
        `asyncio.wait_for` does so before Python 3.12, now and then: https://github.com/python/cpython/issues/86296
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def sleep(seconds: float) -> None:
    """Sleep between two rounds of what goes on until it is cancelled, which may have happened in the last one."""
    raise_if_cancelled()
    await asyncio.sleep(seconds)


async def run_every(seconds: float, action: Callable[[], Awaitable[object]], *, name: str) -> None:
    """Do something now and again after each pause, until cancelled; what goes wrong is logged, and ends nothing.

    Args:
        seconds: of the pause.
        do: what to do.
        doing: what that is, for the log.
    """
    while True:
        try:
            await action()
        except Exception as error:  # whatever is wrong with the database, the next time it may be right
            logger.warning("%s failed, and is tried again", name, exc_info=error)
        await sleep(seconds)
