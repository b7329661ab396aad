"""Threads and their states in the LangGraph API, as `langgraph_sdk` uses them."""

import asyncio
from typing import Any, cast

import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError, UnprocessableEntityError

from contract.langgraph_api.conftest import WORDS
from support.client import ApiClient, new_thread
from support.langgraph_client import contents, new_langgraph_thread, said
from support.scripted_openai import ScriptedOpenAI


async def test_threads_are_created_changed_and_deleted(sdk: LangGraphClient, user: ApiClient) -> None:
    thread = new_thread()
    created = await sdk.threads.create(thread_id=thread, metadata={"title": "Bees", "project": {"id": 7}})
    assert (created["thread_id"], created["status"]) == (thread, "idle")
    with pytest.raises(ConflictError):
        await sdk.threads.create(thread_id=thread)
    again = await sdk.threads.create(thread_id=thread, if_exists="do_nothing")
    assert again["metadata"] == created["metadata"]
    listed = (await user.http.get("/threads")).json()["items"]
    assert [(one["thread_id"], one["title"]) for one in listed] == [(thread, "Bees")]
    updated = cast("Any", await sdk.threads.update(thread, metadata={"title": "Wasps", "done": True}))
    assert updated["metadata"].items() >= {"title": "Wasps", "done": True, "project": {"id": 7}}.items()
    minimal = cast("Any", sdk.threads.update(thread, metadata={}, return_minimal=True))
    assert await minimal is None
    await sdk.threads.delete(thread)
    with pytest.raises(NotFoundError):
        await sdk.threads.get(thread)
    assert await sdk.threads.count() == 0


@pytest.mark.parametrize("title", [" ", "x" * 201, "a\0b", 5])
async def test_metadata_is_unchanged_if_its_title_is_invalid(sdk: LangGraphClient, title: object) -> None:
    thread = await new_langgraph_thread(sdk, title="Bees", done=False)
    with pytest.raises(UnprocessableEntityError):
        await sdk.threads.update(thread, metadata={"title": title, "done": True})
    unchanged = cast("Any", await sdk.threads.get(thread))["metadata"]
    assert unchanged.items() >= {"title": "Bees", "done": False}.items()


async def test_threads_are_found_by_metadata_status_and_id(sdk: LangGraphClient) -> None:
    older, newer = await new_langgraph_thread(sdk, project={"id": 7}, done=True), await new_langgraph_thread(sdk)
    await sdk.runs.wait(newer, "chat", input=said("Count."))

    async def found(**search: Any) -> list[str]:  # noqa: ANN401 - the arguments of the search
        return [thread["thread_id"] for thread in await sdk.threads.search(**search)]

    assert await found() == [newer, older]
    assert await found(sort_by="created_at", sort_order="asc") == [older, newer]
    assert await found(limit=1, offset=1) == [older]
    assert await found(metadata={"project": {"id": 7}, "graph_id": "chat"}) == [older]
    assert await found(metadata={"graph_id": "other"}) == await found(status="busy") == []
    assert await found(ids=[newer]) == [newer]
    assert await sdk.threads.count(metadata={"done": True}) == 1
    [opening] = await sdk.threads.search(ids=[newer], select=["values"])
    assert list(opening) == ["values"]
    assert contents(opening) == ["Count.", WORDS]


async def test_a_search_finds_the_threads_that_the_page_lists(sdk: LangGraphClient, user: ApiClient) -> None:
    parent, archived = await new_langgraph_thread(sdk), await new_langgraph_thread(sdk)
    await sdk.runs.wait(parent, "chat", input=said("Count.", id=(message := new_thread())))
    branch = (await user.http.post(f"/threads/{parent}/branches", json={"before": message})).json()["thread_id"]
    await user.http.patch(f"/threads/{archived}", json={"archived": True})
    listed = [thread["thread_id"] for thread in (await user.http.get("/threads")).json()["items"]]
    assert [thread["thread_id"] for thread in await sdk.threads.search()] == listed == [branch]
    assert await sdk.threads.count() == 1
    named = await sdk.threads.search(ids=[parent, archived])
    assert {thread["thread_id"] for thread in named} == {parent, archived}


