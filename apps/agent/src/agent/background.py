"""Background tasks that end with the block that owns them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")

Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]

LOOP_CYCLES = 8  # a new task needs about four until its request is sent


@asynccontextmanager
async def background_tasks(*, cancel_again_seconds: float = 5.0) -> AsyncIterator[Spawn]:
    """Yield a function that starts tasks; at the end of the block, cancel them and wait until they have ended.

    A task may swallow the cancellation, so after `cancel_again_seconds` it is cancelled again.
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


@asynccontextmanager
async def started(coroutine: Coroutine[Any, Any, T]) -> AsyncIterator[asyncio.Task[T]]:
    """Run a coroutine beside the block, also to its end if the block fails; cancel it if the block is cancelled."""
    task = asyncio.create_task(coroutine)
    try:
        yield task
    except asyncio.CancelledError:
        task.cancel()
        raise
    finally:
        await asyncio.wait([task])


async def yield_to_loop() -> None:
    """Let other ready tasks run, for example until they have sent their requests."""
    for _ in range(LOOP_CYCLES):
        await asyncio.sleep(0)


def raise_if_cancelled() -> None:
    """Raise the cancellation of the current task if a callee has swallowed it; call this in endless loops.

    `asyncio.wait_for` may swallow it before Python 3.12: https://github.com/python/cpython/issues/86296
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def sleep(seconds: float) -> None:
    """Sleep in an endless loop; see `raise_if_cancelled`."""
    raise_if_cancelled()
    await asyncio.sleep(seconds)


async def run_every(
    seconds: float, action: Callable[[], Awaitable[object]], *, name: str, needed: asyncio.Event | None = None
) -> None:
    """Repeat an action until cancelled, with a pause in between; while it is needed, if `needed` is given.

    The first action is immediate without `needed`, and otherwise follows the first pause, so that what becomes needed
    together is done together. Errors of the action are logged under `name` and end nothing.
    """
    while True:
        if needed is not None:
            await needed.wait()
            await sleep(seconds)
        try:
            await action()
        except Exception as error:  # the next repetition may succeed, whatever the error
            logger.warning("%s failed; retrying", name, exc_info=error)
        if needed is None:
            await sleep(seconds)
