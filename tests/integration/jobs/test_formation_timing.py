"""When a running gateway distils: soon, once for a burst, nobody held up by another, nothing forgotten at a start."""

import asyncio
import time
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from agent import UserId
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.types import MessageId, ThreadId
from conftest import make_settings, model_settings
from support.client import ApiClient, new_thread, signed_in
from support.formation_table import make_all_due, run_sql
from support.gateway import RunningGateway
from support.model_script import Gate
from support.pooler import transaction_pooler
from support.scripted_openai import ScriptedOpenAI

ADA = UserId("ada")
CHAT = "/v1/chat/completions"


async def _until_formed(client: ApiClient) -> list[dict[str, Any]]:
    async with asyncio.timeout(10):
        while not (memories := await client.memories()):
            pass
    return memories


async def test_a_due_user_is_picked_up_within_a_second(client: ApiClient, model: ScriptedOpenAI, database: str) -> None:
    for n in range(3):
        await client.send(f"I like tea number {n}.")
        run_sql(database, "UPDATE formation SET due_at = now() + interval '0.3 seconds'")
        due = time.monotonic() + 0.3
        asked = await model.wait_for_request(CHAT, 2 * (n + 1))
        assert asked.is_structured
        assert -0.1 < asked.received_at - due < 1
        await client.flush()


async def test_five_messages_in_a_burst_are_one_call(database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(database, **model_settings(model, debounce_seconds=1))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            thread = new_thread()
            said = [f"I play instrument {n}." for n in range(5)]
            for text in said:
                await client.send(text, thread=thread)
            assert model.structured_requests() == []
            await _until_formed(client)
            [asked] = model.structured_requests()
            assert all(text in str(asked.messages) for text in said)
            assert (await client.http.get("/memories/formation")).json()["pending"] == 0


class HoldsFirst(Gate):
    """Holds the first request while it is closed, and lets all others pass."""

    def __init__(self) -> None:
        super().__init__()
        self.close()
        self._holds = True

    async def passed(self) -> None:
        if self._holds:
            self._holds = False
            await super().wait()


async def test_a_slow_model_for_one_user_holds_up_nobody_else(database: str, model: ScriptedOpenAI) -> None:
    gate = model.script.structured_gate = HoldsFirst()
    settings = make_settings(database, **model_settings(model, debounce_seconds=0.05))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as ada, signed_in(gateway.url) as bob:
            await ada.send("I live in Oslo.")
            assert (await model.wait_for_request(CHAT, 2)).is_structured
            await bob.send("I live in Rome.")
            assert "Rome" in str(await _until_formed(bob))
            assert await ada.memories() == []
            gate.open()
            assert "Oslo" in str(await _until_formed(ada))


async def test_a_flush_waits_for_the_drain_that_is_running(
    client: ApiClient, model: ScriptedOpenAI, database: str
) -> None:
    await client.send("I live in Oslo.")
    with model.script.structured_gate.closed():
        make_all_due(database)
        assert (await model.wait_for_request(CHAT, 2)).is_structured
        flushing = asyncio.create_task(client.flush())
        assert await client.memories() == []
    assert (await flushing)["added"] == 0
    assert "Oslo" in str(await client.memories())
    assert len(model.structured_requests()) == 1


@pytest.mark.parametrize(
    "lost",
    [
        "DELETE FROM formation",
        "DELETE FROM formation; DELETE FROM store; UPDATE messages SET noted = false WHERE role = 'user'",
    ],
    ids=["an inbox without a row", "a message that never reached the inbox, without a row"],
)
async def test_a_start_finds_what_nobody_was_about_to_distil(
    client: ApiClient, model: ScriptedOpenAI, database: str, lost: str
) -> None:
    await client.send("I live in Oslo.")
    run_sql(database, lost)
    with RunningGateway(make_settings(database, **model_settings(model))):
        assert "Oslo" in str(await _until_formed(client))
    assert run_sql(database, "SELECT user_id FROM formation") == []


async def test_the_sweep_knows_full_inboxes_in_any_store() -> None:
    store = InMemoryStore()
    item = InboxItem(MessageId("m"), ThreadId("t"), "I live in Oslo.", "2026-01-01T00:00:00+00:00")
    await inbox.add(store, ADA, item)
    assert await inbox.users_with_items(store, [UserId("bob"), ADA]) == {ADA}
    assert await inbox.users_with_items(store, []) == set()


@pytest.mark.pooler
async def test_behind_a_transaction_pooler_polling_does(
    database: str, model: ScriptedOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    with transaction_pooler(database) as pooled:
        at_once = {"debounce_seconds": 0.05, "debounce_max_wait_seconds": 0.01}  # so that workers are woken, too
        with RunningGateway(make_settings(pooled, **model_settings(model, **at_once))) as gateway:
            for place in ("Oslo", "Rome", "Lima"):
                async with signed_in(gateway.url) as client:
                    await client.send(f"I live in {place}.")
                    assert place in str(await _until_formed(client))
    told = [record.message for record in caplog.records if record.name in {"agent.jobs.worker", "agent.database.lease"}]
    assert told == []
