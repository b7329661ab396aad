"""PgBouncer in transaction mode in front of the embedded Postgres."""

import logging
import re
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

logger = logging.getLogger(__name__)

CONFIGURATION = """
[databases]
* = host={work_dir} user=postgres pool_size=4
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
"""


@contextmanager
def transaction_pooler(uri: str) -> Iterator[str]:
    """Run a pooler for the duration of the block; yields the database URI through it.

    Under root, the embedded Postgres runs as another user, and only that user may connect to its socket.
    """
    match = re.fullmatch(r"postgresql://postgres:@/(\w+)\?host=(.+)", uri)
    assert match is not None, uri
    name, work_dir = match.groups()
    with tempfile.TemporaryDirectory() as home, socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
        Path(home).chmod(0o755)
        configuration = Path(home) / "pgbouncer.ini"
        configuration.write_text(CONFIGURATION.format(work_dir=work_dir, port=port))
        reserved.close()
        command = ["pgbouncer", "-u", Path(work_dir).owner(), str(configuration)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            assert running.stderr is not None
            try:
                for line in running.stderr:
                    if "process up" in line:
                        break
                else:
                    raise RuntimeError("the pooler did not start")
                yield f"postgresql://postgres@127.0.0.1:{port}/{name}"
            finally:
                running.terminate()
                logger.warning("the pooler's log: %s", running.stderr.read())  # pytest shows it if the test fails
