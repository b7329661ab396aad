"""Said in one thread, known in the next; never known to anybody else."""

import asyncio

import pytest

from support.client import ApiClient, new_thread, signed_in
from support.gateway import RunningGateway

TOLD = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."
ASKED = "Where do I live and what's my nickname?"
AWKWARD_NAMES = ("1", "10", "a.b@c.org", "a_b@c.org", "%", "A", "a")


async def test_what_was_said_in_one_thread_is_known_in_the_next_right_away(ada: ApiClient) -> None:
    await ada.send(TOLD)
    reply = await ada.send(ASKED)
    assert "London" in reply.text
    assert "RS" in reply.text
    assert reply.recalled == [TOLD]


async def test_what_was_said_is_known_after_formation(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send(TOLD, thread=thread)
    formed = await ada.flush()
    assert formed["added"] == 3
    memories = await ada.memories()
    assert {memory["kind"] for memory in memories} == {"user", "procedural"}
    assert all(memory["quote"] in TOLD and memory["source_thread"] == thread for memory in memories)
    reply = await ada.send(ASKED)
    assert "London" in reply.text
    assert "RS" in reply.text
    assert TOLD not in reply.recalled
    assert any("concise bullet answers" in text for text in reply.recalled)


async def test_another_account_knows_nothing(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send(TOLD)
    for _ in ("right away", "after formation"):
        reply = await bob.send(ASKED)
        assert "London" not in reply.text
        assert reply.recalled == []
        assert await bob.memories(q=ASKED) == []
        await ada.flush()


async def test_the_same_name_is_the_same_user_from_anywhere(shared_gateway: RunningGateway) -> None:
    async with (
        signed_in(shared_gateway.url, "Zoë 日本 \U0001f600") as here,
        signed_in(shared_gateway.url, "Zoë 日本 \U0001f600") as there,
    ):
        await here.send(TOLD)
        assert "London" in (await there.send(ASKED)).text


async def test_users_with_awkward_names_never_see_each_other(shared_gateway: RunningGateway) -> None:
    people = [await ApiClient.sign_in(shared_gateway.url, name) for name in AWKWARD_NAMES]
    try:
        towns = ("Oslo", "Lima", "Rome", "Bern", "Kyiv", "Riga", "Cork")
        for client, town in zip(people, towns, strict=True):
            await client.send(f"I live in {town}.")
        await asyncio.gather(*(client.flush() for client in people[::2]))
        for client, town in zip(people, towns, strict=True):
            reply = await client.send("Where do I live?")
            assert town in reply.text
            assert not any(other in reply.text for other in towns if other != town)
            assert all(town in text for text in reply.recalled)
    finally:
        await asyncio.gather(*(client.http.aclose() for client in people))


@pytest.mark.parametrize(
    "words", ["I work as a violin maker.", "My sister is called Nora.", "I'm allergic to walnuts."]
)
async def test_a_statement_is_acknowledged_and_becomes_a_memory_with_its_source(ada: ApiClient, words: str) -> None:
    assert (await ada.send(words)).text
    assert (await ada.flush())["added"] == 1
    [memory] = await ada.memories()
    assert memory["quote"] in words
    assert memory["confidence"] >= 0.7


async def test_saying_the_same_again_confirms_it(ada: ApiClient) -> None:
    for added, confirmed in ((1, 0), (0, 1)):
        await ada.send("I live in Porto.")
        formed = await ada.flush()
        assert (formed["added"], formed["confirmed"]) == (added, confirmed)
    [memory] = await ada.memories()
    assert memory["confirmed"] == 2
    assert len(memory["sources"]) == 2


async def test_the_thread_itself_is_remembered_too(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My cat is called Plum.", thread=thread)
    assert "Plum" in (await ada.send("What is my cat called?", thread=thread)).text
