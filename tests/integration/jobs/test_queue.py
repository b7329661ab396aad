"""The formation queue: durable, debounced, and at most one drain per user at a time."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from agent import UserId
from agent.database import open_pool
from agent.database.row_security import ScopedPool
from agent.errors import FormationFailedError
from agent.jobs.queue import LEASE_SECONDS, Claim, FormationQueue, RetryPlan
from agent.jobs.worker import POLL_SECONDS, NotificationListener
from support.formation_table import make_all_due, run_sql, seconds_until_due

ADA = UserId("ada")


@asynccontextmanager
async def open_queue(database: str, **settings: float) -> AsyncIterator[FormationQueue]:
    """Open the queue of a database in which Ada has an account."""
    run_sql(database, "INSERT INTO users (id, issuer, subject) VALUES ('ada', 'x', 'ada') ON CONFLICT DO NOTHING")
    async with open_pool(database, size=8, name="test") as pool:
        yield FormationQueue(ScopedPool(pool), debounce_seconds=30, max_wait_seconds=300, **settings)


async def schedule_message(queue: FormationQueue, user: UserId = ADA) -> None:
    async with queue.database.for_user(user) as connection:
        await queue.schedule(connection, user)


async def make_claim(queue: FormationQueue) -> Claim:
    make_all_due(queue.database.pool.conninfo)  # type: ignore[arg-type] # it was opened with an address
    claim = await queue.claim_next()
    assert claim is not None
    return claim


async def hold_lease_until_cancelled(queue: FormationQueue, claim: Claim) -> None:
    async with queue.hold_lease(claim):
        await asyncio.Event().wait()


async def test_a_message_moves_the_due_time_but_not_past_the_maximum_wait_of_the_first_message(database: str) -> None:
    async with open_queue(database) as queue:
        await schedule_message(queue)
        assert seconds_until_due(database) == pytest.approx(30, abs=2)
        run_sql(database, "UPDATE formation SET due_at = now() + interval '1 second'")
        await schedule_message(queue)
        assert seconds_until_due(database) == pytest.approx(30, abs=2)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '290 seconds'")
        await schedule_message(queue)
        assert seconds_until_due(database) == pytest.approx(10, abs=2)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '400 seconds'")
        await schedule_message(queue)
        assert seconds_until_due(database) == pytest.approx(0, abs=2)


async def test_a_user_is_claimed_by_one_worker_only(database: str) -> None:
    async with open_queue(database) as queue:
        users = [f"user{n}" for n in range(5)]
        for user in users:
            run_sql(
                database,
                f"INSERT INTO users (id, issuer, subject) VALUES ('{user}', 'x', '{user}');"
                f"INSERT INTO formation (user_id, due_at) VALUES ('{user}', now())",
            )
        claims = await asyncio.gather(*(queue.claim_next() for _ in range(20)))
        assert sorted(claim.user for claim in claims if claim) == users


async def test_an_expired_lease_can_be_claimed_within_30_seconds(database: str) -> None:
    assert LEASE_SECONDS + POLL_SECONDS < 30
    async with open_queue(database, lease_seconds=0.2) as queue:
        await schedule_message(queue)
        first = await make_claim(queue)
        assert await queue.claim_next() is None
        while (second := await queue.claim_next()) is None:
            pass
        await queue.finish(first, RetryPlan())  # by a slow worker, whose lease has expired: no effect
        assert len(run_sql(database, f"SELECT user_id FROM formation WHERE lease = '{second.lease}'")) == 1


async def test_a_lease_is_renewed_while_it_is_held(database: str) -> None:
    async with open_queue(database, lease_seconds=0.5) as queue:
        await schedule_message(queue)
        claim = await make_claim(queue)
        async with queue.hold_lease(claim):
            started_at = time.monotonic()
            while time.monotonic() < started_at + 1:  # twice the duration of the lease
                assert await queue.claim_next() is None
        await queue.finish(claim, RetryPlan())
        assert run_sql(database, "SELECT user_id FROM formation") == []


async def test_losing_the_lease_cancels_the_work(database: str) -> None:
    async with open_queue(database, lease_seconds=0.3) as queue:
        await schedule_message(queue)
        claim = await make_claim(queue)
        work = asyncio.create_task(hold_lease_until_cancelled(queue, claim))
        run_sql(database, "UPDATE formation SET lease = gen_random_uuid()")
        with pytest.raises(FormationFailedError, match="the lease was lost"):
            await work
        assert len(run_sql(database, "SELECT user_id FROM formation WHERE lease IS NOT NULL AND attempts = 0")) == 1


async def test_cancellation_releases_the_lease_immediately(database: str) -> None:
    async with open_queue(database) as queue:
        await schedule_message(queue)
        claim = await make_claim(queue)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(hold_lease_until_cancelled(queue, claim), 0.01)
        next_claim = await queue.claim_next()
        assert next_claim is not None
        assert next_claim.attempts == 0


@pytest.mark.parametrize(("attempts", "pause"), [(0, 5), (1, 10), (2, 20), (3, 40), (4, 80), (5, 160), (50, 160)])
async def test_failures_are_retried_with_doubling_delays(database: str, attempts: int, pause: int) -> None:
    async with open_queue(database) as queue:
        await schedule_message(queue)
        run_sql(database, f"UPDATE formation SET attempts = {attempts}, set_aside = 3")
        claim = await make_claim(queue)
        with pytest.raises(FormationFailedError):
            async with queue.hold_lease(claim):
                raise FormationFailedError("the model is away")
        assert seconds_until_due(database) == pytest.approx(pause, abs=2)
        [row] = run_sql(database, "SELECT attempts, last_error, set_aside FROM formation")
        assert row == {"attempts": attempts + 1, "last_error": "formation_failed: the model is away", "set_aside": 3}


async def test_the_message_of_an_unexpected_error_is_not_stored(database: str) -> None:
    async with open_queue(database) as queue:
        await schedule_message(queue)
        claim = await make_claim(queue)
        with pytest.raises(ValueError, match="secret"):
            async with queue.hold_lease(claim):
                raise ValueError("secret")
        assert run_sql(database, "SELECT last_error FROM formation") == [{"last_error": "internal"}]


async def test_a_message_during_a_drain_keeps_its_due_time(database: str) -> None:
    async with open_queue(database) as queue:
        await schedule_message(queue)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '1 hour'")
        claim = await make_claim(queue)
        await schedule_message(queue)
        run_sql(database, "UPDATE formation SET due_at = now() + interval '20 seconds'")
        await queue.finish(claim, RetryPlan())
        assert seconds_until_due(database) == pytest.approx(20, abs=2)
        [row] = run_sql(database, "SELECT first_at FROM formation")
        assert abs(row["first_at"] - claim.claimed_at) < timedelta(seconds=1)


async def test_a_user_with_batches_set_aside_is_due_only_after_the_next_message(database: str) -> None:
    async with open_queue(database) as queue:
        await schedule_message(queue)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '1 hour'")
        await queue.finish(await make_claim(queue), RetryPlan(set_aside=2, last_error="formation_failed: no"))
        assert await queue.claim_next() is None
        assert await queue.seconds_until_due() is None
        backlog = await queue.backlog()
        assert (backlog.pending_users, backlog.oldest_seconds, backlog.set_aside_batches) == (0, 0, 2)
        await schedule_message(queue)
        assert seconds_until_due(database) == pytest.approx(30, abs=2)
        backlog = await queue.backlog()
        assert backlog.pending_users == 1
        assert backlog.oldest_seconds == pytest.approx(0, abs=2)


async def test_a_listener_is_notified_when_a_user_is_due_immediately(database: str) -> None:
    async with open_queue(database) as queue:
        await schedule_message(queue)
        listener = NotificationListener(database)
        await listener.wait(0.01)  # connects
        wait = asyncio.create_task(listener.wait(60))
        run_sql(database, "UPDATE formation SET first_at = now() - interval '400 seconds'")
        await schedule_message(queue)
        async with asyncio.timeout(5):
            await wait
        await listener.aclose()


async def test_without_a_connection_the_listener_sleeps() -> None:
    listener = NotificationListener("postgresql://127.0.0.1:9/nowhere")
    async with asyncio.timeout(5):
        await listener.wait(0.01)
        await listener.wait(0.01)
