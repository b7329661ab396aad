"""Postgres without a database server: the wheel's own, in a process beside ours."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.errors import SetupError

KEEPER = Path(__file__).with_name("supervisor.py")
STOP_SECONDS = 30


@contextmanager
def embedded_postgres(folder: Path) -> Iterator[str]:
    """Run Postgres on the data in `folder`, and yield its connection URI (a Unix socket where there are any).

    Raises:
        SetupError: Postgres did not start; the message says where its log is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(  # noqa: S603 - our own interpreter and file
        # By path, not by name: it needs nothing of ours, and starts in a tenth of the time.
        [sys.executable, "-P", str(KEEPER), str(folder.resolve())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for us; we then close the keeper's input
    ) as keeper:
        assert keeper.stdin is not None  # noqa: S101 - both are pipes, see above
        assert keeper.stdout is not None  # noqa: S101
        try:
            uri = keeper.stdout.readline().strip()
            if not uri:
                raise SetupError(f"the embedded Postgres did not start; see {folder.resolve() / 'log'}")
            yield uri
        finally:
            keeper.stdin.close()
            keeper.wait(STOP_SECONDS)
