"""The `openai` SDK for Python as a client."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Sequence

import httpx
import openai
import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam

from support.client import ApiClient, new_thread, signed_in
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall

CHAT = "/v1/chat/completions"
WEATHER: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def say(*texts: str) -> list[ChatCompletionMessageParam]:
    """A conversation in which user and assistant take turns."""
    return [
        {"role": "assistant", "content": text} if n % 2 else {"role": "user", "content": text}
        for n, text in enumerate(texts)
    ]


async def inbox(user: ApiClient) -> list[str]:
    """The texts of the messages that are not yet processed."""
    lines = (await user.http.get("/memories/export")).raise_for_status().text.splitlines()
    return [one["text"] for one in map(json.loads, lines) if one.get("place") == "inbox"]


async def make_sdk(user: ApiClient) -> AsyncOpenAI:
    """The SDK with a new personal key of the client's user."""
    key = (await user.http.post("/me/keys", json={"name": "SDK"})).raise_for_status().json()["key"]
    return AsyncOpenAI(base_url=f"{str(user.http.base_url).rstrip('/')}/v1", api_key=key, max_retries=0)


@pytest.fixture
async def sdk(user: ApiClient) -> AsyncIterator[AsyncOpenAI]:
    """The SDK of the user of `client`, whose gateway uses the scripted model."""
    async with await make_sdk(user) as sdk:
        yield sdk


