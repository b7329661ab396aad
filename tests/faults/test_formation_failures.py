"""Formation failures: batches are retried, then set aside and reported; no message is lost or blocks another."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from starlette.exceptions import HTTPException

from agent.memory.records.inbox import MAX_ATTEMPTS
from conftest import Databases, make_settings, model_settings
from support.client import ApiClient, Json, new_thread, signed_in
from support.example_model import extract
from support.formation_table import make_all_due, run_sql, seconds_until_due
from support.gateway import RunningGateway
from support.scripted_openai import Message, ScriptedOpenAI

POISON = "I play the tuba."
RETRIES = [5, 10, 20, 40, 80]


@pytest.fixture
def deadline_seconds() -> float:
    """Deadline of a batch."""
    return 30


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI, deadline_seconds: float) -> Iterator[RunningGateway]:
    settings = model_settings(model, formation_deadline_seconds=deadline_seconds)
    with RunningGateway(make_settings(database, **settings)) as running:
        yield running


def new_messages(messages: Sequence[Message]) -> str:
    """The new messages in a prompt, without their context."""
    return str(messages[-1]["content"]).rpartition("New messages:")[2]


def fail_on_poison(messages: list[Message], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Extract as usual, but deny access if the new messages contain the poison; clients do not retry this status."""
    if POISON in new_messages(messages):
        raise HTTPException(403, "no access")
    return extract(messages, schema)


async def formation_status(client: ApiClient) -> Json:
    answer = await client.http.get("/memories/formation")
    return dict(answer.raise_for_status().json())


async def wait_for_status(client: ApiClient, condition: Callable[[Json], object]) -> Json:
    """Poll the status until the condition holds."""
    async with asyncio.timeout(20):
        while not condition(status := await formation_status(client)):
            pass
    return status


async def exhaust_retries(client: ApiClient, database: str) -> Json:
    """Make the batch due again and again until its last retry has failed."""
    for n, pause in enumerate(RETRIES, start=1):
        make_all_due(database)
        await wait_for_status(client, lambda status, n=n: status["attempts"] == n)  # type: ignore[misc] # n is an int
        assert seconds_until_due(database) == pytest.approx(pause, abs=3)
    make_all_due(database)
    return await wait_for_status(client, lambda status: status["set_aside"] and status["next_attempt_at"] is None)


def hang(model: ScriptedOpenAI) -> None:
    model.script.structured_gate.close()


def respond_with(status: int) -> Callable[[ScriptedOpenAI], None]:
    return lambda model: setattr(model.script, "structured_status", status)


def repair(model: ScriptedOpenAI) -> None:
    model.script.structured_gate.open()
    model.script.structured_status = 200
    model.script.structured = extract


@pytest.mark.parametrize(
    ("break_model", "deadline_seconds"),
    [(respond_with(429), 30), (respond_with(500), 30), (hang, 1)],
    ids=["429", "500", "hang"],
)
async def test_after_the_last_retry_a_batch_is_set_aside_and_reported(
    client: ApiClient, model: ScriptedOpenAI, database: str, break_model: Callable[[ScriptedOpenAI], None]
) -> None:
    thread = new_thread()
    break_model(model)
    await client.send("I live in Oslo.", thread=thread)
    status = await formation_status(client)
    assert (status["pending"], status["attempts"], status["last_error"]) == (1, 0, None)
    assert 0 <= status["oldest_seconds"] < 10
    assert status["next_attempt_at"] is not None
    status = await exhaust_retries(client, database)
    assert (status["pending"], status["oldest_seconds"], status["next_attempt_at"]) == (0, None, None)
    [batch] = status["set_aside"]
    assert batch["thread_id"] == thread
    assert len(batch["messages"]) == 1
    assert batch["error"] == status["last_error"]
    assert batch["error"].startswith("formation_failed: ")
    assert (await client.send("Do I live in Oslo?")).recalled == ["I live in Oslo."]
    repair(model)
    assert (await client.flush())["added"] == 1
    assert await formation_status(client) == {
        "pending": 0,
        "oldest_seconds": None,
        "attempts": 0,
        "last_error": None,
        "next_attempt_at": None,
        "set_aside": [],
    }


