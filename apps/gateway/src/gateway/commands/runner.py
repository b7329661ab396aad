"""Running a command: the event loop, and how it ends."""

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from gateway.commands.settings_check import warn_about_unknown_settings
from gateway.http_server import fastest_loop

T = TypeVar("T")


def run(command: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, or until Ctrl-C."""
    warn_about_unknown_settings()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell script start with it ignored
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        return runner.run(command)


def run_until_stopped(command: Coroutine[Any, Any, None]) -> None:
    """Run a server until Ctrl-C or SIGTERM. All resources are closed when this returns."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with contextlib.suppress(KeyboardInterrupt):
        run(command)
