"""The schedule: durable, debounced, and one drain per user at a time, whoever dies meanwhile."""

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
async def scheduled(database: str, **settings: float) -> AsyncIterator[FormationQueue]:
    """Open the schedule of a database where Ada has an account."""
    run_sql(database, "INSERT INTO users (id, issuer, subject) VALUES ('ada', 'x', 'ada') ON CONFLICT DO NOTHING")
    async with open_pool(database, size=8, name="test") as pool:
        yield FormationQueue(ScopedPool(pool), debounce_seconds=30, max_wait_seconds=300, **settings)


async def said_something(schedule: FormationQueue, user: UserId = ADA) -> None:
    async with schedule.database.for_user(user) as connection:
        await schedule.schedule(connection, user)


async def claimed(schedule: FormationQueue) -> Claim:
    make_all_due(schedule.database.pool.conninfo)  # type: ignore[arg-type] # it was opened with an address
    claim = await schedule.claim_next()
    assert claim is not None
    return claim


async def _work_for_ever(schedule: FormationQueue, claim: Claim) -> None:
    async with schedule.hold_lease(claim):
        await asyncio.Event().wait()


async def test_every_message_moves_the_due_time_but_never_past_what_the_first_may_wait(database: str) -> None:
    async with scheduled(database) as schedule:
        await said_something(schedule)
        assert seconds_until_due(database) == pytest.approx(30, abs=2)
        run_sql(database, "UPDATE formation SET due_at = now() + interval '1 second'")
        await said_something(schedule)
        assert seconds_until_due(database) == pytest.approx(30, abs=2)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '290 seconds'")
        await said_something(schedule)
        assert seconds_until_due(database) == pytest.approx(10, abs=2)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '400 seconds'")
        await said_something(schedule)
        assert seconds_until_due(database) == pytest.approx(0, abs=2)


async def test_a_user_is_given_to_one_worker_only(database: str) -> None:
    async with scheduled(database) as schedule:
        users = [f"user{n}" for n in range(5)]
        for user in users:
            run_sql(
                database,
                f"INSERT INTO users (id, issuer, subject) VALUES ('{user}', 'x', '{user}');"
                f"INSERT INTO formation (user_id, due_at) VALUES ('{user}', now())",
            )
        claims = await asyncio.gather(*(schedule.claim_next() for _ in range(20)))
        assert sorted(claim.user for claim in claims if claim) == users


async def test_who_dies_is_replaced_within_half_a_minute(database: str) -> None:
    assert LEASE_SECONDS + POLL_SECONDS < 30
    async with scheduled(database, lease_seconds=0.2) as schedule:
        await said_something(schedule)
        first = await claimed(schedule)
        assert await schedule.claim_next() is None
        while (second := await schedule.claim_next()) is None:
            pass
        await schedule.finish(first, RetryPlan())  # it was not dead, only slow: that is nothing to it any more
        assert len(run_sql(database, f"SELECT user_id FROM formation WHERE lease = '{second.lease}'")) == 1


async def test_a_lease_is_renewed_while_the_work_goes_on(database: str) -> None:
    async with scheduled(database, lease_seconds=0.5) as schedule:
        await said_something(schedule)
        claim = await claimed(schedule)
        async with schedule.hold_lease(claim):
            began = time.monotonic()
            while time.monotonic() < began + 1:  # twice as long as it would last
                assert await schedule.claim_next() is None
        await schedule.finish(claim, RetryPlan())
        assert run_sql(database, "SELECT user_id FROM formation") == []


async def test_who_has_lost_the_lease_stops(database: str) -> None:
    async with scheduled(database, lease_seconds=0.3) as schedule:
        await said_something(schedule)
        claim = await claimed(schedule)
        working = asyncio.create_task(_work_for_ever(schedule, claim))
        run_sql(database, "UPDATE formation SET lease = gen_random_uuid()")
        with pytest.raises(FormationFailedError, match="the lease was lost"):
            await working
        assert len(run_sql(database, "SELECT user_id FROM formation WHERE lease IS NOT NULL AND attempts = 0")) == 1


