"""The worker: drains whatever comes due, several users at once, until it is stopped.

Any number of workers, in any number of processes, may share a database: the schedule gives a user to one of them.
"""

import asyncio
import logging
from contextlib import aclosing
from dataclasses import dataclass

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.background import raise_if_cancelled
from agent.database.pools import CONNECTION
from agent.jobs.drain import InboxDrainer
from agent.jobs.queue import SQL, Claim
from agent.jobs.sweep import InboxSweep

logger = logging.getLogger(__name__)

DRAINS_AT_ONCE = 4
"""So that one slow call of a model holds up nobody else."""
POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class FormationWorker:
    """What distils without being asked."""

    drainer: InboxDrainer
    sweep: InboxSweep
    uri: str
    """Of the database, for a connection of its own to listen on."""

    async def run(self) -> None:
        """Drain whatever comes due, until cancelled. A drain that fails is the schedule's to repeat."""
        free = asyncio.Semaphore(DRAINS_AT_ONCE)
        async with aclosing(NotificationListener(self.uri)) as listener, asyncio.TaskGroup() as tasks:
            tasks.create_task(self.sweep.run())
            while True:
                await free.acquire()
                drain = tasks.create_task(self._drain(await self._next(listener)))
                drain.add_done_callback(lambda _: free.release())

    async def _next(self, listener: "NotificationListener") -> Claim:
        """Return whoever is due, as soon as somebody is."""
        while True:
            raise_if_cancelled()
            pause: float | None = None
            try:
                if claim := await self.drainer.queue.claim_next():
                    return claim
                pause = await self.drainer.queue.seconds_to_next()
            except Exception as error:  # whatever is wrong with the database, the worker goes on
                logger.warning("the schedule could not be read, and is read again", exc_info=error)
            await listener.wait(POLL_SECONDS if pause is None else min(pause, POLL_SECONDS))

    async def _drain(self, claim: Claim) -> None:
        try:
            await self.drainer.drain(claim)
        except Exception as error:  # the schedule keeps it, and has it tried again
            logger.warning("a drain failed, and is tried again", exc_info=error)


class NotificationListener:
    """Hears when somebody falls due at once.

    Behind a pooler in transaction mode, or without a connection to spare, it hears nothing: then one waits one's time.
    """

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._connection: AsyncConnection[DictRow] | None = None

    async def wait(self, seconds: float) -> None:
        """Return when there is something to hear, and after so many seconds at the latest."""
        try:
            if self._connection is None:
                self._connection = await AsyncConnection[DictRow].connect(self._uri, **CONNECTION)
                await self._connection.execute(SQL.listen)
            async for _ in self._connection.notifies(timeout=seconds, stop_after=1):
                return
        except psycopg.Error as error:
            logger.debug("nothing can be heard", exc_info=error)
            await self.aclose()
            await asyncio.sleep(seconds)

    async def aclose(self) -> None:
        """Close the connection; the next wait opens another."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
