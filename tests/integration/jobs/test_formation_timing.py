"""When a running gateway forms memories: after the debounce time, once per burst, and independently for each user."""

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


async def wait_for_memories(client: ApiClient) -> list[dict[str, Any]]:
    async with asyncio.timeout(10):
        while not (memories := await client.memories()):
            pass
    return memories


async def test_a_due_user_is_processed_within_a_second(client: ApiClient, model: ScriptedOpenAI, database: str) -> None:
    for n in range(3):
        await client.send(f"I like tea number {n}.")
        run_sql(database, "UPDATE formation SET due_at = now() + interval '0.3 seconds'")
        due = time.monotonic() + 0.3
        request = await model.wait_for_request(CHAT, 2 * (n + 1))
        assert request.is_structured
        assert -0.1 < request.received_at - due < 1
        await client.flush()


async def test_a_burst_of_messages_is_processed_in_one_model_call(database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(database, **model_settings(model, debounce_seconds=1))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as client:
            thread = new_thread()
            texts = [f"I play instrument {n}." for n in range(5)]
            for text in texts:
                await client.send(text, thread=thread)
            assert model.structured_requests() == []
            await model.wait_for_request(CHAT, len(texts) + 1)
            await wait_for_memories(client)
            [request] = model.structured_requests()
            assert all(text in str(request.messages) for text in texts)
            assert (await client.http.get("/memories/formation")).json()["pending"] == 0


class FirstRequestGate(Gate):
    """Blocks only the first request."""

    def __init__(self) -> None:
        super().__init__()
        self.close()
        self._is_first = True

    async def wait(self) -> None:
        if self._is_first:
            self._is_first = False
            await super().wait()


async def test_a_slow_model_call_for_one_user_does_not_delay_others(database: str, model: ScriptedOpenAI) -> None:
    gate = model.script.structured_gate = FirstRequestGate()
    settings = make_settings(database, **model_settings(model, debounce_seconds=0.05))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as ada, signed_in(gateway.url) as bob:
            await ada.send("I live in Oslo.")
            assert (await model.wait_for_request(CHAT, 2)).is_structured
            await bob.send("I live in Rome.")
            await model.wait_for_request(CHAT, 4)
            assert "Rome" in str(await wait_for_memories(bob))
            assert await ada.memories() == []
            gate.open()
            assert "Oslo" in str(await wait_for_memories(ada))


async def test_a_flush_waits_for_a_running_drain(client: ApiClient, model: ScriptedOpenAI, database: str) -> None:
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
    "loss",
    [
        "DELETE FROM formation",
        "DELETE FROM formation; DELETE FROM store; UPDATE messages SET enqueued = false WHERE role = 'user'",
    ],
    ids=["an inbox without a row", "a message that never reached the inbox, without a row"],
)
async def test_the_sweep_at_start_schedules_unscheduled_inboxes(
    client: ApiClient, model: ScriptedOpenAI, database: str, loss: str
) -> None:
    await client.send("I live in Oslo.")
    run_sql(database, loss)
    with RunningGateway(make_settings(database, **model_settings(model))):
        await model.wait_for_request(CHAT, 2)
        assert "Oslo" in str(await wait_for_memories(client))
        async with asyncio.timeout(10):  # the user leaves the queue after the memories are stored
            while await asyncio.to_thread(run_sql, database, "SELECT user_id FROM formation"):
                pass


async def test_nonempty_inboxes_are_found_in_any_store() -> None:
    store = InMemoryStore()
    item = InboxItem(MessageId("m"), ThreadId("t"), "I live in Oslo.", "2026-01-01T00:00:00+00:00")
    await inbox.add(store, ADA, item)
    assert await inbox.users_with_items(store, [UserId("bob"), ADA]) == {ADA}
    assert await inbox.users_with_items(store, []) == set()


@pytest.mark.pooler
async def test_behind_a_transaction_pooler_workers_poll(
    database: str, model: ScriptedOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    with transaction_pooler(database) as pooled:
        immediate = {"debounce_seconds": 0.05, "debounce_max_wait_seconds": 0.01}  # so that messages notify the workers
        with RunningGateway(make_settings(pooled, **model_settings(model, **immediate))) as gateway:
            for n, place in enumerate(("Oslo", "Rome", "Lima"), start=1):
                async with signed_in(gateway.url) as client:
                    await client.send(f"I live in {place}.")
                    await model.wait_for_request(CHAT, 2 * n)
                    assert place in str(await wait_for_memories(client))
    log_messages = [
        record.message for record in caplog.records if record.name in {"agent.jobs.worker", "agent.database.lease"}
    ]
    assert log_messages == []
