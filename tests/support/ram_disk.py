"""A folder in memory for the files of databases."""

import shutil
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")
MIN_FREE_BYTES = 6 << 30


def ram_disk() -> Path | None:
    """A parent for temporary folders in memory; None if there is no such file system, or too little room in it.

    A test database has some 300 files, and creating them on a disk takes more time than most tests.
    """
    is_usable = SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free >= MIN_FREE_BYTES
    return SHARED_MEMORY if is_usable else None
