"""A cluster on this machine: nginx, gateways, PgBouncer, workers and one Postgres.

    python deploy/local-cluster/cluster.py [--port 8080] [--folder .keepsake-cluster]

Requires nginx and pgbouncer (Debian packages of these names). Settings are read from the environment and `.env`.
SIGHUP restarts the gateways one after the other, without a failed request. SIGINT or SIGTERM stops everything.
"""

import argparse
import asyncio
import contextlib
import getpass
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import psutil
import psycopg

from agent.database.embedded import embedded_postgres

HERE = Path(__file__).parent
KEEPSAKE = (sys.executable, "-m", "gateway.cli")
DATABASE = "keepsake"
START_SECONDS = 60.0
STOP_SECONDS = 30.0
POLL_SECONDS = 0.05


class ClusterError(Exception):
    """A part of the cluster is missing, did not start, or ended."""


@dataclass
class Program:
    """A running part of the cluster; its output is forwarded line by line."""

    name: str
    process: asyncio.subprocess.Process
    output: asyncio.StreamReader

    def __post_init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._reader = asyncio.create_task(self._forward())

    @classmethod
    async def start(cls, name: str, command: Sequence[str], **env: str) -> "Program":
        """Start a program in its own process group, so that Ctrl-C reaches only the cluster."""
        process = await asyncio.create_subprocess_exec(
            *command,
            env={**os.environ, **env},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        return cls(name, process, cast("asyncio.StreamReader", process.stdout))

    async def _forward(self) -> None:
        async for line in self.output:
            text = line.decode(errors="replace").rstrip()
            _print(f"[{self.name}] {text}")
            self._lines.put_nowait(text)
        self._lines.put_nowait(None)

    async def wait_for(self, pattern: str) -> re.Match[str]:
        """Return the match in the next line of output that matches.

        Raises:
            ClusterError: the program ended, or printed no such line in `START_SECONDS`.
        """
        try:
            async with asyncio.timeout(START_SECONDS):
                while (line := await self._lines.get()) is not None:
                    if match := re.search(pattern, line):
                        return match
        except TimeoutError:
            pass
        raise ClusterError(f"{self.name} did not start")

    async def stop(self) -> None:
        """Send SIGTERM and wait for the end; kill the program after `STOP_SECONDS`."""
        if self.process.returncode is None:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
            except TimeoutError:
                self.process.kill()
        await self._reader


@dataclass
class Gateways:
    """The gateways behind nginx."""

    folder: Path
    environment: dict[str, str]
    running: list[Program] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    nginx: Program | None = None
    started: int = 0

    async def add(self) -> None:
        """Start a gateway and let nginx use it."""
        self.started += 1
        port = _free_port()
        command = [*KEEPSAKE, "serve", "--port", str(port), "--no-worker"]
        gateway = await Program.start(f"gateway {self.started}", command, **self.environment)
        self.running.append(gateway)
        await gateway.wait_for("Keepsake is running")
        self.addresses.append(f"127.0.0.1:{port}")
        await self.publish()

    async def remove_oldest(self) -> None:
        """Let nginx no longer use the oldest gateway, and stop it."""
        self.addresses.pop(0)
        await self.publish()
        await self.running.pop(0).stop()

    async def publish(self) -> None:
        """Write the addresses for nginx, and wait until only workers with these accept connections."""
        servers = "".join(f"server {address} max_fails=0;\n" for address in self.addresses)
        (self.folder / "gateways.conf").write_text(servers, encoding="utf-8")
        if self.nginx is None:
            return
        master = psutil.Process(self.nginx.process.pid)
        old = _accepting(master)
        self.nginx.process.send_signal(signal.SIGHUP)
        await _until(lambda: (accepting := _accepting(master)) and not accepting & old)

    async def restart(self) -> None:
        """Replace the gateways one after the other."""
        for _ in list(self.running):
            await self.add()
            await self.remove_oldest()


@asynccontextmanager
async def open_cluster(folder: Path, port: int, *, gateways: int, workers: int) -> AsyncIterator[Gateways]:
    """Start all parts; stop them at the end of the block, the ones that accept requests first.

    Raises:
        ClusterError: see `Program.wait_for`.
    """
    async with AsyncExitStack() as stack:
        uri = stack.enter_context(embedded_postgres(folder / "postgres"))
        with psycopg.connect(uri, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f'CREATE DATABASE "{DATABASE}"')
        direct = uri.replace("/postgres?", f"/{DATABASE}?")
        pooled = await _start_pooler(stack, folder, Path(uri.rpartition("host=")[2]))
        shared = {"KEEPSAKE_DATA_DIR": str(folder), "KEEPSAKE_PUBLIC_URL": f"http://127.0.0.1:{port}"}
        upstream = Gateways(folder, shared | {"DATABASE_URL": pooled})
        stack.push_async_callback(_stop_all, upstream.running)
        for number in range(workers):
            worker = await Program.start(
                f"worker {number + 1}", [*KEEPSAKE, "worker"], **shared, DATABASE_URL=direct, PYTHONUNBUFFERED="1"
            )
            stack.push_async_callback(worker.stop)
        for _ in range(gateways):
            await upstream.add()
        upstream.nginx = await _start_nginx(stack, folder, port)
        yield upstream


async def _start_pooler(stack: AsyncExitStack, folder: Path, socket_folder: Path) -> str:
    port = _free_port()
    configuration = _write(folder / "pgbouncer.ini", port=port, socket_folder=socket_folder)
    command = [_installed("pgbouncer"), *_as_owner(socket_folder), str(configuration)]
    pooler = await Program.start("pgbouncer", command)
    stack.push_async_callback(pooler.stop)
    await pooler.wait_for("process up")
    return f"postgresql://postgres@127.0.0.1:{port}/{DATABASE}"


async def _start_nginx(stack: AsyncExitStack, folder: Path, port: int) -> Program:
    configuration = _write(folder / "nginx.conf", folder=folder, port=port, user=getpass.getuser())
    nginx = await Program.start("nginx", [_installed("nginx"), "-e", "stderr", "-c", str(configuration)])
    stack.push_async_callback(nginx.stop)
    await _until(lambda: nginx.process.returncode is not None or _listens(port))
    if nginx.process.returncode is not None:
        raise ClusterError("nginx did not start")
    return nginx


def _as_owner(socket_folder: Path) -> list[str]:
    """Under root, Postgres runs as another user, the only one that may connect to its socket."""
    return ["-u", socket_folder.owner()] if os.geteuid() == 0 else []


def _write(path: Path, **values: object) -> Path:
    """Fill in the template with the name of the file."""
    path.write_text((HERE / path.name).read_text(encoding="utf-8").format(**values), encoding="utf-8")
    path.parent.chmod(0o755)  # the pooler may run as another user
    return path


def _installed(program: str) -> str:
    found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        raise ClusterError(f"{program} is not installed: apt-get install {program}")
    return found


def _accepting(master: psutil.Process) -> set[int]:
    """The process ids of nginx's workers that accept connections."""
    accepting = set()
    for worker in master.children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if worker.status() != psutil.STATUS_ZOMBIE and "shutting down" not in " ".join(worker.cmdline()):
                accepting.add(worker.pid)
    return accepting


async def _until(condition: Callable[[], object]) -> None:
    """Wait for a condition of other processes, which cannot notify this one; at most `START_SECONDS`."""
    async with asyncio.timeout(START_SECONDS):
        while not condition():  # noqa: ASYNC110 - see above
            await asyncio.sleep(POLL_SECONDS)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        return int(reserved.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


async def _stop_all(programs: Sequence[Program]) -> None:
    await asyncio.gather(*(program.stop() for program in programs))


async def run(folder: Path, port: int, *, gateways: int, workers: int) -> None:
    """Run the cluster until SIGINT or SIGTERM."""
    stopped, restart = asyncio.Event(), asyncio.Queue[None]()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    loop.add_signal_handler(signal.SIGHUP, restart.put_nowait, None)

    async def restart_on_request(upstream: Gateways) -> None:
        while True:
            await restart.get()
            await upstream.restart()
            _print(f"The gateways were restarted: {', '.join(upstream.addresses)}")

    async with open_cluster(folder, port, gateways=gateways, workers=workers) as upstream:
        _print(f"The cluster is running at http://127.0.0.1:{port} (gateways: {', '.join(upstream.addresses)})")
        restarting = asyncio.create_task(restart_on_request(upstream))
        await stopped.wait()
        restarting.cancel()


def _print(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080, help="0: a free one")
    parser.add_argument("--folder", type=Path, default=Path(".keepsake-cluster"))
    parser.add_argument("--gateways", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    port = options.port or _free_port()
    folder = options.folder.absolute()
    (folder / "nginx").mkdir(parents=True, exist_ok=True)
    try:
        asyncio.run(run(folder, port, gateways=options.gateways, workers=options.workers))
    except ClusterError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
