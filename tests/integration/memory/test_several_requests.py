"""Several requests to remember and to forget in one message, with the offline model and the real service."""

import pytest

from support.client import ApiClient, new_thread


async def _texts(client: ApiClient) -> set[str]:
    return {memory["text"] for memory in await client.memories()}


async def _add(client: ApiClient, *texts: str) -> None:
    for text in texts:
        (await client.http.post("/memories", json={"text": text})).raise_for_status()


@pytest.mark.parametrize(
    ("known", "message", "kept"),
    [
        ("Loves cheese", "remember that I'm vegan and forget that I love cheese", "Is vegan"),
        ("Lives in Leeds", "forget my address and remember that I live in York", "Lives in York"),
        ("Lives in Leeds", "remember that I live in York and forget my address", "Lives in York"),
        ("Ik woon in Breda", "vergeet mijn adres en onthoud dat ik in Gent woon", "Ik woon in Gent"),
        ("我住在北京", "忘掉我的地址，记住我住在上海", "我住在上海"),
        ("Ich mag Käse", "merk dir, dass ich vegan bin, und vergiss, dass ich Käse mag", "Ich bin vegan"),
    ],
)
async def test_all_requests_of_a_message_are_executed(ada: ApiClient, known: str, message: str, kept: str) -> None:
    await _add(ada, known)
    await ada.send(message)
    assert await _texts(ada) == {kept}


async def test_the_lists_of_several_requests_are_one_list(ada: ApiClient) -> None:
    await _add(ada, "Lives in Leeds", "Works at Aldi", "Likes tea")
    thread = new_thread()
    listed = (await ada.send("forget where I live and where I work", thread=thread)).text
    assert listed.count("Reply with numbers") == 1
    assert "1. Lives in Leeds" in listed
    assert "2. Works at Aldi" in listed
    await ada.send("2", thread=thread)
    assert await _texts(ada) == {"Lives in Leeds", "Likes tea"}


async def test_each_result_is_reported_once_with_what_it_concerns(ada: ApiClient) -> None:
    await _add(ada, "Has a dog called Rex", "Drives a Fiat", "Works at Aldi", "Likes tea")
    *results, listed = (await ada.send("forget: the dog, the boat, the car and my job")).text.split("\n\n")
    assert results == ["Forgotten: Has a dog called Rex", "Nothing is remembered about: the boat"]
    title, *entries = listed.splitlines()
    assert title == 'Which of these do you mean as well? Reply with numbers, or "yes" for all.'
    assert [entry.partition(" (")[0] for entry in entries] == ["1. Drives a Fiat", "2. Works at Aldi"]


@pytest.mark.parametrize(
    ("message", "answers"),
    [
        ("forget my sister and tell me where I live", ["Forgotten: Sister is called Ann", "- Lives in Leeds"]),
        ("forget my sister, please. What's left?", ["Forgotten: Sister is called Ann", "- Lives in Leeds"]),
        (
            "remember that I have a dog called Max, and what do you know about me?",
            [
                "Remembered: Has a dog called Max",
                "- Has a dog called Max",
                "- Lives in Leeds",
                "- Sister is called Ann",
            ],
        ),
    ],
)
async def test_a_question_beside_a_request_is_answered(ada: ApiClient, message: str, answers: list[str]) -> None:
    await _add(ada, "Lives in Leeds", "Sister is called Ann")
    lines = (await ada.send(message)).text.splitlines()
    assert lines[0] == answers[0]
    assert set(answers) == set(lines) - {"", "You told me:"}


async def test_what_is_left_does_not_include_what_was_just_said_and_forgotten(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I live in Leeds", thread=thread)
    await ada.send("I have a cat called Miso", thread=thread)
    left = (await ada.send("forget the cat. What's left?", thread=thread)).text.partition("You told me:")[2]
    assert left.strip() == "- Lives in Leeds"


@pytest.mark.parametrize(
    ("known", "message", "stated"),
    [
        ("Lives in Leeds", "I moved to York, so forget Leeds", "Moved to York"),
        ("Vivo en Sevilla", "Me mudé a Cádiz, así que olvida Sevilla", "Me mudé a Cádiz"),
        ("Ich wohne in Bonn", "Ich bin nach Köln gezogen, also vergiss Bonn", "Ich bin nach Köln gezogen"),
    ],
)
async def test_there_is_nothing_to_choose_if_the_message_states_another_value(
    ada: ApiClient, known: str, message: str, stated: str
) -> None:
    await _add(ada, known)
    reply = (await ada.send(message)).text
    assert known in reply.splitlines()[0]
    assert "1. " not in reply
    await ada.flush()
    assert await _texts(ada) == {stated}


@pytest.mark.parametrize(
    ("known", "message", "kept"),
    [
        ("Lives in Leeds", "please remember that I live in York now, not in Leeds", {"Lives in York"}),
        ("Ich wohne in Bonn", "merk dir, dass ich in Köln wohne, nicht in Bonn", {"Ich wohne in Köln"}),
        ("Vivo en Sevilla", "recuerda que vivo en Cádiz, no en Sevilla", {"Vivo en Cádiz"}),
        ("我住在北京", "记住我住在上海，不在北京", {"我住在上海"}),
        ("Likes coffee", "remember that I like tea, not coffee", {"Likes tea, not coffee"}),
        ("Works at Aldi", "remember that I like Tesco, not Aldi", {"Likes Tesco, not Aldi", "Works at Aldi"}),
    ],
)
async def test_a_denied_value_is_replaced(ada: ApiClient, known: str, message: str, kept: set[str]) -> None:
    await _add(ada, known)
    await ada.send(message)
    assert await _texts(ada) == kept


async def test_a_number_of_memories_needs_no_list(ada: ApiClient) -> None:
    await _add(ada, "Works at Aldi", "Works at Boots at weekends", "Likes tea")
    await ada.send("forget both my jobs")
    assert await _texts(ada) == {"Likes tea"}


async def test_a_number_that_differs_from_what_is_known_needs_a_list(ada: ApiClient) -> None:
    await _add(ada, "Works at Aldi", "Works at Boots at weekends", "Works at Lidl in summer")
    assert "1. " in (await ada.send("forget both my jobs")).text
    assert len(await _texts(ada)) == 3


async def test_several_requests_are_undone_together(ada: ApiClient) -> None:
    await _add(ada, "Loves cheese", "Smokes")
    thread = new_thread()
    await ada.send("forget that I love cheese and forget that I smoke", thread=thread)
    assert await _texts(ada) == set()
    await ada.send("undo that", thread=thread)
    assert await _texts(ada) == {"Loves cheese", "Smokes"}
