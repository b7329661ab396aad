"""The formation worker: drains the inboxes of users who are due, several at a time.

Any number of workers, in any number of processes, may share a database: the queue gives each user to one of them.
"""

import asyncio
import logging
from contextlib import aclosing
from dataclasses import dataclass

import psycopg

from agent.background import raise_if_cancelled
from agent.database.listening import ListeningConnection
from agent.database.pools import CONNECTION
from agent.jobs.drain import InboxDrainer
from agent.jobs.queue import SQL, Claim
from agent.jobs.sweep import InboxSweep

logger = logging.getLogger(__name__)

MAX_CONCURRENT_DRAINS = 4
POLL_SECONDS = 1.0
CONFLICT_SECONDS = 0.05  # another worker has claimed the user who was due


@dataclass(frozen=True, slots=True)
class FormationWorker:
    """Drains inboxes in the background."""

    drainer: InboxDrainer
    sweep: InboxSweep
    uri: str
    """URI of the database, for a separate connection that listens for notifications."""

    async def run(self) -> None:
        """Drain the inboxes of users who are due, until cancelled. The queue retries failed drains."""
        slots = asyncio.Semaphore(MAX_CONCURRENT_DRAINS)
        async with aclosing(NotificationListener(self.uri)) as listener, asyncio.TaskGroup() as tasks:
            tasks.create_task(self.sweep.run())
            while True:
                await slots.acquire()
                drain = tasks.create_task(self._drain(await self._next_claim(listener)))
                drain.add_done_callback(lambda _: slots.release())

    async def _next_claim(self, listener: "NotificationListener") -> Claim:
        while True:
            raise_if_cancelled()
            pause = POLL_SECONDS
            try:
                seconds = await self.drainer.queue.seconds_until_due()
                if seconds is not None and seconds <= 0:
                    if claim := await self.drainer.queue.claim_next():
                        return claim
                    seconds = CONFLICT_SECONDS
                pause = POLL_SECONDS if seconds is None else min(seconds, POLL_SECONDS)
            except Exception as error:  # the worker must survive any database error
                logger.warning("could not read the formation queue; retrying", exc_info=error)
            await listener.wait(pause)

    async def _drain(self, claim: Claim) -> None:
        try:
            await self.drainer.drain(claim)
        except Exception as error:  # the queue schedules a retry
            logger.warning("draining an inbox failed; it will be retried", exc_info=error)


class NotificationListener:
    """Waits for the notification that a user became due immediately.

    Behind a pooler in transaction mode, or if no connection is available, no notifications arrive; `wait` then sleeps.
    """

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._connection: ListeningConnection | None = None

    async def wait(self, seconds: float) -> None:
        """Return at the next notification, or after this many seconds."""
        try:
            if self._connection is None:
                self._connection = await ListeningConnection.connect(self._uri, **CONNECTION)
                await self._connection.execute(SQL.listen)
            async for _ in self._connection.notifies(timeout=seconds, stop_after=1):
                return
        except psycopg.Error as error:
            logger.debug("could not listen for notifications", exc_info=error)
            await self.aclose()
            await asyncio.sleep(seconds)

    async def aclose(self) -> None:
        """Close the connection; the next `wait` opens another."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None