async def test_the_history_of_a_thread_has_a_state_after_each_message(sdk: LangGraphClient) -> None:
    thread = await new_langgraph_thread(sdk)
    empty = cast("Any", await sdk.threads.get_state(thread))
    assert (empty["values"], empty["checkpoint"], await sdk.threads.get_history(thread)) == ({"messages": []}, None, [])
    for text in ("Count.", "Again."):
        await sdk.runs.wait(thread, "chat", input=said(text))
    history = cast("list[Any]", await sdk.threads.get_history(thread))
    assert [len(state["values"]["messages"]) for state in history] == [4, 3, 2, 1]
    assert await sdk.threads.get_state(thread) == history[0]
    for newer, older in zip(history, [*history[1:], None], strict=True):
        assert newer["parent_checkpoint"] == (older and older["checkpoint"])
        assert await sdk.threads.get_state(thread, checkpoint=newer["checkpoint"]) == newer
    second = history[1]["checkpoint"]
    assert await sdk.threads.get_history(thread, limit=1, before=second) == [history[2]]
    assert await sdk.threads.get_history(thread, checkpoint=second) == history[1:]
    with pytest.raises(NotFoundError):
        await sdk.threads.get_state(thread, checkpoint_id=new_thread())


async def test_messages_added_to_the_state_are_read_in_the_next_run_and_never_remembered(
    sdk: LangGraphClient, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    thread = await new_langgraph_thread(sdk)
    added = [{"type": "human", "content": "I live in Oslo."}, {"type": "ai", "content": "Noted."}]
    updated = await sdk.threads.update_state(thread, {"messages": added})
    state = cast("Any", await sdk.threads.get_state(thread))
    assert state["checkpoint"] == updated["checkpoint"]
    assert contents(state) == ["I live in Oslo.", "Noted."]
    assert (await user.http.get(f"/threads/{thread}")).json()["title"] == "I live in Oslo."
    await sdk.runs.wait(thread, "chat", input=said("Where do I live?"))
    prompt = [message["content"] for message in scripted.chat_requests()[-1].messages]
    assert prompt[-3:] == ["I live in Oslo.", "Noted.", "Where do I live?"]
    await user.flush()
    assert not any("Oslo" in memory["text"] for memory in await user.memories())


async def test_the_state_of_a_thread_is_not_changed_during_a_run_or_twice(
    sdk: LangGraphClient, scripted: ScriptedOpenAI
) -> None:
    thread, update = await new_langgraph_thread(sdk), said("Hello.", id=new_thread())
    with scripted.script.chat_gate.closed():
        run = await sdk.runs.create(thread, "chat", input=said("Wait."))
        with pytest.raises(ConflictError):
            await sdk.threads.update_state(thread, update)
    await sdk.runs.join(thread, run["run_id"])
    await sdk.threads.update_state(thread, update)
    with pytest.raises(ConflictError):
        await sdk.threads.update_state(thread, update)
    assert contents(await sdk.threads.get_state(thread)) == ["Wait.", WORDS, "Hello."]


async def test_a_completion_does_not_hold_its_thread(
    sdk: LangGraphClient, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    thread = await new_langgraph_thread(sdk)
    body = {"messages": [{"role": "user", "content": "Count."}], "metadata": {"thread_id": thread}}
    with scripted.script.chat_gate.closed():
        completion = asyncio.create_task(user.http.post("/v1/chat/completions", json=body))
        await scripted.wait_for_chat("Count.")
        assert (await sdk.threads.get(thread))["status"] == "idle"
        assert await sdk.threads.search(status="busy") == []
        assert await sdk.runs.list(thread) == []
        await sdk.threads.update_state(thread, said("Hello."))
    assert (await completion).is_success
    scripted.script.chat_status = 401
    assert (await user.http.post("/v1/chat/completions", json=body)).is_error
    assert (await sdk.threads.get(thread))["status"] == "idle"


async def test_a_search_finds_no_conversations_that_their_clients_keep(sdk: LangGraphClient, user: ApiClient) -> None:
    thread = await new_langgraph_thread(sdk)
    body = {"messages": [{"role": "user", "content": "Count."}]}
    (await user.http.post("/v1/chat/completions", json=body)).raise_for_status()
    assert [found["thread_id"] for found in await sdk.threads.search()] == [thread]
    assert await sdk.threads.count() == 1
