"""The `openai` package for JavaScript and Vercel's AI SDK as clients."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.client import ApiClient
from support.model_script import Message
from support.node import install, run_script
from support.scripted_openai import ScriptedOpenAI, ToolCall

FOLDER = Path(__file__).parent / "openai_js"


@pytest.fixture(scope="module", autouse=True)
def _packages() -> None:
    install(FOLDER)


def reply(messages: Sequence[Message]) -> str | list[ToolCall]:
    if messages[-1]["role"] == "tool":
        return f"It is {messages[-1]['content']}.".replace('"', "")
    if "weather" in messages[-1]["content"]:
        return [ToolCall("get_weather", {"city": "Oslo"})]
    return "One two three"


async def run(program: str, base_url: str, key: str) -> Any:  # noqa: ANN401 - JSON
    """Run a program of the folder, and return the JSON that it prints."""
    return json.loads(await asyncio.to_thread(run_script, FOLDER, program, base_url, key))


async def inbox(user: ApiClient) -> list[str]:
    lines = (await user.http.get("/memories/export")).raise_for_status().text.splitlines()
    return sorted(one["text"] for one in map(json.loads, lines) if one.get("place") == "inbox")


async def test_the_openai_package_is_served(scripted: ScriptedOpenAI, user: ApiClient, base_url: str, key: str) -> None:
    scripted.script.reply = reply
    result = await run("openai_sdk.mjs", base_url, key)
    assert result["models"] == ["scripted"]
    assert {result[name] for name in ("text", "streamed", "response", "streamedResponse")} == {"One two three"}
    assert result["streamedTokens"] > 0
    assert result["withTool"] == "It is sunny in Oslo."
    assert result["codes"] == [
        ["NotFoundError", "model_not_found"],
        ["AuthenticationError", "invalid_api_key"],
        ["BadRequestError", "invalid_request"],
    ]
    assert await inbox(user) == ["Count.", "I live in Oslo.", "Which weather?"]
    assert (await user.send("Where do I live?")).recalled == ["I live in Oslo."]


async def test_the_ai_sdk_is_served(scripted: ScriptedOpenAI, user: ApiClient, base_url: str, key: str) -> None:
    scripted.script.reply = reply
    result = await run("ai_sdk.mjs", base_url, key)
    assert {result[name] for name in ("streamed", "response", "streamedResponse")} == {"One two three"}
    assert result["streamFinish"] == "stop"
    assert result["streamTokens"] > 0
    assert result["withTool"] == "It is sunny in Oslo."
    assert result["toolSteps"] == ["tool-calls", "stop"]
    assert (result["isCallError"], result["errorStatus"]) == (True, 404)
    assert result["errorMessage"].startswith("The model does not exist.")
    assert (await user.send("Where do I live?")).recalled == ["I live in Oslo."]
