"""Long threads, repair, notes and tools in `langgraph dev`, which provides its own checkpointer."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.schema import Config

from agent.chat import compression, notes
from agent.chat.repair import STUB_RESULT
from agent.models.tokens import count_tokens
from support.langgraph_dev import langgraph_dev
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall
from support.searxng import Searx

MAX_TOKENS = 2_000
FILLER = "words that fill the window " * 50


@pytest.fixture(scope="module")
def searx() -> Iterator[Searx]:
    with Searx() as running:
        yield running


@pytest.fixture(scope="module")
def server(searx: Searx, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ScriptedOpenAI]]:
    settings = {"KEEPSAKE_CONTEXT_MAX_TOKENS": str(MAX_TOKENS), "SEARXNG_URL": searx.url}
    with ScriptedOpenAI() as model, langgraph_dev(model, tmp_path_factory.mktemp("langgraph"), **settings) as url:
        yield url, model


@pytest.fixture
def model(server: tuple[str, ScriptedOpenAI]) -> ScriptedOpenAI:
    server[1].reset()
    return server[1]


@pytest.fixture
async def client(server: tuple[str, ScriptedOpenAI]) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=server[0]) as opened:
        yield opened


def _run_arguments(text: str, user: str, *, web_search: bool = False) -> dict[str, Any]:
    return {
        "input": {"messages": [{"role": "user", "content": text}]},
        "config": Config(configurable={"user_id": user, "web_search": web_search}),
    }


async def _new_thread(client: LangGraphClient) -> str:
    return str((await client.threads.create())["thread_id"])


async def _send(client: LangGraphClient, thread: str, text: str, user: str = "ada", *, web_search: bool = False) -> str:
    state: Any = await client.runs.wait(thread, "chat", **_run_arguments(text, user, web_search=web_search))
    return str(state["messages"][-1]["content"])


def _answers(model: ScriptedOpenAI) -> list[list[Message]]:
    prompts = [request.messages for request in model.chat_requests()]
    return [prompt for prompt in prompts if not str(prompt[0]["content"]).startswith("You keep the running summary")]


async def test_a_long_thread_is_trimmed_summarised_and_noted(client: LangGraphClient, model: ScriptedOpenAI) -> None:
    def reply(messages: list[Message]) -> str:
        if str(messages[0]["content"]).startswith("You keep the running summary"):
            return "User counted.\n\nThey have a boat called Amelie."
        return "We decided to use SQLite." if "Number 0" in str(messages[-1]["content"]) else "Yes."

    model.script.reply = reply
    thread = await _new_thread(client)
    for n in range(6):
        await _send(client, thread, f"Number {n}: {FILLER}")
    for messages in _answers(model):
        assert sum(count_tokens(str(message["content"])) + 4 for message in messages) <= MAX_TOKENS
    system = str(_answers(model)[-1][0]["content"])
    assert system.count(compression.SUMMARY_HEADER) == 1
    assert "They have a boat called Amelie." in system
    assert notes.NOTES_HEADER in system
    state: Any = await client.threads.get_state(thread)
    assert 0 < len(state["values"]["messages"]) < 8
    assert not {"item", "tip"} & state["values"].keys()


async def test_a_run_cancelled_during_a_tool_call_leaves_a_usable_thread(
    client: LangGraphClient, model: ScriptedOpenAI, searx: Searx
) -> None:
    model.script.reply = lambda _: [ToolCall("web_search", {"query": "bees"})]
    thread = await _new_thread(client)
    with searx.gate.closed():
        run = await client.runs.create(thread, "chat", **_run_arguments("Search.", "ada", web_search=True))
        await searx.queries.wait_until_async(bool)
        await client.runs.cancel(thread, run["run_id"], wait=True)
    model.script.reply = lambda _: "Hello again."
    assert await _send(client, thread, "Are you there?") == "Hello again."
    *_, call, result, _ = model.chat_requests()[-1].messages
    assert result["tool_call_id"] == call["tool_calls"][0]["id"]
    assert result["content"] == STUB_RESULT


async def test_the_memory_tools_reach_only_the_users_own_memory(client: LangGraphClient, model: ScriptedOpenAI) -> None:
    def script_call(name: str, **arguments: object) -> None:
        def reply(messages: list[Message]) -> str | Sequence[ToolCall]:
            last = messages[-1]
            return str(last["content"]) if last["role"] == "tool" else [ToolCall(name, arguments)]

        model.script.reply = reply

    script_call("remember", text="Keeps bees", quote="I keep bees")
    assert await _send(client, await _new_thread(client), "I keep bees, you know.", "eve") == "Remembered: Keeps bees"
    script_call("find_memories", query="Keeps bees")
    assert "Keeps bees" in await _send(client, await _new_thread(client), "What do I keep?", "eve")
    assert "Keeps bees" not in await _send(client, await _new_thread(client), "What do I keep?", "mallory")
    model.script.reply = lambda messages: str(messages[-2]["content"])  # what was done for the message
    assert "Forgotten" in await _send(client, await _new_thread(client), "Forget that I keep bees.", "eve")
    found = await client.store.search_items(("users", "eve", "memories", "user"))
    assert not any(item["value"]["text"] == "Keeps bees" for item in found["items"])
