"""The store of the LangGraph API, as `langgraph_sdk` uses it."""

from typing import Any, cast

import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import UnprocessableEntityError

from support.client import ApiClient


async def test_items_are_kept_in_namespaces_of_the_client(sdk: LangGraphClient) -> None:
    for key, text in (("1", "Bees need water."), ("2", "Trains are late.")):
        await sdk.store.put_item(("notes", "garden"), key, {"text": text, "n": int(key)})
    await sdk.store.put_item(("settings",), "theme", {"dark": True}, index=False)
    item = await sdk.store.get_item(("notes", "garden"), "1")
    assert (item["value"], item["namespace"]) == ({"text": "Bees need water.", "n": 1}, ["notes", "garden"])

    async def found(*prefix: str, **search: Any) -> list[str]:  # noqa: ANN401 - the arguments of the search
        return [one["key"] for one in (await sdk.store.search_items(prefix, **search))["items"]]

    assert await found("notes") == ["2", "1"]
    assert sorted(await found()) == ["1", "2", "theme"]
    assert await found("notes", filter={"n": {"$gt": 1}}) == ["2"]
    assert await found("notes", limit=1, offset=1) == ["1"]
    assert (await found("notes", query="Bees need water."))[0] == "1"
    listed = (await sdk.store.list_namespaces())["namespaces"]
    assert listed == [["notes", "garden"], ["settings"]]
    assert (await sdk.store.list_namespaces(["notes"], max_depth=1))["namespaces"] == [["notes"]]
    await sdk.store.delete_item(("notes", "garden"), "1")
    assert cast("Any", await sdk.store.get_item(("notes", "garden"), "1")) is None


async def test_memories_are_read_through_the_store_and_not_written(sdk: LangGraphClient, user: ApiClient) -> None:
    memory = (await user.http.post("/memories", json={"text": "Keeps bees"})).json()
    await sdk.store.put_item(("users",), "1", {"text": "not a memory"})
    [found] = (await sdk.store.search_items(("memories",), query="bees"))["items"]
    assert (found["key"], found["value"]["text"]) == (memory["id"], "Keeps bees")
    item = await sdk.store.get_item(("memories", "user"), memory["id"])
    assert item["value"]["text"] == "Keeps bees"
    assert cast("Any", await sdk.store.get_item(("memories", "episodic"), memory["id"])) is None
    for write in (
        sdk.store.put_item(("memories", "user"), memory["id"], {"text": "Keeps wasps"}),
        sdk.store.delete_item(("memories", "user"), memory["id"]),
        sdk.store.search_items(("memories", "inbox")),
    ):
        with pytest.raises(UnprocessableEntityError):
            await write
    assert [one["text"] for one in await user.memories()] == ["Keeps bees"]
