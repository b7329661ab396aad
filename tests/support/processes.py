"""Run the project's programs as processes."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType
from typing import Self

BIN = Path(sys.executable).parent


class Process:
    """Runs a program between enter and exit, with a minimal environment plus the given variables.

    A thread reads the output, so that a full pipe never blocks the program.
    """

    def __init__(self, command: Sequence[str], *, work_dir: Path, **environment: str) -> None:
        self._command = [str(BIN / command[0]), *command[1:]]
        self._folder = work_dir
        self._environment = {**_base_environment(), **environment}
        self._lines: Queue[str | None] = Queue()
        self.output: list[str] = []

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.stop()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait_for(self, pattern: str, *, timeout_seconds: float = 30) -> re.Match[str]:
        """Return the match in the next line of output that matches the pattern."""
        while True:
            try:
                line = self._lines.get(timeout=timeout_seconds)
            except Empty:
                line = None
            if line is None:
                raise AssertionError(f"no line like {pattern!r} in:\n{''.join(self.output)}")
            if match := re.search(pattern, line):
                return match

    def write(self, line: str) -> None:
        """Write a line to the program's input."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def stop(self, *, timeout_seconds: float = 30) -> int:
        """Stop the program with SIGINT and return its exit code."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(timeout_seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self) -> None:
        """Stop the program with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output.append(line)
            self._lines.put(line)
        self._lines.put(None)


def _base_environment() -> Mapping[str, str]:
    inherited = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE")
    own = {"PYTHONUNBUFFERED": "1", "KEEPSAKE_LOCAL_SIGN_IN": "open"}
    return {name: os.environ[name] for name in inherited if name in os.environ} | own
