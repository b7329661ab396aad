"""What a user says through the LangGraph API is recalled in every client of that user only."""

from collections.abc import AsyncIterator
from typing import Any, cast

import httpx
import psycopg
import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from support.client import ApiClient
from support.gateway import RunningGateway
from support.langgraph_client import langgraph_client, new_langgraph_thread, said


@pytest.fixture
async def sdk(ada: ApiClient, shared_gateway: RunningGateway) -> AsyncIterator[LangGraphClient]:
    async with langgraph_client(f"{shared_gateway.url}/langgraph", ada) as client:
        yield client


@pytest.fixture
async def bobs_sdk(bob: ApiClient, shared_gateway: RunningGateway) -> AsyncIterator[LangGraphClient]:
    async with langgraph_client(f"{shared_gateway.url}/langgraph", bob) as client:
        yield client


async def _ask(sdk: LangGraphClient, text: str, **configurable: object) -> str:
    thread = await new_langgraph_thread(sdk)
    config = cast("Any", {"configurable": configurable})
    state = cast("Any", await sdk.runs.wait(thread, "chat", input=said(text), config=config))
    return str(state["messages"][-1]["content"])


async def test_what_is_said_in_one_api_is_recalled_in_the_other(sdk: LangGraphClient, ada: ApiClient) -> None:
    await _ask(sdk, "I live in Oslo.")
    assert "Oslo" in (await ada.send("Where do I live?")).text
    await ada.send("I play the violin.")
    assert "violin" in await _ask(sdk, "Which instrument do I play?")


async def test_the_id_of_another_user_in_a_request_is_ignored(
    sdk: LangGraphClient, bobs_sdk: LangGraphClient, ada: ApiClient, bob: ApiClient, shared_gateway: RunningGateway
) -> None:
    thread = await new_langgraph_thread(sdk)
    await sdk.runs.wait(thread, "chat", input=said("I live in Oslo."))
    with psycopg.connect(shared_gateway.database) as connection:
        row = connection.execute("SELECT user_id FROM threads WHERE id = %s", [thread]).fetchone()
    assert row
    ids = {"user_id": row[0], "thread_id": thread, "langgraph_auth_user_id": row[0]}
    assert "Oslo" not in await _ask(bobs_sdk, "Where do I live?", **ids)
    await _ask(bobs_sdk, "I live in Rome.", **ids)
    assert "Rome" in (await bob.send("Where do I live?")).text
    assert "Rome" not in (await ada.send("Where do I live?")).text


async def test_a_run_without_memory_neither_recalls_nor_remembers(sdk: LangGraphClient, ada: ApiClient) -> None:
    await _ask(sdk, "I live in Oslo.")
    assert "Oslo" not in await _ask(sdk, "Where do I live?", memory=False)
    await _ask(sdk, "I play the violin.", memory=False)
    assert "violin" not in (await ada.send("Which instrument do I play?")).text


async def test_the_id_of_another_users_thread_is_of_no_use(sdk: LangGraphClient, bobs_sdk: LangGraphClient) -> None:
    thread = await new_langgraph_thread(sdk)
    await sdk.runs.wait(thread, "chat", input=said("I live in Oslo."))
    for if_exists in ("raise", "do_nothing"):
        with pytest.raises(NotFoundError):
            await bobs_sdk.threads.create(thread_id=thread, if_exists=cast("Any", if_exists))
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        await bobs_sdk.runs.wait(thread, "chat", input=said("Where do I live?"), if_not_exists="create")
    assert await bobs_sdk.threads.search(ids=[thread]) == []
    assert len(cast("Any", await sdk.threads.get_state(thread))["values"]["messages"]) == 2


async def test_items_of_the_store_belong_to_one_user(
    sdk: LangGraphClient, bobs_sdk: LangGraphClient, ada: ApiClient
) -> None:
    await sdk.store.put_item(("notes",), "1", {"text": "Ada's bees"})
    assert cast("Any", await bobs_sdk.store.get_item(("notes",), "1")) is None
    assert (await bobs_sdk.store.search_items((), query="bees"))["items"] == []
    assert (await bobs_sdk.store.list_namespaces())["namespaces"] == []
    await bobs_sdk.store.put_item(("notes",), "1", {"text": "Bob's"})
    await bobs_sdk.store.delete_item(("notes",), "1")
    assert (await sdk.store.get_item(("notes",), "1"))["value"] == {"text": "Ada's bees"}
    assert "bees" not in (await ada.send("What do you know about bees?")).text  # an item is no memory
    await ada.http.delete("/me")
    assert cast("Any", await sdk.store.get_item(("notes",), "1")) is None
