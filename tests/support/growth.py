"""Measure how the time of a function grows with the length of its input."""

import time
import uuid
from collections.abc import Callable
from contextvars import copy_context

from agent.log_context import bind_user
from agent.text import MAX_MESSAGE_CHARS
from agent.types import UserId

LONG = MAX_MESSAGE_CHARS // 2
"""Enough to tell linear from quadratic growth."""
HOSTILE_CHARS = 8_000
"""Enough for functions of which a call takes milliseconds."""
RATIO = 16
MAX_GROWTH = 40
"""Linear growth is a factor of 16, quadratic growth a factor of 256."""
MIN_SECONDS = 0.00015
ATTEMPTS = 3


def growth(function: Callable[[str], object], unit: str, *, chars: int = LONG) -> float:
    """The factor by which the CPU time of a function grows from `chars / RATIO` to `chars` characters of repeated text.

    The last character is a letter, so that repetitions in patterns that end with `$` match in vain.
    A factor of more than `MAX_GROWTH` is measured again, because other processes may have disturbed the measurement.
    """
    text, start = ((unit * chars)[: length - 1] + "x" for length in (chars, chars // RATIO))
    short = min(_cpu_seconds(function, start) for _ in range(ATTEMPTS))
    factor = float("inf")
    for _ in range(ATTEMPTS):
        factor = min(factor, _cpu_seconds(function, text) / max(short, MIN_SECONDS))
        if factor < MAX_GROWTH:
            break
    return factor


def _cpu_seconds(function: Callable[[str], object], text: str) -> float:
    def measure() -> float:
        bind_user(UserId(str(uuid.uuid4())))  # results are cached per user
        start = time.thread_time()
        function(text)
        return time.thread_time() - start

    return copy_context().run(measure)