async def test_who_is_stopped_gives_the_lease_back_at_once(database: str) -> None:
    async with scheduled(database) as schedule:
        await said_something(schedule)
        claim = await claimed(schedule)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(_work_for_ever(schedule, claim), 0.01)
        again = await schedule.claim_next()
        assert again is not None
        assert again.attempts == 0


@pytest.mark.parametrize(("attempts", "pause"), [(0, 5), (1, 10), (2, 20), (3, 40), (4, 80), (5, 160), (50, 160)])
async def test_what_fails_is_tried_again_ever_more_slowly(database: str, attempts: int, pause: int) -> None:
    async with scheduled(database) as schedule:
        await said_something(schedule)
        run_sql(database, f"UPDATE formation SET attempts = {attempts}, set_aside = 3")
        claim = await claimed(schedule)
        with pytest.raises(FormationFailedError):
            async with schedule.hold_lease(claim):
                raise FormationFailedError("the model is away")
        assert seconds_until_due(database) == pytest.approx(pause, abs=2)
        [row] = run_sql(database, "SELECT attempts, last_error, set_aside FROM formation")
        assert row == {"attempts": attempts + 1, "last_error": "formation_failed: the model is away", "set_aside": 3}


async def test_a_bug_is_told_in_no_words_of_its_own(database: str) -> None:
    async with scheduled(database) as schedule:
        await said_something(schedule)
        claim = await claimed(schedule)
        with pytest.raises(ValueError, match="secret"):
            async with schedule.hold_lease(claim):
                raise ValueError("secret")
        assert run_sql(database, "SELECT last_error FROM formation") == [{"last_error": "internal"}]


async def test_what_is_said_during_a_drain_stays_due(database: str) -> None:
    async with scheduled(database) as schedule:
        await said_something(schedule)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '1 hour'")
        claim = await claimed(schedule)
        await said_something(schedule)
        run_sql(database, "UPDATE formation SET due_at = now() + interval '20 seconds'")
        await schedule.finish(claim, RetryPlan())
        assert seconds_until_due(database) == pytest.approx(20, abs=2)
        [row] = run_sql(database, "SELECT first_at FROM formation")
        assert abs(row["first_at"] - claim.claimed_at) < timedelta(seconds=1)


async def test_who_has_something_set_aside_is_due_with_the_next_message_only(database: str) -> None:
    async with scheduled(database) as schedule:
        await said_something(schedule)
        run_sql(database, "UPDATE formation SET first_at = now() - interval '1 hour'")
        await schedule.finish(await claimed(schedule), RetryPlan(set_aside=2, last_error="formation_failed: no"))
        assert await schedule.claim_next() is None
        assert await schedule.seconds_until_due() is None
        backlog = await schedule.backlog()
        assert (backlog.pending_users, backlog.oldest_seconds, backlog.set_aside_batches) == (0, 0, 2)
        await said_something(schedule)
        assert seconds_until_due(database) == pytest.approx(30, abs=2)
        backlog = await schedule.backlog()
        assert backlog.pending_users == 1
        assert backlog.oldest_seconds == pytest.approx(0, abs=2)


async def test_a_worker_hears_of_what_is_due_at_once(database: str) -> None:
    async with scheduled(database) as schedule:
        await said_something(schedule)
        listener = NotificationListener(database)
        await listener.wait(0.01)  # from now on it listens
        hearing = asyncio.create_task(listener.wait(60))
        run_sql(database, "UPDATE formation SET first_at = now() - interval '400 seconds'")
        await said_something(schedule)
        async with asyncio.timeout(5):
            await hearing
        await listener.aclose()


async def test_where_nothing_can_be_heard_a_worker_waits_its_time() -> None:
    listener = NotificationListener("postgresql://127.0.0.1:9/nowhere")
    async with asyncio.timeout(5):
        await listener.wait(0.01)
        await listener.wait(0.01)
