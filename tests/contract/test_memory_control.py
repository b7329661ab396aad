"""Requests about memory as a whole, with a language model and in the conversations of clients."""

from openai import AsyncOpenAI

from contract.openai_sdk import inbox, say
from support.client import ApiClient, new_thread
from support.scripted_openai import ScriptedOpenAI


async def test_a_model_is_told_what_was_done(user: ApiClient, scripted: ScriptedOpenAI) -> None:
    thread = new_thread()
    await user.send("Pause your memory, please.", thread=thread)
    assert "Memory is paused" in str(scripted.chat_requests()[-1].messages)
    await user.send("resume memory", thread=thread)
    assert "Memory is on again" in str(scripted.chat_requests()[-1].messages)


async def test_a_model_cannot_save_a_private_conversation(user: ApiClient, scripted: ScriptedOpenAI) -> None:
    thread = new_thread()
    await user.send("go incognito", thread=thread)
    await user.send("I'm vegan.", thread=thread)
    request = scripted.chat_requests()[-1]
    assert "Nothing of this conversation is saved" in str(request.messages)
    names = [tool["function"]["name"] for tool in request.body["tools"]]
    assert "forget" in names
    assert "remember" not in names


async def test_a_client_keeps_its_conversation_out_of_memory(user: ApiClient, sdk: AsyncOpenAI) -> None:
    await sdk.chat.completions.create(model="scripted", messages=say("go incognito", "All right.", "I'm vegan."))
    assert await inbox(user) == []
    await sdk.chat.completions.create(model="scripted", messages=say("Hello.", "Hi!", "I play chess."))
    assert await inbox(user) == ["I play chess."]
