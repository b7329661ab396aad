"""Run the analysis of long texts in worker processes, because `re` holds the GIL and would block all requests."""

import logging
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import BrokenWorkerProcess, to_process, to_thread

logger = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

INLINE_CHARS = 1_000
"""The longest text that is analysed on the event loop; it takes about 10 ms, and 50 ms if it is hostile."""
INLINE_COMPARED_CHARS = 3_000
"""The same for texts that are compared with others; most of the analyses are cached."""


async def analyse(function: Callable[[*Ts], T], *args: *Ts, chars: int) -> T:
    """Call a pure function of texts with `chars` characters in all, in a worker process if they are long.

    The function and its arguments must be picklable. Workers start when needed, and end when they have been idle.
    """
    if chars <= INLINE_CHARS:
        return function(*args)
    try:
        return await to_process.run_sync(function, *args, cancellable=True)
    except (BrokenWorkerProcess, OSError) as error:
        logger.warning("a worker process for text analysis failed; a thread is used", exc_info=error)
        return await to_thread.run_sync(function, *args)


async def compare(function: Callable[[*Ts], T], *args: *Ts, chars: int) -> T:
    """Call a function that compares texts with `chars` characters in all, in a thread if they are long.

    Unlike a worker process, the thread shares the caches of analyses. It holds the GIL during a search with `re` only.
    """
    if chars <= INLINE_COMPARED_CHARS:
        return function(*args)
    return await to_thread.run_sync(function, *args, abandon_on_cancel=True)  # for deadlines
