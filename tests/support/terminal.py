"""Run a program in a terminal."""

import os
import pty
import re
import select
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from support.processes import BIN

RETRY_SECONDS = 1.0


@contextmanager
def open_terminal(
    command: Sequence[str], *, work_dir: Path, **environment: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a program in a terminal; yields it and the other end of the terminal."""
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [str(BIN / command[0]), *command[1:]],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=work_dir,
        env={**os.environ, **environment},
        start_new_session=True,
    ) as process:
        os.close(terminal)
        try:
            yield process, controller
        finally:
            process.kill()
            os.close(controller)


def interrupt(process: subprocess.Popen[bytes], terminal: int) -> None:
    """Send SIGINT until the program prints something: just before a read, the signal does not interrupt it."""
    process.send_signal(signal.SIGINT)
    while not select.select([terminal], [], [], RETRY_SECONDS)[0]:
        process.send_signal(signal.SIGINT)


def read_until(terminal: int, pattern: str) -> str:
    """Read the output of the program until the pattern matches."""
    output = ""
    while not re.search(pattern, output):
        output += os.read(terminal, 1_000).decode(errors="replace")
    return output
