"""What users say about memories is answered and executed in the chat."""

import pytest

from support.client import ApiClient, new_thread


async def texts(client: ApiClient) -> set[str]:
    await client.flush()
    return {memory["text"] for memory in await client.memories()}


async def say(client: ApiClient, known: str, *messages: str) -> str:
    """State something, process it, and send messages in a new thread; returns the last answer."""
    await client.send(known)
    await client.flush()
    thread = new_thread()
    replies = [await client.send(message, thread=thread) for message in messages]
    return replies[-1].text


@pytest.mark.parametrize(
    ("question", "remark"),
    [("Where do I live?", "how do you know that?"), ("hi", "why do you think I live in Leeds?")],
)
async def test_the_origin_of_a_memory_is_quoted(ada: ApiClient, bob: ApiClient, question: str, remark: str) -> None:
    answer = await say(ada, "I live in Leeds.", question, remark)
    assert answer.startswith("You told me on ")
    assert '"I live in Leeds"' in answer
    assert "Leeds" not in (await bob.send(remark)).text
    assert await texts(ada) == {"Lives in Leeds"}


async def test_what_is_wrong_is_asked_and_corrected(ada: ApiClient, bob: ApiClient) -> None:
    await bob.send("My birthday is on 4 May.")
    questions = ("When is my birthday?", "that's wrong")
    assert "What is right instead?" in await say(ada, "My birthday is on 4 May.", *questions)
    assert await texts(ada) == {"Birthday is on 4 May"}
    assert "My birthday is on 14 May" in await say(ada, "I play chess.", *questions, "it's 14 May")
    assert await texts(ada) == {"Birthday is on 14 May", "Plays chess"}
    assert await texts(bob) == {"Birthday is on 4 May"}


async def test_a_correction_may_repeat_what_else_the_statement_said(ada: ApiClient) -> None:
    questions = ("Where does my sister live?", "you got that wrong, she lives in Bergen")
    await say(ada, "My sister Anna lives in Oslo.", *questions)
    assert await texts(ada) == {"Sister is called Anna", "My sister Anna lives in Bergen"}


async def test_a_correction_can_be_undone(ada: ApiClient) -> None:
    answer = await say(ada, "My boss is Linda.", "Who is my boss?", "you're wrong, it's Ann", "undo that")
    assert answer == "Restored: Boss is Linda\n\nUndone: My boss is Ann"
    assert await texts(ada) == {"Boss is Linda"}


@pytest.mark.parametrize("remarks", [("that's wrong", "forget it"), ("that's wrong, delete it",), ("that's outdated",)])
async def test_what_is_wrong_is_removed_on_request(ada: ApiClient, remarks: tuple[str, ...]) -> None:
    assert "Forgotten: Is vegan" in await say(ada, "I'm vegan.", "Am I vegan?", *remarks)
    assert await texts(ada) == set()


async def test_what_is_outdated_gets_another_value(ada: ApiClient) -> None:
    questions = ("What is my salary?", "your info is out of date", "it's 45k")
    assert await say(ada, "My salary is 40k.", *questions) == "Noted instead: My salary is 45k"
    assert await texts(ada) == {"Salary is 45k"}


async def test_an_answer_without_memories_is_not_meant(ada: ApiClient) -> None:
    answer = await say(ada, "I'm vegan.", "The capital of Australia is Sydney, right?", "that's wrong", "no")
    assert "vegan" not in answer
    assert await texts(ada) == {"Is vegan"}


async def test_memories_are_pinned_and_topics_muted(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I'm allergic to penicillin.", thread=thread)
    await ada.send("that's important, always keep it in mind", thread=thread)
    assert [one["text"] for one in await ada.memories() if one["pinned"]] == ["Is allergic to penicillin"]
    await ada.send("unpin that", thread=thread)
    assert not any(one["pinned"] for one in await ada.memories())
    await ada.send("stop mentioning my weight", thread=thread)
    await ada.flush()
    assert [one["kind"] for one in await ada.memories() if "weight" in one["text"]] == ["procedural"]
