"""What cannot be distilled is tried again, then told and set aside; it is never lost, and holds up nothing else."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

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
    """How long a batch may take."""
    return 30


@pytest.fixture
def gateway(database: str, model: ScriptedOpenAI, deadline_seconds: float) -> Iterator[RunningGateway]:
    settings = model_settings(model, formation_deadline_seconds=deadline_seconds)
    with RunningGateway(make_settings(database, **settings)) as running:
        yield running


def poisoned(messages: list[Message], schema: Mapping[str, Any]) -> Mapping[str, Any] | str:
    """Answer as ever, but break off where the poison is read."""
    found = extract(messages, schema)
    return json.dumps(found)[:-20] if POISON in str(messages) else found


async def formation(client: ApiClient) -> Json:
    answer = await client.http.get("/memories/formation")
    return dict(answer.raise_for_status().json())


async def until(client: ApiClient, holds: Callable[[Json], object]) -> Json:
    """Return what formation has to say as soon as it is so."""
    async with asyncio.timeout(20):
        while not holds(state := await formation(client)):
            pass
    return state


async def fail_for_good(client: ApiClient, database: str) -> Json:
    """Let the time pass until the last retry has failed."""
    for n, pause in enumerate(RETRIES, start=1):
        make_all_due(database)
        await until(client, lambda state, n=n: state["attempts"] == n)  # type: ignore[misc] # n is an int
        assert seconds_until_due(database) == pytest.approx(pause, abs=3)
    make_all_due(database)
    return await until(client, lambda state: state["set_aside"] and state["next_attempt_at"] is None)


def hangs(model: ScriptedOpenAI) -> None:
    model.script.structured_gate.close()


def answers_with(status: int) -> Callable[[ScriptedOpenAI], None]:
    return lambda model: setattr(model.script, "structured_status", status)


def breaks_off(model: ScriptedOpenAI) -> None:
    model.script.structured = lambda messages, schema: json.dumps(extract(messages, schema))[:-20]


def mend(model: ScriptedOpenAI) -> None:
    model.script.structured_gate.open()
    model.script.structured_status = 200
    model.script.structured = extract


@pytest.mark.parametrize(
    ("fails", "deadline_seconds"),
    [(answers_with(429), 30), (answers_with(500), 30), (hangs, 1), (breaks_off, 30)],
    ids=["429", "500", "hangs", "half a JSON"],
)
async def test_a_model_that_fails_is_retried_then_told_and_loses_nothing(
    client: ApiClient, model: ScriptedOpenAI, database: str, fails: Callable[[ScriptedOpenAI], None]
) -> None:
    thread = new_thread()
    fails(model)
    await client.send("I live in Oslo.", thread=thread)
    waiting = await formation(client)
    assert (waiting["pending"], waiting["attempts"], waiting["last_error"]) == (1, 0, None)
    assert 0 <= waiting["oldest_seconds"] < 10
    assert waiting["next_attempt_at"] is not None
    state = await fail_for_good(client, database)
    assert (state["pending"], state["oldest_seconds"], state["next_attempt_at"]) == (0, None, None)
    [aside] = state["set_aside"]
    assert aside["thread_id"] == thread
    assert len(aside["messages"]) == 1
    assert aside["error"] == state["last_error"]
    assert aside["error"].startswith("formation_failed: ")
    assert (await client.send("Do I live in Oslo?")).recalled == ["I live in Oslo."]
    mend(model)
    assert (await client.flush())["added"] == 1
    assert await formation(client) == {
        "pending": 0,
        "oldest_seconds": None,
        "attempts": 0,
        "last_error": None,
        "next_attempt_at": None,
        "set_aside": [],
    }


async def test_what_is_set_aside_holds_up_nothing_that_is_said_later(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    model.script.structured = poisoned
    thread = new_thread()
    await client.send(POISON, thread=thread)
    await fail_for_good(client, database)
    await client.send("I live in Oslo.", thread=thread)
    before = len(model.structured_requests())
    make_all_due(database)
    state = await until(client, lambda state: not state["pending"])
    assert [memory["text"] for memory in await client.memories(kind="user")] == ["Lives in Oslo"]
    await until(client, lambda state: state["next_attempt_at"] is None)
    asked = [POISON in str(request.messages[-1]) for request in model.structured_requests()[before:]]
    assert asked == [False, True]  # once more, after what is fresh
    assert len(state["set_aside"]) == 1
    make_all_due(database)
    refused = await client.http.post("/memories/flush")
    assert (refused.status_code, refused.json()["code"]) == (503, "formation_failed")
    mend(model)
    assert (await client.flush())["added"] == 1
    assert (await formation(client))["set_aside"] == []


async def test_a_message_that_joins_a_failing_batch_is_not_lost_with_it(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    model.script.structured = poisoned
    thread = new_thread()
    await client.send(POISON, thread=thread)
    make_all_due(database)
    await until(client, lambda state: state["attempts"] == 1)
    await client.send("I live in Oslo.", thread=thread)
    for attempt in range(2, MAX_ATTEMPTS):
        make_all_due(database)
        await until(client, lambda state, n=attempt: state["attempts"] == n)  # type: ignore[misc] # n is an int
    make_all_due(database)
    state = await until(client, lambda state: state["set_aside"] and state["attempts"] == MAX_ATTEMPTS - 1)
    assert len(state["set_aside"][0]["messages"]) == 1
    make_all_due(database)
    async with asyncio.timeout(10):
        while [memory["text"] for memory in await client.memories(kind="user")] != ["Lives in Oslo"]:
            pass
    assert len((await formation(client))["set_aside"]) == 1


async def test_a_thread_that_fails_holds_up_no_other(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.structured = poisoned
    await client.send(POISON)
    await client.send("I live in Oslo.")
    await client.send("I prefer tea.")
    assert (await client.flush())["added"] == 2
    state = await formation(client)
    assert (state["pending"], state["attempts"], state["set_aside"]) == (1, 1, [])
    assert state["last_error"].startswith("formation_failed: ")
    assert state["next_attempt_at"] is not None


async def test_failures_do_not_travel_with_an_export(
    client: ApiClient, gateway: RunningGateway, model: ScriptedOpenAI
) -> None:
    model.script.structured = poisoned
    await client.send(POISON)
    await client.http.post("/memories/flush")
    assert (await formation(client))["attempts"] == 1
    exported = (await client.http.get("/memories/export")).text
    mend(model)
    async with signed_in(gateway.url) as other:
        assert (await other.http.post("/memories/import", content=exported)).json()["imported"] == 1
        assert (await formation(other))["pending"] == 1
        assert (await other.flush())["added"] == 1


@pytest.mark.parametrize(("table", "statement"), [("store", "store_latest"), ("store_vectors", "store_")])
async def test_a_store_that_is_away_is_no_fault_of_what_was_said(
    databases: Databases, database: str, model: ScriptedOpenAI, table: str, statement: str
) -> None:
    elsewhere = databases.create("text-embedding-3-small")
    settings = make_settings(database, **model_settings(model, store_postgres_dsn=elsewhere, debounce_seconds=60))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            await client.send("I live in Oslo.")
            with psycopg.connect(elsewhere) as locking:
                locking.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
                flushing = asyncio.create_task(client.http.post("/memories/flush"))
                for pid in await asyncio.to_thread(_waiting, elsewhere, statement):
                    run_sql(elsewhere, f"SELECT pg_terminate_backend({pid})")
                refused = await flushing
                assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
                locking.rollback()
            [row] = run_sql(database, "SELECT attempts, last_error, set_aside FROM formation")
            assert row["attempts"] == 1
            assert row["last_error"].startswith("store_unavailable: ")
            assert run_sql(elsewhere, "SELECT key FROM store WHERE value ? 'failed'") == []
            assert (await client.flush())["added"] == 1


async def test_what_is_deleted_while_it_is_put_into_the_inbox_stays_deleted(
    client: ApiClient, database: str, model: ScriptedOpenAI
) -> None:
    with _locked_store(database) as unlock:
        assert (await client.send("I live in Oslo.")).degraded
        flushing = asyncio.create_task(client.flush())
        await asyncio.to_thread(_waiting, database, "FOR UPDATE OF store")
        run_sql(database, "DELETE FROM messages")  # as whoever erases does first; the inbox comes last
        unlock()
        assert (await flushing)["added"] == 0
    assert run_sql(database, "SELECT key FROM store") == []
    assert model.structured_requests() == []


async def test_metrics_count_what_came_of_messages_and_name_nobody(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    model.script.structured = poisoned
    await client.send("I live in Oslo.")
    await client.flush()
    await client.send(POISON)
    await fail_for_good(client, database)
    await client.send("I prefer tea.")
    me = (await client.http.get("/me")).json()["user_id"]
    del client.http.headers["Authorization"]
    answer = await client.http.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert me not in answer.text
    assert "Oslo" not in answer.text
    measured = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
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
    assert {name: float(measured[name]) for name in expected} == expected
    assert 0 <= float(measured["keepsake_formation_oldest_seconds"]) < 10


@contextmanager
def _locked_store(database: str) -> Iterator[Callable[[], None]]:
    """Let nobody touch the memories until told, or until the block ends."""
    with psycopg.connect(database) as locking:
        locking.execute("LOCK TABLE store IN ACCESS EXCLUSIVE MODE")
        yield locking.rollback
        locking.rollback()


def _waiting(database: str, statement: str) -> list[int]:
    """Return who waits for a lock with such a statement, as soon as somebody does."""
    query = f"""
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%{statement}%'
    """
    pause = threading.Event()
    for _ in range(500):
        if pids := [row["pid"] for row in run_sql(database, query)]:
            return pids
        pause.wait(0.02)
    raise AssertionError(f"nobody waits with {statement!r}")
