"""Memories are recalled for questions that depend on the ones before them."""

from agent.memory.recall.tip import RECALLED_HEADER
from support.client import ApiClient, new_thread
from support.scripted_openai import ScriptedOpenAI


async def test_a_pronoun_recalls_what_was_said_about_the_person(client: ApiClient, model: ScriptedOpenAI) -> None:
    texts = ["Sister is called Anna", "Anna restores old violins", "Karl restores old boats", "Has a kitchen garden"]
    for text in texts:
        (await client.http.post("/memories", json={"text": text})).raise_for_status()
    thread = new_thread()
    await client.send("Hello!", thread=thread)
    await client.send("Who is my sister?", thread=thread)
    await client.send("And what does she restore?", thread=thread)
    [recalled] = [one for one in model.chat_requests()[-1].messages if str(one["content"]).startswith(RECALLED_HEADER)]
    assert "Anna restores old violins" in str(recalled["content"])
    assert model.chat_requests()[-1].messages[-1]["content"] == "And what does she restore?"
