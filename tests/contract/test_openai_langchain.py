"""LangChain's `ChatOpenAI` as a client."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr

from support.client import ApiClient
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall


@pytest.fixture
async def chat(base_url: str, key: str) -> AsyncIterator[ChatOpenAI]:
    # By default, LangChain shares a client between event loops.
    async with openai.DefaultAsyncHttpxClient() as http:
        yield ChatOpenAI(
            model="scripted",
            base_url=base_url,
            api_key=SecretStr(key),
            max_retries=0,
            stream_usage=True,
            http_async_client=http,
        )


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


class City(BaseModel):
    """A city."""

    name: str


async def test_messages_are_answered_and_remembered(
    chat: ChatOpenAI, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    scripted.script.reply = lambda _: "One two three"
    answer = await chat.ainvoke([("system", "Be brief."), ("user", "I live in Oslo.")])
    assert answer.text == "One two three"
    assert isinstance(answer, AIMessage)
    assert answer.usage_metadata
    assert answer.usage_metadata["output_tokens"] > 0
    chunks = [chunk async for chunk in chat.astream("Count.")]
    assert "".join(chunk.text for chunk in chunks) == "One two three"
    assert (await user.send("Where do I live?")).recalled == ["I live in Oslo."]


async def test_an_agent_uses_its_own_tools(chat: ChatOpenAI, scripted: ScriptedOpenAI) -> None:
    def reply(messages: Sequence[Message]) -> str | list[ToolCall]:
        if messages[-1]["role"] == "tool":
            return f"It is {messages[-1]['content']}."
        return [ToolCall("get_weather", {"city": "Oslo"})]

    scripted.script.reply = reply
    bound = chat.bind_tools([get_weather])
    question = HumanMessage("Which weather?")
    first = await bound.ainvoke([question])
    assert isinstance(first, AIMessage)
    [call] = first.tool_calls
    result = ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"])
    assert (await bound.ainvoke([question, first, result])).text == "It is sunny in Oslo."


@pytest.mark.parametrize("method", ["function_calling", "json_schema"])
async def test_structured_output_is_parsed(chat: ChatOpenAI, scripted: ScriptedOpenAI, method: str) -> None:
    scripted.script.reply = lambda _: [ToolCall("City", {"name": "Oslo"})]
    scripted.script.structured = lambda _, __: {"name": "Oslo"}
    structured = chat.with_structured_output(City, method=method)  # type: ignore[arg-type]  # one of its literals
    assert await structured.ainvoke("Which city?") == City(name="Oslo")


async def test_batches_of_the_same_message_are_answered(chat: ChatOpenAI) -> None:
    answers = await asyncio.gather(*(chat.ainvoke("Hello.") for _ in range(3)))
    assert len({answer.text for answer in answers}) == 1


async def test_a_rejected_request_is_raised(chat: ChatOpenAI) -> None:
    image = HumanMessage([{"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}}])
    with pytest.raises(openai.BadRequestError, match="no images"):
        await chat.ainvoke([image])
