"""Messages that are not yet processed: list and withdraw."""

import asyncio
import uuid

from support.client import ApiClient, Json, new_thread
from support.scripted_openai import ScriptedOpenAI


async def pending(client: ApiClient) -> list[Json]:
    return list((await client.http.get("/memories/inbox")).raise_for_status().json()["items"])


async def test_pending_messages_are_listed_oldest_first_until_they_are_processed(ada: ApiClient) -> None:
    thread = new_thread()
    first = (await ada.send("I live in Oslo.", thread=thread)).data("run.started")["message_id"]
    await ada.send("I keep bees.")
    await ada.send("What is the capital of Peru?")
    items = await pending(ada)
    assert [item["text"] for item in items] == ["I live in Oslo.", "I keep bees.", "What is the capital of Peru?"]
    assert [item["recallable"] for item in items] == [True, True, False]
    assert (items[0]["message"], items[0]["thread"], items[0]["set_aside"]) == (first, thread, False)
    await ada.flush()
    assert await pending(ada) == []


async def test_nothing_of_a_withdrawn_message_is_formed_or_recalled(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I keep bees.")
    message = (await ada.send("I live in Oslo.", thread=thread)).data("run.started")["message_id"]
    assert (await ada.http.delete(f"/memories/inbox/{message}")).status_code == 204
    assert [item["text"] for item in await pending(ada)] == ["I keep bees."]
    await ada.flush()
    assert not any("Oslo" in memory["text"] for memory in await ada.memories())
    assert not any("Oslo" in text for text in (await ada.send("Where do I live?")).recalled)
    messages = (await ada.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert messages[0]["text"] == "I live in Oslo."


async def test_a_message_that_is_being_processed_can_be_withdrawn(client: ApiClient, model: ScriptedOpenAI) -> None:
    message = (await client.send("I live in Oslo.")).data("run.started")["message_id"]
    await client.send("I keep bees.")
    with model.script.structured_gate.closed():
        flushing = asyncio.create_task(client.flush())
        await model.wait_for_request("/v1/chat/completions", 3)
        assert (await client.http.delete(f"/memories/inbox/{message}")).status_code == 204
    await flushing
    texts = " ".join(memory["text"] for memory in await client.memories())
    assert "bees" in texts
    assert "Oslo" not in texts


async def test_only_pending_messages_of_the_user_can_be_withdrawn(ada: ApiClient, bob: ApiClient) -> None:
    message = (await ada.send("I live in Oslo.")).data("run.started")["message_id"]
    for client, one in ((bob, message), (ada, str(uuid.uuid4()))):
        response = await client.http.delete(f"/memories/inbox/{one}")
        assert (response.status_code, response.json()["code"]) == (404, "message_not_found")
    assert (await ada.http.delete("/memories/inbox/1")).json()["code"] == "invalid_id"
    assert await pending(bob) == []
    await ada.flush()
    assert (await ada.http.delete(f"/memories/inbox/{message}")).status_code == 404


async def test_forgetting_everything_empties_the_list(ada: ApiClient) -> None:
    await ada.send("I live in Oslo.")
    await ada.http.delete("/memories")
    assert await pending(ada) == []


PASTED = """can you answer this mail?

Dear landlord,
I have two small children and my wife is ill, we need the boiler repaired.
Kind regards, Piotr

btw that was for my neighbour Piotr. i live alone with my cat Figa"""


async def test_only_the_users_own_words_of_a_pending_message_are_recalled(ada: ApiClient) -> None:
    await ada.send(PASTED)
    [recalled] = (await ada.send("Do I live alone, or do I have children?")).recalled
    assert "i live alone with my cat Figa" in recalled
    assert "two small children" not in recalled
