"""A gateway for each module, two users, and calls of the tools."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from mcp import Client
from mcp.types import TextContent

from conftest import Databases, make_settings
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway


@pytest.fixture(scope="module")
def offline(databases: Databases) -> Iterator[RunningGateway]:
    with RunningGateway(make_settings(databases.create("minilm"))) as gateway:
        yield gateway


@pytest.fixture
async def ada(offline: RunningGateway) -> AsyncIterator[ApiClient]:
    async with signed_in(offline.url) as client:
        yield client


@pytest.fixture
async def bob(offline: RunningGateway) -> AsyncIterator[ApiClient]:
    async with signed_in(offline.url) as client:
        yield client


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """Call a tool and return its structured content."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return dict(result.structured_content or {})


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """Call a tool that fails, and return the text that the model receives."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def recalled(client: Client, query: str) -> list[str]:
    """The texts that a recall returns."""
    return [memory["text"] for memory in (await call(client, "recall", query=query))["memories"]]
