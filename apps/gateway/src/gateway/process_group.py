"""Several gateways on one port: the parent process, which starts, restarts and stops them.

Each process listens on a socket of its own; Linux distributes connections over them. The parent holds the sockets, so
that connections wait while a process is started again. It also runs the embedded Postgres.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress

from agent import AgentSettings, SetupError, open_embedded_database
from gateway.http_server import stop_signals
from gateway.listener import address_of, bind_group
from gateway.settings import GatewaySettings

logger = logging.getLogger(__name__)

RESTART_SECONDS = 1.0
STOP_SECONDS = 10.0
"""Time for a process to end after its drain, before it is killed."""


async def serve_group(
    settings: GatewaySettings, agent_settings: AgentSettings, announce: Callable[[str], None]
) -> None:
    """Serve with several processes until stopped. The first one forms memories, if `settings.worker` is set.

    Args:
        settings: the settings of each process.
        agent_settings: those of its agent.
        announce: called with the address once all processes listen.

    Raises:
        SetupError: the settings do not permit several processes, or one of them could not be started.
        OSError: the address is in use.
    """
    _check(agent_settings)
    count = settings.process_count
    async with AsyncExitStack() as stack:
        listeners = [stack.enter_context(listener) for listener in bind_group(settings.host, settings.port, count)]
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-"))
        uri = await stack.enter_async_context(open_embedded_database(agent_settings, processes=count))
        environment = {"KEEPSAKE_HOST": settings.host, "KEEPSAKE_PROCESSES": "1"}
        members = [
            Member(
                ["--number", str(number), "--count", str(count), "--folder", folder, "--database", uri],
                listener,
                environment | {"KEEPSAKE_WORKER": str(settings.worker and number == 0).lower()},
            )
            for number, listener in enumerate(listeners)
        ]
        group = ProcessGroup(members, stop_seconds=settings.drain_seconds + STOP_SECONDS)
        stack.enter_context(stop_signals(group.stop))
        address = address_of(listeners[0])
        await group.run(lambda: announce(address))


class Member:
    """One process of a group, which is started any number of times on the same socket."""

    def __init__(self, options: Sequence[str], listener: socket.socket, environment: Mapping[str, str]) -> None:
        self._command = [sys.executable, "-m", "gateway.cli", "process", "--listener", str(listener.fileno()), *options]
        self._listener = listener
        self._environment = os.environ | dict(environment)
        self._process: Process | None = None
        self.has_started = asyncio.Event()
        """Set when the process listens for the first time."""

    async def run(self) -> int:
        """Start the process, wait until it ends, and return its exit code.

        Raises:
            OSError: it could not be started, for example for lack of memory or of file descriptors.
        """
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=PIPE,  # its end tells the process that the parent has ended, even if it was killed
            stdout=PIPE,
            pass_fds=[self._listener.fileno()],
            env=self._environment,
            start_new_session=True,  # Ctrl-C reaches only the parent
        )
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        if await process.stdout.readline():
            self.has_started.set()
        return await process.wait()

    def stop(self) -> None:
        """Ask the process to stop, and let it accept no further connections."""
        self._listener.close()
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)


class ProcessGroup:
    """Keeps processes running until they are stopped."""

    def __init__(self, members: Sequence[Member], *, stop_seconds: float) -> None:
        self._members = members
        self._stop_seconds = stop_seconds
        self._is_stopping = asyncio.Event()
        self._has_failed = False

    def stop(self) -> None:
        """Stop all processes; if called again, interrupt their answers."""
        self._is_stopping.set()
        for member in self._members:
            member.stop()

    async def run(self, on_listening: Callable[[], None]) -> None:
        """Run the processes until they have stopped; one that ends unexpectedly is started again.

        Raises:
            SetupError: a process could not be started, or ended before it listened for the first time.
        """
        tasks = [asyncio.create_task(self._keep_running(member)) for member in self._members]
        announcement = asyncio.create_task(self._announce(on_listening))
        try:
            await self._is_stopping.wait()
        finally:
            announcement.cancel()
            await asyncio.wait(tasks, timeout=self._stop_seconds)
            for member in self._members:
                member.kill()
            await asyncio.wait(tasks)
        if self._has_failed:
            raise SetupError("a process of KEEPSAKE_PROCESSES could not start, for the reason that it logged")

    async def _announce(self, on_listening: Callable[[], None]) -> None:
        for member in self._members:
            await member.has_started.wait()
        on_listening()

    async def _keep_running(self, member: Member) -> None:
        while not self._is_stopping.is_set():
            try:
                end = f"a process ended unexpectedly with code {await member.run()}"
            except OSError as error:
                end = f"a process could not be started: {error}"
            if self._is_stopping.is_set():
                return
            if not member.has_started.is_set():
                logger.error("%s", end)
                self._has_failed = True
                self.stop()
                return
            logger.warning("%s; it is started again", end)
            with suppress(TimeoutError):
                async with asyncio.timeout(RESTART_SECONDS):
                    await self._is_stopping.wait()


def _check(settings: AgentSettings) -> None:
    if sys.platform == "win32":
        raise SetupError("KEEPSAKE_PROCESSES: only one process is supported on Windows")
    if settings.store_type == "memory":
        raise SetupError("LANGGRAPH_STORE_TYPE=memory: several processes cannot share the memory of one")
