"""The secret of local sign-in, which the data folder and the link printed at start-up contain.

Every user of a machine can connect to its loopback address, so the address alone does not protect local sign-in.
"""

import os
import re
import secrets
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from agent import SetupError

SECRET_FILE = "sign_in_secret"  # noqa: S105 - a file name
_SECRET = re.compile(rb"[A-Za-z0-9_-]{43}")  # 32 random bytes in base64url
_MAX_BYTES = 64
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # missing on Windows


def load_secret(data_dir: Path) -> str:
    """Read the secret of this installation; the first call creates its file, which only the current user can read.

    Raises:
        SetupError: the file contains something else, or another user can read or replace it.
    """
    file = data_dir / SECRET_FILE
    data_dir.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        _create(file)
    descriptor = os.open(file, os.O_RDONLY | _NO_FOLLOW)
    try:
        secret, state = os.read(descriptor, _MAX_BYTES), os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if sys.platform != "win32" and (state.st_uid != os.geteuid() or stat.S_IMODE(state.st_mode) & 0o077):
        raise SetupError(f"other users can read {file}, the secret of local sign-in: delete it and start again")
    if not _SECRET.fullmatch(secret):
        raise SetupError(f"{file} does not contain the secret of local sign-in: delete it and start again")
    return secret.decode()


def sign_in_link(address: str, secret: str) -> str:
    """The address of the page with the secret. Browsers do not send the part after `#` to servers."""
    return f"{address}/#secret={secret}"


def _create(file: Path) -> None:
    """Create the file in one step, complete and with mode 0600; keep that of another process."""
    descriptor, name = tempfile.mkstemp(dir=file.parent)
    try:
        os.write(descriptor, secrets.token_urlsafe(32).encode())
        with suppress(FileExistsError):
            file.hardlink_to(name)
    finally:
        os.close(descriptor)
        Path(name).unlink()
