"""Said in one thread, known in the next; never known to anybody else."""

import asyncio

import pytest

from support.client import Person, new_thread, signed_in
from support.gateway import RunningGateway

TOLD = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."
ASKED = "Where do I live and what's my nickname?"
AWKWARD_NAMES = ("1", "10", "a.b@c.org", "a_b@c.org", "%", "A", "a")


async def test_what_was_said_in_one_thread_is_known_in_the_next_right_away(ada: Person) -> None:
    await ada.say(TOLD)
    heard = await ada.say(ASKED)
    assert "London" in heard.text
    assert "RS" in heard.text
    assert heard.recalled == [TOLD]


async def test_what_was_said_is_known_after_formation(ada: Person) -> None:
    thread = new_thread()
    await ada.say(TOLD, thread=thread)
    formed = await ada.flush()
    assert formed["added"] == 3
    memories = await ada.memories()
    assert {memory["kind"] for memory in memories} == {"user", "procedural"}
    assert all(memory["quote"] in TOLD and memory["source_thread"] == thread for memory in memories)
    heard = await ada.say(ASKED)
    assert "London" in heard.text
    assert "RS" in heard.text
    assert TOLD not in heard.recalled
    assert any("concise bullet answers" in text for text in heard.recalled)


async def test_another_account_knows_nothing(ada: Person, bob: Person) -> None:
    await ada.say(TOLD)
    for _ in ("right away", "after formation"):
        heard = await bob.say(ASKED)
        assert "London" not in heard.text
        assert heard.recalled == []
        assert await bob.memories(q=ASKED) == []
        await ada.flush()


async def test_the_same_name_is_the_same_user_from_anywhere(server: RunningGateway) -> None:
    async with (
        signed_in(server.url, "Zoë 日本 \U0001f600") as here,
        signed_in(server.url, "Zoë 日本 \U0001f600") as there,
    ):
        await here.say(TOLD)
        assert "London" in (await there.say(ASKED)).text


async def test_users_with_awkward_names_never_see_each_other(server: RunningGateway) -> None:
    people = [await Person.sign_in(server.url, name) for name in AWKWARD_NAMES]
    try:
        towns = ("Oslo", "Lima", "Rome", "Bern", "Kyiv", "Riga", "Cork")
        for person, town in zip(people, towns, strict=True):
            await person.say(f"I live in {town}.")
        await asyncio.gather(*(person.flush() for person in people[::2]))
        for person, town in zip(people, towns, strict=True):
            heard = await person.say("Where do I live?")
            assert town in heard.text
            assert not any(other in heard.text for other in towns if other != town)
            assert all(town in text for text in heard.recalled)
    finally:
        await asyncio.gather(*(person.http.aclose() for person in people))


@pytest.mark.parametrize(
    "words", ["I work as a violin maker.", "My sister is called Nora.", "I'm allergic to walnuts."]
)
async def test_a_statement_is_acknowledged_and_becomes_a_memory_with_its_source(ada: Person, words: str) -> None:
    assert (await ada.say(words)).text
    assert (await ada.flush())["added"] == 1
    [memory] = await ada.memories()
    assert memory["quote"] in words
    assert memory["confidence"] >= 0.7


async def test_saying_the_same_again_confirms_it(ada: Person) -> None:
    for added, confirmed in ((1, 0), (0, 1)):
        await ada.say("I live in Porto.")
        formed = await ada.flush()
        assert (formed["added"], formed["confirmed"]) == (added, confirmed)
    [memory] = await ada.memories()
    assert memory["confirmed"] == 2
    assert len(memory["sources"]) == 2


async def test_the_thread_itself_is_remembered_too(ada: Person) -> None:
    thread = new_thread()
    await ada.say("My cat is called Plum.", thread=thread)
    assert "Plum" in (await ada.say("What is my cat called?", thread=thread)).text
