"""The only assistant, and how clients of the LangGraph API sign in."""

from typing import Any, cast

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from support.client import ApiClient


async def test_the_server_has_one_assistant(sdk: LangGraphClient) -> None:
    [assistant] = cast("list[Any]", await sdk.assistants.search(graph_id="chat"))
    assert await sdk.assistants.get(assistant["assistant_id"]) == assistant == await sdk.assistants.get("chat")
    assert await sdk.assistants.search(graph_id="other") == []
    assert await sdk.assistants.count() == 1
    assert len(await sdk.assistants.get_versions("chat")) == 1
    assert await sdk.assistants.get_subgraphs("chat") == {}
    schemas = await sdk.assistants.get_schemas("chat")
    assert "messages" in cast("Any", schemas["input_schema"])["properties"]
    with pytest.raises(NotFoundError):
        await sdk.assistants.get("other")


async def test_a_key_in_the_header_of_langgraphs_clients_signs_in(api_url: str, user: ApiClient) -> None:
    key = (await user.http.post("/me/keys", json={"name": "LangGraph"})).json()["key"]
    for credentials in (key, user.token):
        async with get_client(url=api_url, api_key=credentials) as client:
            assert await client.threads.search() == []


async def test_requests_without_a_valid_key_are_rejected(api_url: str, user: ApiClient) -> None:
    async with httpx.AsyncClient(base_url=api_url) as http:
        assert [(await http.get(path)).status_code for path in ("/ok", "/info")] == [200, 200]
        assert (await http.post("/threads", json={})).json()["code"] == "token_missing"
        refused = await http.post("/threads", json={}, headers={"x-api-key": "wrong"})
        assert refused.json()["code"] == "token_invalid"
        twice = [("x-api-key", user.token), ("x-api-key", user.token)]
        assert (await http.post("/threads", json={}, headers=twice)).status_code == 401
        elsewhere = api_url.removesuffix("/langgraph") + "/threads"
        assert (await http.get(elsewhere, headers={"x-api-key": user.token})).status_code == 401
