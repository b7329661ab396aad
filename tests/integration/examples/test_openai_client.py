"""The example with the OpenAI client, against a gateway over HTTP."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from openai import AsyncOpenAI

from support.client import signed_in
from support.example_model import answer_from_memory
from support.gateway import RunningGateway
from support.model_script import Message, ToolCall
from support.scripted_openai import ScriptedOpenAI

sys.path.append(str(Path(__file__).parents[3]))

from examples import openai_client


@asynccontextmanager
async def _client(gateway: RunningGateway, user: str) -> AsyncIterator[AsyncOpenAI]:
    async with signed_in(gateway.url, user) as api:
        created = await api.http.post("/me/keys", json={"name": "shop"})
        async with AsyncOpenAI(base_url=f"{gateway.url}/v1", api_key=created.json()["key"]) as client:
            yield client


async def test_the_app_remembers_its_user_in_the_next_conversation(gateway: RunningGateway) -> None:
    async def ask(user: str, *messages: str) -> str:
        async with _client(gateway, user) as client:
            return (await openai_client.chat(client, "scripted", messages))[-1]

    assert "violin" in await ask("ada", "I play the violin.", "Do I play the violin?")
    assert "violin" in await ask("ada", "Do I play the violin?")
    assert "violin" not in await ask("bob", "Do I play the violin?")


async def test_the_app_executes_its_own_function(gateway: RunningGateway, model: ScriptedOpenAI) -> None:
    def reply(messages: list[Message]) -> str | list[ToolCall]:
        if messages[-1]["role"] == "tool":
            return f"On Monday the shop is {messages[-1]['content']}."
        if "open" in messages[-1]["content"]:
            return [ToolCall("opening_hours", {"day": "Monday"})]
        return answer_from_memory(messages)

    model.script.reply = reply
    async with _client(gateway, "ada") as client:
        answers = await openai_client.chat(client, "scripted", ["Are you open on Monday?"])
    assert answers == ["On Monday the shop is closed."]
