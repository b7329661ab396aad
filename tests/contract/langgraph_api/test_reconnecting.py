"""LangGraph's clients reconnect to a run by themselves after a connection is cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast
from urllib.parse import urlsplit

import pytest
from langgraph_sdk.client import LangGraphClient

from contract.langgraph_api.conftest import WORDS
from support.client import ApiClient
from support.langgraph_client import collect, langgraph_client, new_langgraph_thread, said
from support.scripted_openai import ScriptedOpenAI


class CuttingProxy:
    """Forwards connections to a server, and cuts the first one whose response contains a text."""

    def __init__(self, host: str, port: int, text: bytes) -> None:
        self._target = (host, port)
        self._text = text
        self.cuts = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        """Serve on a free port; yields the URL."""
        server = await asyncio.start_server(self._forward, "127.0.0.1", 0)
        async with server:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(*self._target)
        request = asyncio.create_task(self._copy(reader, up_writer))
        try:
            while data := await up_reader.read(65_536):
                writer.write(data)
                await writer.drain()
                if self._text in data and not self.cuts:
                    self.cuts += 1
                    break
        finally:
            request.cancel()
            for end in (writer, up_writer):
                end.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()


@pytest.mark.timeout(120)
async def test_a_client_whose_connection_is_cut_receives_the_rest_of_the_answer(
    sdk: LangGraphClient, api_url: str, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    thread, target = await new_langgraph_thread(sdk), urlsplit(api_url)
    proxy = CuttingProxy(cast("str", target.hostname), cast("int", target.port), b'"one "')
    scripted.script.hold_after_tokens = 1
    async with proxy.running() as url, langgraph_client(f"{url}/langgraph", user) as client:
        with scripted.script.chat_gate.closed():
            stream = client.runs.stream(thread, "chat", input=said("Count."), stream_mode="messages-tuple")
            first = [await anext(stream), await anext(stream)]
        parts = [(part.event, part.data) for part in first] + await collect(stream)
    assert proxy.cuts == 1
    assert [name for name, _ in parts].count("metadata") == 1
    assert "".join(data[0]["content"] for name, data in parts if name == "messages") == WORDS
    assert parts[-1][0] == "end"
