"""Leases: exclusive rights in the database that expire unless they are renewed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from agent.background import raise_if_cancelled
from agent.errors import StoreUnavailableError

logger = logging.getLogger(__name__)

RENEWALS_PER_LEASE = 3


class LeaseLostError(Exception):
    """The lease expired or was taken over by another process."""


@asynccontextmanager
async def keep_lease(
    renew: Callable[[], Awaitable[bool]], *, expires_at: float, lease_seconds: float
) -> AsyncIterator[None]:
    """Renew a lease while the block runs, and cancel the block if the lease is lost.

    An unreachable database is tolerated until the lease expires.

    Args:
        renew: extends the lease by `lease_seconds`; returns False if another process holds it.
        expires_at: when the lease expires, by the event loop's clock.
        lease_seconds: duration of the lease; it is renewed three times in this period.

    Raises:
        LeaseLostError: the lease was lost before the block ended.
    """
    try:
        async with asyncio.timeout_at(expires_at) as deadline:
            renewal = asyncio.create_task(_renew_repeatedly(renew, deadline, lease_seconds))
            try:
                yield
            finally:
                renewal.cancel()
    except TimeoutError as error:
        if deadline.expired():
            raise LeaseLostError from error
        raise


async def _renew_repeatedly(
    renew: Callable[[], Awaitable[bool]], deadline: asyncio.Timeout, lease_seconds: float
) -> None:
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(lease_seconds / RENEWALS_PER_LEASE)
        started = loop.time()  # before the statement, so that the deadline is never later than the database's
        try:
            renewed = await renew()
        except StoreUnavailableError:
            logger.warning("could not renew a lease; retrying until it expires")
            continue
        finally:
            raise_if_cancelled()
        if not renewed:
            deadline.reschedule(started)
            return
        deadline.reschedule(started + lease_seconds)
