"""Memory can be paused in the chat, and a conversation can be kept out of it."""

import pytest

from support.client import ApiClient, new_thread


async def texts(client: ApiClient) -> set[str]:
    await client.flush()
    return {memory["text"] for memory in await client.memories()}


async def is_enabled(client: ApiClient) -> bool:
    return bool((await client.http.get("/me")).json()["memory_enabled"])


async def say(client: ApiClient, *messages: str) -> str:
    """Send messages in a new thread; returns the last answer."""
    thread = new_thread()
    replies = [await client.send(message, thread=thread) for message in messages]
    return replies[-1].text


@pytest.mark.parametrize(
    ("pause", "resume"),
    [
        ("I have a cat. Stop remembering things about me. I work at Aldi.", "turn memory back on. I play chess."),
        ("I have a cat. Désactive ta mémoire. I work at Aldi.", "réactive ta mémoire"),
        ("I have a cat. 关闭记忆。I work at Aldi.", "打开记忆"),
    ],
)
async def test_memory_is_paused_and_resumed(ada: ApiClient, bob: ApiClient, pause: str, resume: str) -> None:
    paused = await ada.send(pause)
    assert paused.data("tool.finished")["name"] == "pause_memory"
    assert not await is_enabled(ada)
    assert await is_enabled(bob)
    await say(ada, "I live in Leeds.", "Remember that I play the violin.")
    await ada.send(resume)
    assert await is_enabled(ada)
    await ada.send("I collect stamps.")
    assert await texts(ada) == {"Has a cat", "Collects stamps"}


async def test_pausing_is_undone_by_the_next_message(ada: ApiClient) -> None:
    assert "Memory is on again" in await say(ada, "pause your memory", "undo that")
    assert await is_enabled(ada)


async def test_the_state_of_memory_is_told(ada: ApiClient) -> None:
    assert (await say(ada, "is memory on?")).startswith("Memory is on")
    assert (await say(ada, "Merk dir ab jetzt nichts mehr.", "ist dein Gedächtnis an?")).startswith(
        "Das Gedächtnis ist hier aus"
    )


async def test_a_conversation_is_forgotten_without_what_was_said_elsewhere(ada: ApiClient) -> None:
    await ada.send("I work at Aldi.")
    await ada.flush()
    thread = new_thread()
    for message in ("I work at Aldi.", "I have a cat called Miso.", "Forget this conversation.", "I play chess."):
        await ada.send(message, thread=thread)
    assert await texts(ada) == {"Works at Aldi", "Plays chess"}


@pytest.mark.parametrize("is_formed", [True, False])
async def test_a_forgotten_conversation_can_be_restored(ada: ApiClient, *, is_formed: bool) -> None:
    thread = new_thread()
    await ada.send("I have a cat called Miso.", thread=thread)
    if is_formed:
        await ada.flush()
    await ada.send("Forget this conversation.", thread=thread)
    assert await texts(ada) == set()
    assert "Miso" in (await ada.send("undo that", thread=thread)).text
    assert await texts(ada) == {"Has a cat called Miso"}


async def test_nothing_of_a_private_conversation_is_saved(ada: ApiClient) -> None:
    thread = new_thread()
    private = ("I have a cat called Miso.", "Don't remember this conversation.", "I'm vegan.", "I live in Leeds.")
    for message in private:
        await ada.send(message, thread=thread)
    await ada.send("I work at Aldi.")
    assert "vegan" in (await ada.send("What do I eat?", thread=thread)).text
    assert (await ada.send("What do you know about my cat and my food?")).recalled == ["I work at Aldi."]
    assert await texts(ada) == {"Works at Aldi"}
    await ada.send("You can remember things about me again.", thread=thread)
    await ada.send("I play chess.", thread=thread)
    assert await texts(ada) == {"Works at Aldi", "Plays chess"}


async def test_what_was_said_before_a_thread_became_incognito_is_kept(ada: ApiClient) -> None:
    await say(ada, "I play chess.", "go incognito", "I'm vegan.", "Remember that I have a dog.")
    assert await texts(ada) == {"Plays chess", "Has a dog"}


@pytest.mark.parametrize(
    "message", ["delete my account", "wie kann ich mein Konto löschen?", "where can I see what you know?"]
)
async def test_the_place_of_other_requests_is_told_and_nothing_is_saved(ada: ApiClient, message: str) -> None:
    await ada.send("I play chess.")
    assert "/me" in (await ada.send(message)).text
    assert await texts(ada) == {"Plays chess"}
