"""Detection of a database server that has stopped answering, for example because it is frozen.

The server enforces `statement_timeout`, and its kernel acknowledges TCP packets, so neither helps. If a statement takes
long, a new connection is therefore attempted: if it succeeds, the statement is slow; if it times out, the server is
frozen, and the statement's connection is closed.
"""

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TypeVar, cast

import psycopg
from psycopg import AsyncConnection, AsyncPipeline
from psycopg.abc import PQGen
from psycopg.rows import DictRow

from agent.database.batched_pipeline import BatchedPipeline
from agent.database.errors import connection_fault

logger = logging.getLogger(__name__)

RV = TypeVar("RV")

STALL_SECONDS = 1.0
"""How long a statement may take before the server is checked."""
PROBE_SECONDS = 2  # the minimum of libpq's `connect_timeout`
CANCEL_SECONDS = 0.5
WAIT_INTERVAL = 0.1  # psycopg's
_TOO_MANY_CLIENTS = re.compile("too many|connection slots")  # the error has no code


class ServerProbe:
    """Checks whether a server accepts connections. While it does not, requests fail without waiting.

    The pools of a server share a probe, and concurrent checks share one attempt to connect. The log has one line when
    an outage begins, and one when it ends.
    """

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._is_failing = False
        self._fault = ""
        self._check: asyncio.Task[bool] | None = None
        self.waiting: set[LiveConnection] = set()
        """Connections that wait for the server; if a check fails, they are closed."""

    async def answers(self) -> bool:
        """Check the server; having too many clients counts as an answer."""
        return await asyncio.shield(self.start())

    def raise_if_failing(self) -> None:
        """Raise `OperationalError` if the last check failed, and start another."""
        if self._is_failing:
            self.start()
            raise psycopg.OperationalError(self._fault)

    def start(self) -> asyncio.Task[bool]:
        """Start a check, unless one is in progress."""
        if self._check is None or self._check.done():
            self._check = asyncio.create_task(self._connect())
        return self._check

    async def aclose(self) -> None:
        """Cancel a check in progress."""
        if self._check is not None:
            self._check.cancel()
            await asyncio.wait([self._check])

    async def _connect(self) -> bool:
        fault = ""
        try:
            async with asyncio.timeout(PROBE_SECONDS + 0.5):  # the name of the host may have to be resolved
                await (await AsyncConnection.connect(self._uri, connect_timeout=PROBE_SECONDS)).close()
        except (psycopg.Error, TimeoutError) as error:
            fault = connection_fault(error)
        self._is_failing = bool(fault) and not _TOO_MANY_CLIENTS.search(fault)
        if bool(fault) != bool(self._fault):
            logger.warning("%s", f"cannot connect to the database: {fault}" if fault else "the database answers again")
        self._fault = fault
        for connection in self.waiting if self._is_failing else ():
            connection.abort()
        return not self._is_failing


class LiveConnection(AsyncConnection[DictRow]):
    """A connection that is closed if its server stops answering; see `probe`."""

    probe: ServerProbe | None = None
    """Set by the pool."""
    _watch: asyncio.Task[None] | None = None

    async def wait(self, gen: PQGen[RV], interval: float = WAIT_INTERVAL, timeout: float | None = None) -> RV:  # noqa: ASYNC109 - of the base class
        """Wait for the server, as in the base class; all operations use this method.

        Raises:
            OperationalError: the server does not answer any more.
        """
        watched = gen if self.probe is None else self._watched(gen, self.probe)
        return await super().wait(watched, interval, timeout)

    def _watched(self, gen: PQGen[RV], probe: ServerProbe) -> PQGen[RV]:
        """Check the server repeatedly after `STALL_SECONDS`; a generator that does not wait costs nothing."""
        try:
            state = next(gen)
        except StopIteration as end:
            return cast("RV", end.value)
        probe.waiting.add(self)
        timer = asyncio.get_running_loop().call_later(STALL_SECONDS, self._start_watch, probe)
        try:
            while True:
                state = gen.send((yield state))
        except StopIteration as end:
            return cast("RV", end.value)
        finally:
            probe.waiting.discard(self)
            timer.cancel()
            if self._watch is not None:
                self._watch.cancel()
                self._watch = None

    @asynccontextmanager
    async def pipeline(self) -> AsyncIterator[AsyncPipeline]:
        """Switch to pipeline mode during the block; see `BatchedPipeline`."""
        async with self.lock:
            self._pipeline = self._pipeline or BatchedPipeline(self)
        async with super().pipeline() as pipeline:
            yield pipeline

    def abort(self) -> None:
        """End the wait with an error, unlike closing the file descriptor."""
        with suppress(OSError, psycopg.Error), socket.fromfd(self.fileno(), socket.AF_INET, socket.SOCK_STREAM) as copy:
            copy.shutdown(socket.SHUT_RDWR)

    async def _try_cancel(self, *, timeout: float = CANCEL_SECONDS) -> None:  # noqa: ASYNC109 - of the base class
        """Cancel a statement; an error closes the connection, while the base class would wait for the statement."""
        await self.cancel_safe(timeout=min(timeout, CANCEL_SECONDS))

    def _start_watch(self, probe: ServerProbe) -> None:
        self._watch = asyncio.create_task(_check_repeatedly(probe))


async def _check_repeatedly(probe: ServerProbe) -> None:
    while await probe.answers():  # noqa: ASYNC110 - not a condition of this process
        await asyncio.sleep(STALL_SECONDS)
