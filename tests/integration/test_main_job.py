"""A fact stated in one thread is available in the next, and never to another user."""

import asyncio

import pytest

from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway

STATEMENT = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."
QUESTION = "Where do I live and what's my nickname?"
UNUSUAL_NAMES = ("1", "10", "a.b@c.org", "a_b@c.org", "%", "A", "a")


async def test_a_statement_is_available_in_the_next_thread_immediately(ada: ApiClient) -> None:
    await ada.send(STATEMENT)
    reply = await ada.send(QUESTION)
    assert "London" in reply.text
    assert "RS" in reply.text
    assert reply.recalled == [STATEMENT]


async def test_a_statement_is_available_after_formation(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send(STATEMENT, thread=thread)
    result = await ada.flush()
    assert result["added"] == 3
    memories = await ada.memories()
    assert {memory["kind"] for memory in memories} == {"user", "procedural"}
    assert all(memory["quote"] in STATEMENT and memory["source_thread"] == thread for memory in memories)
    reply = await ada.send(QUESTION)
    assert "London" in reply.text
    assert "RS" in reply.text
    assert STATEMENT not in reply.recalled
    assert any("concise bullet answers" in text for text in reply.recalled)


async def test_another_user_never_sees_the_statement(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send(STATEMENT)
    for _ in ("before formation", "after formation"):
        reply = await bob.send(QUESTION)
        assert "London" not in reply.text
        assert reply.recalled == []
        assert await bob.memories(q=QUESTION) == []
        await ada.flush()


async def test_the_same_name_signs_in_the_same_user(shared_gateway: RunningGateway) -> None:
    async with (
        signed_in(shared_gateway.url, "Zoë 日本 \U0001f600") as first,
        signed_in(shared_gateway.url, "Zoë 日本 \U0001f600") as second,
    ):
        await first.send(STATEMENT)
        assert "London" in (await second.send(QUESTION)).text


async def test_users_with_unusual_names_are_kept_apart(shared_gateway: RunningGateway) -> None:
    clients = [await ApiClient.sign_in(shared_gateway.url, name, keep_alive=False) for name in UNUSUAL_NAMES]
    try:
        towns = ("Oslo", "Lima", "Rome", "Bern", "Kyiv", "Riga", "Cork")
        for client, town in zip(clients, towns, strict=True):
            await client.send(f"I live in {town}.")
        await asyncio.gather(*(client.flush() for client in clients[::2]))
        for client, town in zip(clients, towns, strict=True):
            reply = await client.send("Where do I live?")
            assert town in reply.text
            assert not any(other in reply.text for other in towns if other != town)
            assert all(town in text for text in reply.recalled)
    finally:
        await asyncio.gather(*(client.http.aclose() for client in clients))


@pytest.mark.parametrize(
    "statement", ["I work as a violin maker.", "My sister is called Nora.", "I'm allergic to walnuts."]
)
async def test_a_statement_becomes_a_memory_with_its_source(ada: ApiClient, statement: str) -> None:
    assert (await ada.send(statement)).text
    assert (await ada.flush())["added"] == 1
    [memory] = await ada.memories()
    assert memory["quote"] in statement
    assert memory["confidence"] >= 0.7


async def test_repeating_a_statement_confirms_the_memory(ada: ApiClient) -> None:
    for added, confirmed in ((1, 0), (0, 1)):
        await ada.send("I live in Porto.")
        result = await ada.flush()
        assert (result["added"], result["confirmed"]) == (added, confirmed)
    [memory] = await ada.memories()
    assert memory["confirmed"] == 2
    assert len(memory["sources"]) == 2


async def test_a_statement_is_available_in_its_own_thread(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My cat is called Plum.", thread=thread)
    assert "Plum" in (await ada.send("What is my cat called?", thread=thread)).text
