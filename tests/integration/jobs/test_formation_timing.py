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
from conftest import scripted, settings_for
from support.client import Person, new_thread, signed_in
from support.due import make_due, sql
from support.gateway import RunningGateway
from support.pooler import transaction_pooler
from support.script import Gate
from support.scripted_openai import ScriptedOpenAI

ADA = UserId("ada")
CHAT = "/v1/chat/completions"


async def _until_formed(person: Person) -> list[dict[str, Any]]:
    async with asyncio.timeout(10):
        while not (memories := await person.memories()):
            pass
    return memories


async def test_a_due_user_is_picked_up_within_a_second(person: Person, model: ScriptedOpenAI, database: str) -> None:
    for n in range(3):
        await person.say(f"I like tea number {n}.")
        sql(database, "UPDATE formation SET due_at = now() + interval '0.3 seconds'")
        due = time.monotonic() + 0.3
        asked = await model.arrival(CHAT, 2 * (n + 1))
        assert asked.structured
        assert -0.1 < asked.at - due < 1
        await person.flush()


async def test_five_messages_in_a_burst_are_one_call(database: str, model: ScriptedOpenAI) -> None:
    settings = settings_for(database, **scripted(model, debounce_seconds=1))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as person:
            thread = new_thread()
            said = [f"I play instrument {n}." for n in range(5)]
            for text in said:
                await person.say(text, thread=thread)
            assert model.structured_requests() == []
            await _until_formed(person)
            [asked] = model.structured_requests()
            assert all(text in str(asked.messages) for text in said)
            assert (await person.http.get("/memories/formation")).json()["pending"] == 0


class HoldsFirst(Gate):
    """Holds the first request while it is closed, and lets all others pass."""

    def __init__(self) -> None:
        super().__init__()
        self.close()
        self._holds = True

    async def passed(self) -> None:
        if self._holds:
            self._holds = False
            await super().passed()


async def test_a_slow_model_for_one_user_holds_up_nobody_else(database: str, model: ScriptedOpenAI) -> None:
    gate = model.script.structured_gate = HoldsFirst()
    settings = settings_for(database, **scripted(model, debounce_seconds=0.05))
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as ada, signed_in(gateway.url) as bob:
            await ada.say("I live in Oslo.")
            assert (await model.arrival(CHAT, 2)).structured
            await bob.say("I live in Rome.")
            assert "Rome" in str(await _until_formed(bob))
            assert await ada.memories() == []
            gate.open()
            assert "Oslo" in str(await _until_formed(ada))


async def test_a_flush_waits_for_the_drain_that_is_running(
    person: Person, model: ScriptedOpenAI, database: str
) -> None:
    await person.say("I live in Oslo.")
    with model.script.structured_gate.closed():
        make_due(database)
        assert (await model.arrival(CHAT, 2)).structured
        flushing = asyncio.create_task(person.flush())
        assert await person.memories() == []
    assert (await flushing)["added"] == 0
    assert "Oslo" in str(await person.memories())
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
    person: Person, model: ScriptedOpenAI, database: str, lost: str
) -> None:
    await person.say("I live in Oslo.")
    sql(database, lost)
    with RunningGateway(settings_for(database, **scripted(model))):
        assert "Oslo" in str(await _until_formed(person))
    assert sql(database, "SELECT user_id FROM formation") == []


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
        with RunningGateway(settings_for(pooled, **scripted(model, **at_once))) as gateway:
            for place in ("Oslo", "Rome", "Lima"):
                async with signed_in(gateway.url) as person:
                    await person.say(f"I live in {place}.")
                    assert place in str(await _until_formed(person))
    told = [record.message for record in caplog.records if record.name in {"agent.jobs.worker", "agent.jobs.queue"}]
    assert told == []
