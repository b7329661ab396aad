"""The `openai` SDK for Python as a client: tools."""

from collections.abc import Sequence

from openai import AsyncOpenAI

from contract.openai_sdk import WEATHER, inbox, say
from support.client import ApiClient
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall


async def test_functions_of_the_client_are_called_by_the_client(
    sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    def reply(messages: Sequence[Message]) -> str | list[ToolCall]:
        if messages[-1]["role"] == "tool":
            return f"It is {messages[-1]['content']}."
        return [ToolCall("get_weather", {"city": "Oslo"})]

    scripted.script.reply = reply
    messages = say("I live in Oslo. How is the weather?")
    first = await sdk.chat.completions.create(model="scripted", messages=messages, tools=[WEATHER])
    assert first.choices[0].finish_reason == "tool_calls"
    [call] = first.choices[0].message.tool_calls or []
    assert call.type == "function"
    assert (call.function.name, call.function.arguments) == ("get_weather", '{"city": "Oslo"}')
    messages.append(first.choices[0].message.model_dump(exclude_none=True))  # type: ignore[arg-type]
    messages.append({"role": "tool", "tool_call_id": call.id, "content": "sunny"})
    second = await sdk.chat.completions.create(model="scripted", messages=messages, tools=[WEATHER])
    assert second.choices[0].message.content == "It is sunny."
    assert len(await inbox(user)) == 1


async def test_calls_of_functions_are_streamed(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.reply = lambda _: [
        ToolCall("get_weather", {"city": "Oslo"}),
        ToolCall("get_weather", {"city": "Rome"}),
    ]
    async with sdk.chat.completions.stream(model="scripted", messages=say("Weather?"), tools=[WEATHER]) as stream:
        completion = await stream.get_final_completion()
    assert completion.choices[0].finish_reason == "tool_calls"
    calls = completion.choices[0].message.tool_calls or []
    assert [call.function.arguments for call in calls] == ['{"city": "Oslo"}', '{"city": "Rome"}']


async def test_tools_of_the_server_run_there(sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI) -> None:
    def reply(messages: Sequence[Message]) -> str | list[ToolCall]:
        if messages[-1]["role"] != "tool":
            arguments = {"text": "Keeps bees", "quote": "I keep bees"}
            return [ToolCall("remember", arguments), ToolCall("get_weather", {"city": "Oslo"})]
        return [ToolCall("get_weather", {"city": "Oslo"})]

    scripted.script.reply = reply
    completion = await sdk.chat.completions.create(
        model="scripted", messages=say("I keep bees, and how is the weather?"), tools=[WEATHER]
    )
    calls = completion.choices[0].message.tool_calls or []
    assert [call.function.name for call in calls if call.type == "function"] == ["get_weather"]
    assert [memory["text"] for memory in await user.memories(kind="user")] == ["Keeps bees"]


async def test_a_required_function_is_the_only_choice(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.reply = lambda _: [ToolCall("get_weather", {"city": "Oslo"})]
    await sdk.chat.completions.create(
        model="scripted", messages=say("Weather?"), tools=[WEATHER], tool_choice="required", parallel_tool_calls=False
    )
    body = scripted.chat_requests()[-1].body
    assert [tool["function"]["name"] for tool in body["tools"]] == ["get_weather"]
    assert (body["tool_choice"], body["parallel_tool_calls"]) == ("required", False)
