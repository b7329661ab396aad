"""Runs of the LangGraph API, as `langgraph_sdk` uses them."""

import asyncio
from typing import Any, cast

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError

from contract.langgraph_api.conftest import WORDS
from support.client import new_thread
from support.langgraph_client import collect, contents, new_langgraph_thread, said
from support.scripted_openai import ScriptedOpenAI


async def test_a_run_in_the_background_is_joined_listed_and_cancelled(
    sdk: LangGraphClient, scripted: ScriptedOpenAI
) -> None:
    thread = await new_langgraph_thread(sdk)
    with scripted.script.chat_gate.closed():
        run = await sdk.runs.create(thread, "chat", input=said("Count."))
        assert run["status"] == "running"
        assert (await sdk.threads.get(thread))["status"] == "busy"
        assert (await sdk.threads.get_state(thread))["next"] == ["answer"]
        assert [one["run_id"] for one in await sdk.runs.list(thread, status="running")] == [run["run_id"]]
        with pytest.raises(ConflictError):
            await sdk.runs.create(thread, "chat", input=said("And now?"))
        joined = asyncio.create_task(sdk.runs.join(thread, run["run_id"]))
        await scripted.wait_for_chat("Count.")
    assert [message["content"] for message in (await joined)["messages"]] == ["Count.", WORDS]
    assert (await sdk.runs.get(thread, run["run_id"]))["status"] == "success"
    with scripted.script.chat_gate.closed():
        second = await sdk.runs.create(thread, "chat", input=said("Again."))
        await sdk.runs.cancel(thread, second["run_id"], wait=True)
    assert (await sdk.runs.get(thread, second["run_id"]))["status"] == "interrupted"
    assert [one["run_id"] for one in await sdk.runs.list(thread)] == [second["run_id"], run["run_id"]]
    assert (await sdk.threads.get(thread))["status"] == "idle"
    with pytest.raises(NotFoundError):
        await sdk.runs.get(thread, new_thread())


async def test_a_run_is_interrupted_by_a_new_message_if_the_client_wants_it(
    sdk: LangGraphClient, scripted: ScriptedOpenAI
) -> None:
    thread = await new_langgraph_thread(sdk)
    with scripted.script.chat_gate.closed():
        first = await sdk.runs.create(thread, "chat", input=said("Count."))
        second = await sdk.runs.create(thread, "chat", input=said("Stop."), multitask_strategy="interrupt")
    await sdk.runs.join(thread, second["run_id"])
    statuses = {run["run_id"]: run["status"] for run in await sdk.runs.list(thread)}
    assert statuses == {first["run_id"]: "interrupted", second["run_id"]: "success"}


async def test_a_message_that_is_sent_again_does_not_interrupt_its_own_run(
    sdk: LangGraphClient, scripted: ScriptedOpenAI
) -> None:
    thread, message = await new_langgraph_thread(sdk), said("Count.", id=new_thread())
    with scripted.script.chat_gate.closed():
        first = await sdk.runs.create(thread, "chat", input=message)
        again = await sdk.runs.create(thread, "chat", input=message, multitask_strategy="interrupt")
    assert again["run_id"] == first["run_id"]
    await sdk.runs.join(thread, first["run_id"])
    assert [run["status"] for run in await sdk.runs.list(thread)] == ["success"]


async def test_a_failed_run_reports_an_error_and_is_retried_without_input(
    sdk: LangGraphClient, scripted: ScriptedOpenAI
) -> None:
    thread = await new_langgraph_thread(sdk)
    scripted.script.chat_status = 401
    parts = await collect(sdk.runs.stream(thread, "chat", input=said("Count.")))
    assert parts[-1][0] == "error"
    assert parts[-1][1]["error"] == "model_key_refused"
    assert (await sdk.threads.get(thread))["status"] == "error"
    assert [one["thread_id"] for one in await sdk.threads.search(status="error")] == [thread]
    with pytest.raises(Exception, match="model_key_refused: The model's server refused"):
        await sdk.runs.wait(thread, "chat", input=None)
    scripted.script.chat_status = 200
    state = cast("Any", await sdk.runs.wait(thread, "chat", input=None))
    assert [message["content"] for message in state["messages"]] == ["Count.", WORDS]
    with pytest.raises(httpx.HTTPStatusError, match="422"):
        await sdk.runs.wait(thread, "chat", input=None)


async def test_a_message_that_is_sent_again_is_not_answered_again(
    sdk: LangGraphClient, scripted: ScriptedOpenAI
) -> None:
    thread = await new_langgraph_thread(sdk)
    for identifier in (new_thread(), "message-1"):
        states = [await sdk.runs.wait(thread, "chat", input=said("Count.", id=identifier)) for _ in range(2)]
        assert states[0] == states[1]
        created = await sdk.runs.create(thread, "chat", input=said("Count.", id=identifier))
        assert created["status"] == "success"
    assert len(scripted.chat_requests()) == 2


async def test_earlier_messages_of_the_thread_may_be_sent_again(sdk: LangGraphClient, scripted: ScriptedOpenAI) -> None:
    thread = await new_langgraph_thread(sdk)
    earlier = cast("Any", await sdk.runs.wait(thread, "chat", input=said("Count.")))["messages"]
    resent = {"messages": [*earlier, *said("Again.")["messages"]]}
    state = cast("Any", await sdk.runs.wait(thread, "chat", input=resent))
    assert [message["content"] for message in state["messages"]] == ["Count.", WORDS, "Again.", WORDS]
    assert len(scripted.chat_requests()) == 2


async def test_a_run_without_a_thread_makes_one(sdk: LangGraphClient) -> None:
    runs = list[Any]()
    state = cast("Any", await sdk.runs.wait(None, "chat", input=said("Count."), on_run_created=runs.append))
    assert len(state["messages"]) == 2
    assert contents(await sdk.threads.get(runs[0]["thread_id"])) == ["Count.", WORDS]
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        await sdk.runs.wait(new_thread(), "chat", input=said("Count."))
    created = await sdk.runs.wait(new_thread(), "chat", input=said("Count."), if_not_exists="create")
    assert len(cast("Any", created)["messages"]) == 2