async def test_a_conversation_is_answered(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.reply = lambda messages: f"You said {messages[-1]['content']}"
    completion = await sdk.chat.completions.create(
        model="scripted",
        messages=[{"role": "system", "content": "Be a pirate."}, *say("Hello.", "Hi!", "Who are you?")],
        temperature=0.3,
        max_tokens=50,
        stop=["END"],
    )
    [choice] = completion.choices
    assert (choice.message.content, choice.finish_reason) == ("You said Who are you?", "stop")
    assert completion.model == "scripted"
    assert completion.usage
    assert completion.usage.total_tokens == completion.usage.prompt_tokens + completion.usage.completion_tokens > 0
    [request] = scripted.chat_requests()
    assert [one["content"] for one in request.messages if one["role"] != "system"] == ["Hello.", "Hi!", "Who are you?"]
    assert request.messages[0]["content"].endswith("Be a pirate.")
    assert request.body["temperature"] == 0.3
    assert request.body["max_tokens"] == 50
    assert request.body["stop"] == ["END"]


async def test_an_answer_is_streamed_with_its_usage(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.reply = lambda _: "One two three"
    chunks = [
        chunk
        async for chunk in await sdk.chat.completions.create(
            model="scripted", messages=say("Count."), stream=True, stream_options={"include_usage": True}
        )
    ]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "One two three"
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage
    assert len({chunk.id for chunk in chunks}) == 1
    stream = await sdk.chat.completions.create(model="scripted", messages=say("Count."), stream=True)
    assert all([chunk.usage is None async for chunk in stream])


async def test_a_response_is_generated_and_streamed(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.reply = lambda _: "One two three"
    response = await sdk.responses.create(model="scripted", input="Count.", instructions="Be brief.")
    assert (response.output_text, response.status) == ("One two three", "completed")
    assert response.usage
    assert response.usage.total_tokens > 0
    async with sdk.responses.stream(model="scripted", input=[{"role": "user", "content": "Count."}]) as stream:
        deltas = [event.delta async for event in stream if event.type == "response.output_text.delta"]
        final = await stream.get_final_response()
    assert "".join(deltas) == final.output_text == "One two three"
    assert "Be brief." in scripted.chat_requests()[0].messages[0]["content"]


async def test_models_are_listed(sdk: AsyncOpenAI) -> None:
    assert [model.id async for model in await sdk.models.list()] == ["scripted"]
    assert (await sdk.models.retrieve("scripted")).owned_by == "keepsake"
    with pytest.raises(openai.NotFoundError) as error:
        await sdk.models.retrieve("unknown")
    assert error.value.code == "model_not_found"


async def test_what_is_said_here_is_known_in_threads_and_the_other_way_round(
    sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    await sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo."))
    assert (await user.send("Where do I live?")).recalled == ["I live in Oslo."]
    await user.send("I play the violin.")
    await sdk.chat.completions.create(model="scripted", messages=say("Which instrument do I play?"))
    prompt = "\n".join(one["content"] for one in scripted.chat_requests()[-1].messages if one["role"] == "system")
    assert "I play the violin." in prompt
    assert (await user.flush())["added"] == 2
    assert {memory["text"] for memory in await user.memories(kind="user")} == {"Lives in Oslo", "Plays the violin"}


async def test_the_same_history_adds_nothing(sdk: AsyncOpenAI, user: ApiClient) -> None:
    messages = say("I live in Oslo.", "Nice.", "I play the violin.")
    for _ in range(2):
        await sdk.chat.completions.create(model="scripted", messages=messages)
    assert await inbox(user) == ["I play the violin."]
    await user.flush()
    [memory] = await user.memories(kind="user")
    await user.http.delete(f"/memories/{memory['id']}")
    await sdk.chat.completions.create(model="scripted", messages=messages)
    assert await inbox(user) == []
    assert (await user.flush())["added"] == 0
    assert await user.memories(kind="user") == []


async def test_parallel_requests_with_the_same_history_are_all_answered(
    sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    with scripted.script.chat_gate.closed():
        requests = [
            asyncio.create_task(sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo.")))
            for _ in range(3)
        ]
        await scripted.wait_for_request(CHAT, 3)
    assert {(await request).choices[0].finish_reason for request in requests} == {"stop"}
    assert len(await inbox(user)) == 1


async def test_conversations_are_in_no_list_but_known_to_the_memory(sdk: AsyncOpenAI, user: ApiClient) -> None:
    await sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo."))
    await sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo.", "Nice.", "I play the violin."))
    assert (await user.http.get("/threads")).json()["items"] == []
    assert (await user.http.get("/threads", params={"q": "Oslo"})).json()["items"] == []
    await user.flush()
    [thread] = {memory["source_thread"] for memory in await user.memories(kind="user")}
    transcript = (await user.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert [one["text"] for one in transcript if one["role"] == "user"] == ["I live in Oslo.", "I play the violin."]
    (await user.http.delete(f"/threads/{thread}?forget=true")).raise_for_status()
    assert await user.memories() == []


@pytest.mark.parametrize("name", ["work", "uuid"])
async def test_a_named_thread_keeps_the_conversation(
    sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI, name: str
) -> None:
    scripted.script.reply = lambda _: "Noted."
    name = str(uuid.uuid4()) if name == "uuid" else name
    for text in ("I live in Oslo.", "I play the violin."):
        await sdk.chat.completions.create(model="scripted", messages=say(text), metadata={"thread_id": name})
    dialogue = [one["content"] for one in scripted.chat_requests()[-1].messages if one["role"] != "system"]
    assert dialogue == ["I live in Oslo.", "Noted.", "I play the violin."]
    [thread] = (await user.http.get("/threads")).json()["items"]
    assert thread["title"] == "I live in Oslo."
    reply = await user.send("Where do I live?", thread=thread["thread_id"])
    assert reply.names[-1] == "run.finished"
    dialogue = [one["content"] for one in scripted.chat_requests()[-1].messages if one["role"] != "system"]
    assert dialogue[:2] == ["I live in Oslo.", "Noted."]
    assert dialogue[-1] == "Where do I live?"


async def test_a_user_that_is_no_thread_is_ignored(sdk: AsyncOpenAI, user: ApiClient) -> None:
    await sdk.chat.completions.create(model="scripted", messages=say("Hello."), user="6566c1f0a8d3")
    assert (await user.http.get("/threads")).json()["items"] == []
    await sdk.chat.completions.create(model="scripted", messages=say("Hello."), user="thread:work")
    assert len((await user.http.get("/threads")).json()["items"]) == 1


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


async def test_memory_can_be_left_out(sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI) -> None:
    await user.send("I live in Oslo.")
    await sdk.chat.completions.create(
        model="scripted", messages=say("Where do I live? I play chess."), metadata={"memory": "false"}
    )
    assert not any("I live in Oslo" in one["content"] for one in scripted.chat_requests()[-1].messages)
    assert await inbox(user) == ["I live in Oslo."]


async def test_a_request_for_json_is_passed_on(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.reply = lambda _: '{"city": "Oslo"}'
    completion = await sdk.chat.completions.create(
        model="scripted", messages=say("Which city? As JSON."), response_format={"type": "json_object"}
    )
    assert completion.choices[0].message.content == '{"city": "Oslo"}'
    assert scripted.chat_requests()[-1].body["response_format"] == {"type": "json_object"}


async def test_a_client_that_disconnects_cancels_the_answer_but_not_the_memory(
    sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    scripted.script.hold_after_tokens = 1
    with scripted.script.chat_gate.closed():
        stream = await sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo."), stream=True)
        async for chunk in stream:
            if chunk.choices[0].delta.content:
                break
        await stream.close()
        await scripted.wait_for_disconnect()
        request = asyncio.create_task(sdk.chat.completions.create(model="scripted", messages=say("I play the violin.")))
        await scripted.wait_for_request(CHAT, 2)
        request.cancel()
        await scripted.wait_for_disconnect(2)
    assert sorted(await inbox(user)) == ["I live in Oslo.", "I play the violin."]


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        ({"messages": []}, "invalid_request", "message of the user"),
        ({"messages": [{"role": "system", "content": "Hi"}]}, "invalid_request", "message of the user"),
        ({"messages": [{"role": "user", "content": ""}]}, "invalid_text", "empty"),
        ({"messages": [{"role": "robot", "content": "Hi"}]}, "invalid_request", "role"),
        ({"messages": say("Hi"), "n": 2}, "invalid_request", "one answer"),
        ({"messages": say("Hi"), "temperature": 9}, "invalid_request", "temperature"),
        ({"messages": say("Hi"), "tools": [{"type": "retrieval"}]}, "invalid_request", "tools"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]},
            "invalid_request",
            "no images",
        ),
    ],
)
async def test_bad_input_is_refused(sdk: AsyncOpenAI, body: dict[str, object], code: str, word: str) -> None:
    with pytest.raises(openai.BadRequestError) as error:
        await sdk.post("/chat/completions", body={"model": "scripted", **body}, cast_to=httpx.Response)
    assert error.value.code == code
    assert word in error.value.message


async def test_errors_have_the_format_of_the_api(sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI) -> None:
    with pytest.raises(openai.AuthenticationError) as refused:
        await sdk.with_options(api_key="ks_" + "x" * 43).models.list()
    assert refused.value.code == "invalid_api_key"
    with pytest.raises(openai.NotFoundError) as unknown:
        await sdk.chat.completions.create(model="gpt-0", messages=say("Hi"))
    assert unknown.value.code == "model_not_found"
    for method, path, status in (("GET", "/v1/files", 404), ("PUT", "/v1/models", 405), ("POST", CHAT, 400)):
        response = await user.http.request(method, path)
        assert response.status_code == status
        assert set(response.json()["error"]) == {"message", "type", "param", "code"}
    too_large = await user.http.post(CHAT, content=b" " * 5_000_000)
    assert (too_large.status_code, too_large.json()["error"]["code"]) == (413, "body_too_large")
    scripted.script.chat_status = 400
    with pytest.raises(openai.InternalServerError) as failed:
        await sdk.chat.completions.create(model="scripted", messages=say("Hi"), stream=True)
    assert failed.value.code == "model_unavailable"


async def test_an_error_in_the_middle_of_a_stream_is_raised(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.disconnect_after_tokens = 1
    scripted.script.reply = lambda _: "One two three"
    stream = await sdk.chat.completions.create(model="scripted", messages=say("Count."), stream=True)
    with pytest.raises(openai.APIError, match="did not answer"):
        async for _ in stream:
            pass


async def test_a_thread_of_another_user_cannot_be_named(sdk: AsyncOpenAI, user: ApiClient) -> None:
    async with signed_in(str(user.http.base_url)) as bob:
        thread = new_thread()
        await bob.send("I keep bees.", thread=thread)
        with pytest.raises(openai.NotFoundError) as error:
            await sdk.chat.completions.create(model="scripted", messages=say("Hi"), metadata={"thread_id": thread})
        assert error.value.code == "thread_not_found"
        async with await make_sdk(bob) as other:
            await other.chat.completions.create(model="scripted", messages=say("Hi"), metadata={"thread_id": "work"})
            await sdk.chat.completions.create(model="scripted", messages=say("Hi"), metadata={"thread_id": "work"})
        [mine] = (await user.http.get("/threads")).json()["items"]
        theirs = (await bob.http.get("/threads")).json()["items"]
        assert mine["thread_id"] not in {one["thread_id"] for one in theirs}


async def test_the_same_words_of_two_users_are_separate(sdk: AsyncOpenAI, user: ApiClient) -> None:
    async with signed_in(str(user.http.base_url)) as bob, await make_sdk(bob) as other:
        await sdk.chat.completions.create(model="scripted", messages=say("I live in Oslo."))
        assert (await bob.send("Where do I live?")).recalled == []
        await other.chat.completions.create(model="scripted", messages=say("I live in Oslo."))
        assert len(await inbox(bob)) == 2
        assert len(await inbox(user)) == 1
