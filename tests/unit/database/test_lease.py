"""Keeping a lease: renewal, loss, expiry, and errors of the database."""

import asyncio
from collections.abc import Sequence

import pytest

from agent.background import yield_to_loop
from agent.database.lease import LeaseLostError, keep_lease
from agent.errors import StoreUnavailableError

LEASE_SECONDS = 0.6
UNAVAILABLE = StoreUnavailableError("test")


class Renewals:
    """Returns or raises the given results, and repeats the last one."""

    def __init__(self, results: Sequence[bool | Exception]) -> None:
        self.count = 0
        self.fourth = asyncio.Event()
        """Set by the fourth renewal, which comes after the end of the original lease."""
        self._results = results

    async def __call__(self) -> bool:
        result = self._results[min(self.count, len(self._results) - 1)]
        self.count += 1
        if self.count == 4:
            self.fourth.set()
        if isinstance(result, Exception):
            raise result
        return result


def expiry() -> float:
    return asyncio.get_running_loop().time() + LEASE_SECONDS


@pytest.mark.parametrize("results", [[True], [UNAVAILABLE, True]], ids=["renewed", "unavailable at first"])
async def test_a_lease_is_renewed_until_the_block_ends(results: Sequence[bool | Exception]) -> None:
    renew, tasks = Renewals(results), asyncio.all_tasks()
    async with keep_lease(renew, expires_at=expiry(), lease_seconds=LEASE_SECONDS):
        await renew.fourth.wait()
    await yield_to_loop()
    assert asyncio.all_tasks() == tasks


async def test_a_lease_that_another_process_holds_cancels_the_block() -> None:
    renew = Renewals([True, False])
    with pytest.raises(LeaseLostError):
        async with keep_lease(renew, expires_at=expiry(), lease_seconds=LEASE_SECONDS):
            await asyncio.Event().wait()
    assert renew.count == 2


async def test_without_the_database_the_block_runs_until_the_lease_expires() -> None:
    renew, expires_at = Renewals([UNAVAILABLE]), expiry()
    with pytest.raises(LeaseLostError):
        async with keep_lease(renew, expires_at=expires_at, lease_seconds=LEASE_SECONDS):
            await asyncio.Event().wait()
    assert asyncio.get_running_loop().time() >= expires_at
    assert renew.count > 0


@pytest.mark.parametrize("error", [TimeoutError("block"), ValueError("block")])
async def test_errors_of_the_block_are_raised_unchanged(error: Exception) -> None:
    with pytest.raises(type(error), match="block"):
        async with keep_lease(Renewals([True]), expires_at=expiry(), lease_seconds=LEASE_SECONDS):
            raise error
