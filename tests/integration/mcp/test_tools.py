"""Tools, resources and the prompt, with the client of the MCP SDK."""

import json
import uuid

import pytest
from mcp import MCPError
from mcp.types import TextContent, TextResourceContents

from integration.mcp.conftest import call, recalled, refusal
from support.client import ApiClient
from support.gateway import RunningGateway
from support.mcp_client import Mode, mcp_client

MODES: list[Mode] = ["legacy", "2026-07-28"]


@pytest.mark.parametrize("mode", MODES)
async def test_what_the_user_said_in_a_chat_is_recalled_at_once_and_after_formation(
    offline: RunningGateway, ada: ApiClient, mode: Mode
) -> None:
    await ada.send("I live in Oslo.")
    async with mcp_client(offline.url, ada.token, mode=mode) as client:
        assert await recalled(client, "Where does the user live?") == ["I live in Oslo."]
        await ada.flush()
        assert await recalled(client, "Where does the user live?") == ["Lives in Oslo"]


async def test_tools_tell_whether_they_only_read_and_whether_they_destroy(
    offline: RunningGateway, ada: ApiClient
) -> None:
    async with mcp_client(offline.url, ada.token) as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
        hints = {name: (one.read_only_hint, one.destructive_hint) for name, one in tools.items() if one}
    assert hints == {
        "recall": (True, None),
        "list_memories": (True, None),
        "remember": (False, False),
        "forget": (False, True),
    }


async def test_memories_are_listed_by_kind_and_page(offline: RunningGateway, ada: ApiClient) -> None:
    for number in range(51):
        await ada.http.post("/memories", json={"text": f"Owns book number {number}"})
    await ada.http.post("/memories", json={"text": "Answer briefly", "kind": "procedural"})
    async with mcp_client(offline.url, ada.token) as client:
        first = await call(client, "list_memories", kind="user")
        second = await call(client, "list_memories", kind="user", cursor=first["next_cursor"])
        other = await call(client, "list_memories", kind="procedural")
        assert "cursor" in await refusal(client, "list_memories", cursor="x")
    assert (len(first["items"]), len(second["items"]), second["next_cursor"]) == (50, 1, None)
    assert [memory["text"] for memory in other["items"]] == ["Answer briefly"]


async def test_forgotten_memories_can_be_restored(offline: RunningGateway, ada: ApiClient) -> None:
    await ada.http.post("/memories", json={"text": "Plays the violin"})
    await ada.send("I keep two cats.")
    async with mcp_client(offline.url, ada.token) as client:
        found = (await call(client, "recall", query="violin and cats", limit=2))["memories"]
        assert {one["kind"] for one in found} == {"user", "inbox"}
        ids = [one["id"] for one in found]
        forgotten = await call(client, "forget", ids=[*ids, str(uuid.uuid4())])
        assert sorted(forgotten["forgotten"]) == ["I keep two cats.", "Plays the violin"]
        assert await recalled(client, "violin and cats") == []
        assert (await call(client, "forget", ids=ids))["forgotten"] == []
        assert "invalid" in await refusal(client, "forget", ids=["violin"])
    violin = next(one["id"] for one in found if one["kind"] == "user")
    assert (await ada.http.post(f"/memories/{violin}/undo")).json()["text"] == "Plays the violin"


async def test_resources_and_prompt_describe_the_user(offline: RunningGateway, ada: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the\nviolin"})).json()
    async with mcp_client(offline.url, ada.token) as client:
        [resource] = (await client.list_resources()).resources
        [template] = (await client.list_resource_templates()).resource_templates
        assert (resource.uri, template.uri_template) == ("memory://profile", "memory://memories/{memory_id}")
        [profile] = (await client.read_resource("memory://profile")).contents
        assert isinstance(profile, TextResourceContents)
        assert json.loads(profile.text) == (await ada.http.get("/profile")).json()
        [one] = (await client.read_resource(f"memory://memories/{memory['id']}")).contents
        assert isinstance(one, TextResourceContents)
        assert json.loads(one.text) == memory
        [message] = (await client.get_prompt("about_me")).messages
        assert isinstance(message.content, TextContent)
        assert message.content.text.splitlines()[1:] == ["- Plays the violin"]
        for unknown in (uuid.uuid4(), "violin"):
            with pytest.raises(MCPError):
                await client.read_resource(f"memory://memories/{unknown}")


async def test_while_memory_is_paused_nothing_is_recalled_and_nothing_is_saved(
    offline: RunningGateway, ada: ApiClient
) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    await ada.http.patch("/me", json={"memory_enabled": False})
    async with mcp_client(offline.url, ada.token) as client:
        assert "paused" in await refusal(client, "recall", query="violin")
        assert "paused" in await refusal(client, "list_memories")
        assert "paused" in await refusal(client, "remember", text="Plays the harp")
        for uri in ("memory://profile", f"memory://memories/{memory}"):
            with pytest.raises(MCPError, match="paused"):
                await client.read_resource(uri)
        [message] = (await client.get_prompt("about_me")).messages
        assert "violin" not in str(message.content)
    assert [one["text"] for one in await ada.memories()] == ["Plays the violin"]


async def test_another_users_memories_can_be_neither_found_nor_read_nor_forgotten(
    offline: RunningGateway, ada: ApiClient, bob: ApiClient
) -> None:
    await ada.send("I live in Oslo.")
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    pending = str(uuid.uuid4())
    await ada.send("I keep two cats.", id=pending)
    async with mcp_client(offline.url, bob.token) as client:
        assert await recalled(client, "Oslo violin cats") == []
        assert (await call(client, "list_memories"))["items"] == []
        assert (await call(client, "forget", ids=[memory, pending]))["forgotten"] == []
        errors = []
        for one in (memory, uuid.uuid4()):
            with pytest.raises(MCPError) as caught:
                await client.read_resource(f"memory://memories/{one}")
            errors.append((caught.value.error.code, caught.value.error.message))
        assert errors[0] == errors[1]
        assert "violin" not in str((await client.get_prompt("about_me")).messages)
        await call(client, "remember", text="Plays the harp")
    assert [one["text"] for one in await ada.memories()] == ["Plays the violin"]
    async with mcp_client(offline.url, ada.token) as client:
        assert "I keep two cats." in await recalled(client, "cats")
        assert "Plays the harp" not in await recalled(client, "harp")
