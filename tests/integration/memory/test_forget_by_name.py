"""Requests that name, withdraw or only describe what to forget, with the offline model and the real service."""

import pytest

from agent.models.request_results import ENGLISH
from support.client import ApiClient, new_thread


async def _texts(client: ApiClient) -> set[str]:
    return {memory["text"] for memory in await client.memories()}


async def _add(client: ApiClient, *texts: str) -> list[str]:
    return [(await client.http.post("/memories", json={"text": text})).json()["id"] for text in texts]


async def test_what_the_first_message_of_a_thread_names_is_forgotten_and_can_be_restored(
    ada: ApiClient, bob: ApiClient
) -> None:
    [memory, _] = await _add(ada, "Boiler service on Tuesday", "Plays chess")
    await _add(bob, "Boiler service on Friday")
    assert (await ada.send("Forget the boiler service.")).text == "Forgotten: Boiler service on Tuesday"
    assert await _texts(ada) == {"Plays chess"}
    assert await _texts(bob) == {"Boiler service on Friday"}
    (await ada.http.post(f"/memories/{memory}/undo")).raise_for_status()
    assert await _texts(ada) == {"Boiler service on Tuesday", "Plays chess"}


async def test_a_message_that_is_not_yet_processed_is_forgotten_by_its_name(ada: ApiClient) -> None:
    await ada.send("The boiler service is next Tuesday between 9 and 11.")
    assert "boiler service" in (await ada.send("Forget the boiler service.")).text
    await ada.flush()
    assert await _texts(ada) == set()


@pytest.mark.parametrize("is_processed", [True, False])
async def test_one_clause_of_a_sentence_is_forgotten(ada: ApiClient, *, is_processed: bool) -> None:
    await ada.send("My husband is having an affair and I'm allergic to penicillin.")
    if is_processed:
        await ada.flush()
    assert (await ada.send("Forget that my husband is having an affair.")).text.startswith("Forgotten: My husband")
    await ada.flush()
    texts = await _texts(ada)
    assert "Is allergic to penicillin" in texts
    assert "affair" not in str(texts)


async def test_in_a_conversation_a_named_thing_is_offered(ada: ApiClient) -> None:
    await _add(ada, "Boiler service on Tuesday", "Plays chess")
    thread = new_thread()
    await ada.send("What should I cook?", thread=thread)
    assert ENGLISH.choose in (await ada.send("Forget the boiler service.", thread=thread)).text
    assert len(await _texts(ada)) == 2
    assert "Forgotten" in (await ada.send("yes", thread=thread)).text
    assert await _texts(ada) == {"Plays chess"}


@pytest.mark.parametrize(
    "message",
    [
        "forget the list, give me prose",
        "delete the second paragraph",
        "forget it",
        "I always forget the milk",
        "don't forget about winning, I just want to finish",
        "Forget the harp.",
        "Vergiss die Liste, schreib Fließtext.",
        "Supprime le deuxième paragraphe",
    ],
)
async def test_an_ordinary_message_forgets_and_offers_nothing(ada: ApiClient, message: str) -> None:
    memories = [
        "Keeps a list on the fridge",
        "Second child is due in May",
        "Drinks milk",
        "Likes winning",
        "Mag Listen",
    ]
    await _add(ada, *memories)
    reply = await ada.send(message)
    assert ENGLISH.choose not in reply.text
    assert "tool.started" not in reply.names
    assert await _texts(ada) >= set(memories)


async def test_a_statement_after_a_thing_that_is_not_remembered_is_processed(ada: ApiClient) -> None:
    await ada.send("Forget the gym, I joined a choir.")
    await ada.flush()
    assert await _texts(ada) == {"Joined a choir"}


@pytest.mark.parametrize(
    "message",
    [
        "my crush is alex but forget i said that",
        "Ich habe Schulden, vergiss, dass ich das gesagt habe.",
        "Estoy embarazada, olvida lo que acabo de decir",
        "J'aime Paul mais oublie que j'ai dit ça",
        "我怀孕了。当我没说。",
    ],
)
async def test_a_message_that_withdraws_itself_leaves_no_memory(ada: ApiClient, message: str) -> None:
    thread = new_thread()
    await ada.send("I play the oboe.", thread=thread)
    reply = await ada.send(message, thread=thread)
    assert reply.data("tool.finished")["output"] == ENGLISH.forgotten_message
    await ada.send("I like tea.", thread=thread)
    await ada.flush()
    assert await _texts(ada) == {"Plays the oboe", "Likes tea"}


@pytest.mark.parametrize(
    "message",
    [
        "forget i said that",
        "Olvida que lo dije",
        "Oublie que j'ai dit ça",
        "当我没说",
        "That was private, please forget what I just said.",
        "Das war privat, vergiss es bitte.",
    ],
)
async def test_a_message_withdraws_the_previous_one(ada: ApiClient, message: str) -> None:
    thread = new_thread()
    await ada.send("I like tea.", thread=thread)
    await ada.send("I play the oboe.", thread=thread)
    assert "oboe" in (await ada.send(message, thread=thread)).text
    await ada.flush()
    assert await _texts(ada) == {"Likes tea"}


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ("Works at Siemens", "Forget my job."),
        ("Moved to Bergen", "Forget where I live."),
        ("Husband is called Tom", "forget my partner"),
        ("Wohnt in Ulm", "Vergiss meine Adresse."),
        ("养了一只猫叫豆豆", "忘掉我的猫。"),
    ],
)
async def test_memories_of_an_attribute_are_offered_and_one_is_chosen(
    ada: ApiClient, memory: str, message: str
) -> None:
    await _add(ada, memory, "Likes tea")
    thread = new_thread()
    assert f"1. {memory}" in (await ada.send(message, thread=thread)).text
    assert await _texts(ada) == {memory, "Likes tea"}
    await ada.send("1", thread=thread)
    assert await _texts(ada) == {"Likes tea"}


async def test_words_after_a_colon_forget_offer_or_find_nothing(ada: ApiClient) -> None:
    await _add(ada, "Plays bridge on Mondays", "Likes green tea", "Drinks tea from Assam")
    assert (await ada.send("Forget: bridge")).text == "Forgotten: Plays bridge on Mondays"
    assert ENGLISH.choose in (await ada.send("Forget: tea")).text
    assert "Nothing like that is remembered" in (await ada.send("Forget: curling")).text
    assert await _texts(ada) == {"Likes green tea", "Drinks tea from Assam"}


async def test_all_memories_are_not_deleted_in_the_chat_but_the_reply_says_where(ada: ApiClient) -> None:
    await _add(ada, "Likes tea")
    reply = (await ada.send("Forget everything you know about me.")).text
    assert "Delete all memories" in reply
    assert "DELETE /memories" in reply
    assert await _texts(ada) == {"Likes tea"}


@pytest.mark.parametrize("is_formed", [False, True])
async def test_a_statement_is_forgotten_with_the_question_beside_it(ada: ApiClient, *, is_formed: bool) -> None:
    await ada.send("Moved to Derby last month, any good pubs?")
    if is_formed:
        await ada.flush()
    assert "Moved to Derby" in (await ada.send("forget that I moved to Derby")).text
    await ada.flush()
    assert await ada.memories() == []
