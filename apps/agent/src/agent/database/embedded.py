"""The embedded Postgres, from a wheel, run by a supervisor process."""

import logging
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.errors import SetupError

logger = logging.getLogger(__name__)

SUPERVISOR = Path(__file__).with_name("supervisor.py")
STOP_SECONDS = 30


@contextmanager
def embedded_postgres(folder: Path, *, processes: int = 1) -> Iterator[str]:
    """Run Postgres on the data in `folder`; yield its URI, of a Unix socket where the platform has them.

    Args:
        folder: the data.
        processes: how many processes of this service will use it at most.

    Raises:
        SetupError: Postgres did not start; the message contains the reason and the path of its log.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(  # noqa: S603 - this interpreter and a file of this package
        # By path: as a module it would import this package, and start ten times as slowly.
        [sys.executable, "-P", str(SUPERVISOR), str(folder.resolve()), str(max(1, processes))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # protects it from Ctrl-C; this process stops it by closing its input
    ) as supervisor:
        assert supervisor.stdin is not None  # noqa: S101 - both are pipes, see above
        assert supervisor.stdout is not None  # noqa: S101
        try:
            uri = supervisor.stdout.readline().strip()
            if not uri.startswith("postgresql://"):
                reason = uri.removeprefix("error: ") or "its supervisor was killed"
                raise SetupError(f"the embedded Postgres did not start: {reason} (see {folder.resolve() / 'log'})")
            reader = threading.Thread(target=_log_lines, args=(supervisor.stdout,), daemon=True)
            reader.start()
            try:
                yield uri
            finally:
                supervisor.stdin.close()
                reader.join(STOP_SECONDS)
        finally:
            supervisor.stdin.close()
            supervisor.wait(STOP_SECONDS)


def _log_lines(lines: Iterable[str]) -> None:
    """Log what the supervisor reports, until it exits."""
    for line in lines:
        logger.warning("%s", line.strip())