async def test_a_batch_that_is_set_aside_does_not_block_later_messages(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    model.script.structured = fail_on_poison
    thread = new_thread()
    await client.send(POISON, thread=thread)
    await exhaust_retries(client, database)
    await client.send("I live in Oslo.", thread=thread)
    before = len(model.structured_requests())
    make_all_due(database)
    status = await wait_for_status(client, lambda status: not status["pending"])
    assert [memory["text"] for memory in await client.memories(kind="user")] == ["Lives in Oslo"]
    await wait_for_status(client, lambda status: status["next_attempt_at"] is None)
    is_poisoned = [POISON in new_messages(request.messages) for request in model.structured_requests()[before:]]
    assert is_poisoned == [False, True]  # it is retried once, after the new message
    assert len(status["set_aside"]) == 1
    make_all_due(database)
    response = await client.http.post("/memories/flush")
    assert (response.status_code, response.json()["code"]) == (503, "formation_failed")
    repair(model)
    assert (await client.flush())["added"] == 1
    assert (await formation_status(client))["set_aside"] == []


async def test_a_message_added_to_a_failing_batch_is_processed_later(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    model.script.structured = fail_on_poison
    thread = new_thread()
    await client.send(POISON, thread=thread)
    make_all_due(database)
    await wait_for_status(client, lambda status: status["attempts"] == 1)
    await client.send("I live in Oslo.", thread=thread)
    for attempt in range(2, MAX_ATTEMPTS):
        make_all_due(database)
        await wait_for_status(client, lambda status, n=attempt: status["attempts"] == n)  # type: ignore[misc] # n is an int
    make_all_due(database)
    status = await wait_for_status(
        client, lambda status: status["set_aside"] and status["attempts"] == MAX_ATTEMPTS - 1
    )
    assert len(status["set_aside"][0]["messages"]) == 1
    make_all_due(database)
    async with asyncio.timeout(10):
        while [memory["text"] for memory in await client.memories(kind="user")] != ["Lives in Oslo"]:
            pass
    assert len((await formation_status(client))["set_aside"]) == 1


async def test_a_failing_thread_does_not_block_other_threads(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = fail_on_poison
    model.script.reply = lambda _: "Noted."  # does not repeat what is recalled in the other threads
    await client.send(POISON)
    await client.send("I live in Oslo.")
    await client.send("I prefer tea.")
    assert (await client.flush())["added"] == 2
    status = await formation_status(client)
    assert (status["pending"], status["attempts"], status["set_aside"]) == (1, 1, [])
    assert status["last_error"].startswith("formation_failed: ")
    assert status["next_attempt_at"] is not None


async def test_an_export_does_not_contain_failures(
    client: ApiClient, gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    model.script.structured = fail_on_poison
    await client.send(POISON)
    await client.http.post("/memories/flush")
    assert (await formation_status(client))["attempts"] == 1
    exported = (await client.http.get("/memories/export")).text
    repair(model)
    async with signed_in(gateway.url) as other:
        assert (await other.http.post("/memories/import", content=exported)).json()["imported"] == 1
        assert (await formation_status(other))["pending"] == 1
        assert (await other.flush())["added"] == 1


@pytest.mark.parametrize(("table", "statement"), [("store", "store_latest"), ("store_vectors", "store_")])
async def test_an_unavailable_store_is_not_counted_as_a_failure_of_the_messages(
    databases: Databases, database: str, model: ScriptedOpenAI, table: str, statement: str
) -> None:
    store_database = databases.create("text-embedding-3-small")
    settings = make_settings(database, **model_settings(model, store_postgres_dsn=store_database, debounce_seconds=60))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            await client.send("I live in Oslo.")
            with psycopg.connect(store_database) as locking:
                locking.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
                flushing = asyncio.create_task(client.http.post("/memories/flush"))
                for pid in await asyncio.to_thread(wait_for_blocked_statement, store_database, statement):
                    run_sql(store_database, f"SELECT pg_terminate_backend({pid})")
                response = await flushing
                assert (response.status_code, response.json()["code"]) == (503, "store_unavailable")
                locking.rollback()
            [row] = run_sql(database, "SELECT attempts, last_error, set_aside FROM formation")
            assert row["attempts"] == 1
            assert row["last_error"].startswith("store_unavailable: ")
            assert run_sql(store_database, "SELECT key FROM store WHERE value ? 'failed'") == []
            assert (await client.flush())["added"] == 1


async def test_a_message_deleted_while_it_is_added_to_the_inbox_stays_deleted(
    client: ApiClient, database: str, model: ScriptedOpenAI
) -> None:
    with lock_store(database) as release:
        assert (await client.send("I live in Oslo.")).degraded
        flushing = asyncio.create_task(client.flush())
        await asyncio.to_thread(wait_for_blocked_statement, database, "FOR UPDATE OF store")
        run_sql(database, "DELETE FROM messages")  # as erasure does first; it deletes the inbox last
        release()
        assert (await flushing)["added"] == 0
    assert run_sql(database, "SELECT key FROM store") == []
    assert model.structured_requests() == []


async def test_metrics_count_results_and_identify_no_user(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    model.script.structured = fail_on_poison
    await client.send("I live in Oslo.")
    await client.flush()
    await client.send(POISON)
    await exhaust_retries(client, database)
    await client.send("I prefer tea.")
    me = (await client.http.get("/me")).json()["user_id"]
    del client.http.headers["Authorization"]
    answer = await client.http.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert me not in answer.text
    assert "Oslo" not in answer.text
    samples = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
    expected = {
        'keepsake_formation_memories_total{result="added"}': 1,
        'keepsake_formation_memories_total{result="replaced"}': 0,
        'keepsake_formation_memories_total{result="confirmed"}': 0,
        'keepsake_formation_memories_total{result="episodes"}': 1,
        'keepsake_formation_failures_total{error="formation_failed"}': MAX_ATTEMPTS,
        "keepsake_formation_set_aside_total": 1,
        "keepsake_formation_set_aside_batches": 1,
        "keepsake_formation_pending_users": 1,
        "keepsake_formation_drain_seconds_count": 1 + MAX_ATTEMPTS,
    }
    assert {name: float(samples[name]) for name in expected} == expected
    assert 0 <= float(samples["keepsake_formation_oldest_seconds"]) < 10


@contextmanager
def lock_store(database: str) -> Iterator[Callable[[], None]]:
    """Lock the store's table; yields a function that releases the lock before the end of the block."""
    with psycopg.connect(database) as locking:
        locking.execute("LOCK TABLE store IN ACCESS EXCLUSIVE MODE")
        yield locking.rollback
        locking.rollback()


def wait_for_blocked_statement(database: str, statement: str) -> list[int]:
    """Wait until a statement like this waits for a lock; returns the process ids of the backends."""
    query = f"""
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%{statement}%'
    """
    pause = threading.Event()
    for _ in range(500):
        if pids := [row["pid"] for row in run_sql(database, query)]:
            return pids
        pause.wait(0.02)
    raise AssertionError(f"no backend waits with {statement!r}")
