"""The client of the MCP SDK, signed in to a gateway."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation

Mode = Literal["legacy", "2026-07-28"]
"""Revisions of the protocol: with a handshake, and without."""


@asynccontextmanager
async def mcp_client(
    url: str, token: str, *, mode: Mode = "2026-07-28", name: str = "Example Editor", user_agent: str = "editor/1.0"
) -> AsyncIterator[Client]:
    """Connect to `/mcp`."""
    headers = {"Authorization": f"Bearer {token}", "User-Agent": user_agent}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(
            streamable_http_client(f"{url}/mcp", http_client=http),
            mode=mode,
            client_info=Implementation(name=name, version="1"),
        ) as client,
    ):
        yield client
