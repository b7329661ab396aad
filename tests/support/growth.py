"""Measure how the time of a function grows with the length of its input."""

import time
import uuid
from collections.abc import Callable
from contextvars import copy_context

from agent.log_context import bind_user
from agent.types import UserId

SHORT, LONG = 8_000, 64_000
MAX_GROWTH = 24
"""For inputs of eight times the length, quadratic growth would be a factor of 64."""
MIN_SECONDS = 0.001


def growth(function: Callable[[str], object], unit: str) -> float:
    """The factor by which the CPU time of a function grows from `SHORT` to `LONG` characters of a repeated text."""
    short, long = (_cpu_seconds(function, (unit * length)[:length]) for length in (SHORT, LONG))
    return long / max(short, MIN_SECONDS)


def _cpu_seconds(function: Callable[[str], object], text: str) -> float:
    def measure() -> float:
        bind_user(UserId(str(uuid.uuid4())))  # results are cached per user
        start = time.thread_time()
        function(text)
        return time.thread_time() - start

    return min(copy_context().run(measure) for _ in range(2))
