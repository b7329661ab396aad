"""The `openai` SDK for Python as a client: conversations and memory."""

import asyncio
import uuid

import openai
import pytest
from openai import AsyncOpenAI

from contract.openai_sdk import inbox, make_sdk, say
from support.client import ApiClient, new_thread, signed_in
from support.scripted_openai import ScriptedOpenAI


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
        await scripted.wait_for_chat("Oslo", 3)
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


async def test_a_stream_starts_when_the_model_has_accepted_the_request(
    sdk: AsyncOpenAI, scripted: ScriptedOpenAI
) -> None:
    scripted.script.hold_after_tokens, scripted.script.reply = 0, lambda _: "Hello."
    with scripted.script.chat_gate.closed():
        chat = await sdk.chat.completions.create(model="scripted", messages=say("Hi."), stream=True)
        opening = await anext(chat)
        responses = await sdk.responses.create(model="scripted", input="Hi there.", stream=True)
        assert (await anext(responses)).type == "response.created"
    assert (opening.choices[0].delta.role, opening.choices[0].delta.content) == ("assistant", "")
    assert [part async for chunk in chat for part in (chunk.choices[0].delta.content,) if part is not None] == [
        "Hello."
    ]
    deltas = [event.delta async for event in responses if event.type == "response.output_text.delta"]
    assert deltas == ["Hello."]


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
        request = asyncio.create_task(sdk.chat.completions.create(model="scripted", messages=say("I play the lute.")))
        await scripted.wait_for_chat("lute")
        request.cancel()
        await scripted.wait_for_disconnect(2)
    assert sorted(await inbox(user)) == ["I live in Oslo.", "I play the lute."]


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
