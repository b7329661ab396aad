"""Background tasks with an owner: none outlives the block that opened it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


@asynccontextmanager
async def background_tasks() -> AsyncIterator[Spawn]:
    """Yield a way to start tasks; when the block ends they are cancelled, and get to say their last word."""
    tasks: set[asyncio.Task[None]] = set()

    def spawn(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return task

    try:
        yield spawn
    finally:
        ending = list(tasks)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


def stop_if_cancelled() -> None:
    """Raise the cancellation of this task, should something below have swallowed it; what goes on for long asks.

    References:
        `asyncio.wait_for` does so before Python 3.12, now and then: https://github.com/python/cpython/issues/86296
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
