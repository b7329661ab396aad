"""The background job that summarises history: leases, concurrency, backlogs, and who is due."""

import asyncio
import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg

from conftest import make_settings, model_settings
from integration.memory.history.conftest import AgentUser, digest_response, open_user
from support.client import signed_in
from support.formation_table import run_sql
from support.gateway import RunningGateway
from support.openai_chat import PATH as CHAT
from support.scripted_openai import ScriptedOpenAI


async def test_concurrent_compactions_summarise_everything_once(ada: AgentUser, model: ScriptedOpenAI) -> None:
    for n in range(4):
        await ada.add_episode(f"User repaired boat number {n}", days_ago=100 - n)
    model.script.structured = digest_response(earlier_context=[("User repaired boats.", [1, 2, 3, 4])])
    await asyncio.gather(*(ada.summarise() for _ in range(3)))
    assert await ada.history() == ["", "User repaired boats.", ""]
    exported = [json.loads(line) async for page in ada.agent.export_memories(ada.id) for line in page.splitlines()]
    retired = [line["memory"] for line in exported if line.get("place") == "retired"]
    assert len(retired) == len(set(retired)) == 4


async def test_a_long_compaction_keeps_its_lease(ada: AgentUser, model: ScriptedOpenAI) -> None:
    for n in range(4):
        await ada.add_episode(f"User repaired boat number {n}", days_ago=100 - n)
    compaction = replace(ada.agent.compaction, lease_seconds=1.5)
    with model.script.structured_gate.closed():
        compacting = asyncio.create_task(compaction.compact_due())
        await model.wait_for_request(CHAT)
        started_at = time.monotonic()
        while time.monotonic() < started_at + 1.5 * compaction.lease_seconds:
            await ada.agent.compaction.compact_due()  # no user is due
            await asyncio.wait([compacting], timeout=0.05)
    await compacting
    assert len(model.structured_requests()) == 1
    assert await ada.episodes() == set()


async def test_a_compaction_that_loses_its_lease_is_cancelled(
    ada: AgentUser, model: ScriptedOpenAI, database: str
) -> None:
    for n in range(4):
        await ada.add_episode(f"User repaired boat number {n}", days_ago=100 - n)
    compaction = replace(ada.agent.compaction, lease_seconds=1.5)
    with model.script.structured_gate.closed():
        compacting = asyncio.create_task(compaction.compact_due())
        await model.wait_for_request(CHAT)
        run_sql(database, "UPDATE users SET compaction_due_at = now() + interval '1 day'")
        await compacting
    assert len(await ada.episodes()) == 4
    [row] = run_sql(database, "SELECT compaction_due_at > now() + interval '23 hours' AS kept FROM users")
    assert row["kept"]


async def test_old_episodes_imported_during_a_compaction_are_summarised_next(
    ada: AgentUser, model: ScriptedOpenAI
) -> None:
    for n in range(4):
        await ada.add_episode(f"User repaired boat number {n}", days_ago=100 - n)
    with model.script.structured_gate.closed():
        compacting = asyncio.create_task(ada.agent.compaction.compact_due())
        await model.wait_for_request(CHAT)
        await ada.add_episode("User finished school", days_ago=200)
    await compacting
    assert (await ada.history())[2] == "User finished school"
    assert await ada.episodes() == set()


async def test_a_large_backlog_is_summarised_in_parts(database: str, model: ScriptedOpenAI) -> None:
    async with open_user(database, model, extractor="rules") as user:
        ts = (datetime.now(UTC) - timedelta(days=100)).isoformat()
        lines = [{"kind": "episodic", "text": f"User repaired boat number {n}", "ts": ts} for n in range(130)]
        await user.import_lines(*lines)
        await user.agent.compaction.compact_due()
        assert await user.episodes() == set()
        assert (await user.history())[1].count("User repaired boat number") == 3
        assert model.structured_requests() == []


async def test_users_who_paused_memory_are_not_compacted(ada: AgentUser, database: str) -> None:
    await ada.add_episode("User moved to Bergen", days_ago=31)
    await ada.agent.users.update(ada.id, memory_enabled=False)
    await ada.agent.compaction.compact_due()
    assert await ada.history() == ["", "", ""]
    await ada.agent.users.update(ada.id, memory_enabled=True)
    await ada.agent.compaction.compact_due()
    assert await ada.history() == ["", "User moved to Bergen", ""]
    with psycopg.connect(database) as connection:
        [days] = connection.execute("SELECT extract(day FROM compaction_due_at - now()) FROM users").fetchone() or [0]
    assert 1 <= days <= 30


async def test_users_who_are_due_are_compacted_at_start(database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(database, **model_settings(model))
    line = {"kind": "episodic", "text": "User moved to Bergen", "ts": "2020-01-01T10:00:00+00:00"}
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url, "ada") as ada:
            (await ada.http.post("/memories/import", content=json.dumps(line))).raise_for_status()
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url, "ada") as ada:
            while not (profile := (await ada.http.get("/profile")).json())["last_updated"]:
                pass
            assert profile["long_term_background"] == "User moved to Bergen"
