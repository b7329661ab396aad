"""Requests to forget everything about a topic remove what is only about it, with the offline model and the service."""

import pytest

from agent.models.request_results import ENGLISH, RESULTS
from support.client import ApiClient, new_thread


async def _texts(client: ApiClient) -> set[str]:
    await client.flush()
    return {memory["text"] for memory in await client.memories()}


async def test_one_clause_about_a_person_is_forgotten_and_the_others_are_kept(ada: ApiClient) -> None:
    await ada.send("my supervisor is Prof Elaine Whitcombe and I'm doing my MA thesis on water rights, at Durham")
    await ada.flush()
    await ada.send("Elaine's on sabbatical so my supervisor is Dr Karim Nasser now")
    reply = (await ada.send("forget everything about Elaine")).text
    assert "Elaine's on sabbatical" in reply
    assert "Karim" not in reply
    texts = str(await _texts(ada))
    assert "Elaine" not in texts
    assert "upervisor is Dr Karim Nasser" in texts
    assert "I'm doing my MA thesis on water rights, at Durham" in texts


@pytest.mark.parametrize("is_processed", [True, False])
async def test_a_clause_between_others_is_forgotten_and_can_be_restored(ada: ApiClient, *, is_processed: bool) -> None:
    said = "Mia ist auf Erdbeeren allergisch, Kai isst vegan und ich mag keinen Fisch"
    await ada.send(said)
    if is_processed:
        await ada.flush()
    whole = await ada.memories()
    assert (await ada.send("vergiss alles über Kai")).text == "Vergessen: Kai isst vegan"
    assert await _texts(ada) == {"Mia ist auf Erdbeeren allergisch, ich mag keinen Fisch"}
    for memory in whole:
        (await ada.http.post(f"/memories/{memory['id']}/undo")).raise_for_status()
        assert await _texts(ada) == {said}


@pytest.mark.parametrize("is_processed", [True, False])
@pytest.mark.parametrize(
    ("said", "request_text"),
    [
        (
            "My therapist is called Dr. Hollis, I see her fortnightly. I play the oboe.",
            "I'd rather you didn't keep anything about my therapist. Please remove it, thank you.",
        ),
        ("we bought a boat, it's moored in Falmouth. I play the oboe.", "delete what I said about the boat"),
    ],
)
async def test_clauses_with_a_pronoun_for_a_topic_are_forgotten_with_it(
    ada: ApiClient, said: str, request_text: str, *, is_processed: bool
) -> None:
    await ada.send(said)
    if is_processed:
        await ada.flush()
    await ada.send(request_text)
    assert await _texts(ada) == {"Plays the oboe"}


async def test_clauses_with_a_pronoun_for_a_chosen_statement_are_forgotten_with_it(ada: ApiClient) -> None:
    await ada.send("I work at Shell and my dentist at Elm Road is Mia Kay, I see her yearly")
    await ada.flush()
    thread = new_thread()
    assert ENGLISH.choose in (await ada.send("forget my dentist", thread=thread)).text
    await ada.send("all of them", thread=thread)
    texts = str(await _texts(ada))
    assert "dentist" not in texts
    assert "see her" not in texts
    assert "Shell" in texts


@pytest.mark.parametrize(
    ("said", "request_text"),
    [
        ("hiya, my friend Suki and I are opening a tiny bakery in Margate!!", "forget everything about Suki"),
        ("ich wohne mit meinem Mann Kai und seiner Tochter Mia in Ulm", "vergiss alles über Kai"),
    ],
)
async def test_a_statement_about_more_is_only_listed(ada: ApiClient, said: str, request_text: str) -> None:
    await ada.send(said)
    before = await _texts(ada)
    reply = (await ada.send(request_text)).text
    assert reply.startswith((RESULTS["en"].choose, RESULTS["de"].choose))
    assert await _texts(ada) == before


@pytest.mark.parametrize("is_processed", [True, False])
async def test_a_companion_is_forgotten_and_the_rest_is_kept(ada: ApiClient, *, is_processed: bool) -> None:
    await ada.send("I live in Norwich with my wife Jean and our two cats")
    if is_processed:
        await ada.flush()
    whole = await ada.memories()
    assert (await ada.send("forget everything about Jean")).text == "Forgotten: my wife Jean"
    assert await _texts(ada) == {"Lives in Norwich with our two cats"}
    for memory in whole:
        (await ada.http.post(f"/memories/{memory['id']}/undo")).raise_for_status()
        assert await _texts(ada) == {"Lives in Norwich with my wife Jean and our two cats"}


async def test_what_is_only_about_a_topic_is_forgotten_and_the_rest_is_listed(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("my friend Suki is a potter. Suki and I were opening a bakery in Margate.", thread=thread)
    await ada.flush()
    reply = (await ada.send("forget everything about Suki", thread=thread)).text
    assert reply.startswith("Forgotten: ")
    assert ENGLISH.choose_more in reply
    assert "1. Suki and I were opening a bakery in Margate." in reply
    texts = str(await _texts(ada))
    assert "potter" not in texts
    assert "bakery in Margate" in texts
    await ada.send("1", thread=thread)
    assert await _texts(ada) == set()


async def test_of_joined_statements_each_is_forgotten_by_itself(ada: ApiClient) -> None:
    await ada.send("Lotte wird morgen 10, Krüger backt die Torte")
    await ada.flush()
    await ada.send("Lotte ist gestern 10 geworden, Krüger haben wir abgesagt")
    await ada.flush()
    await ada.send("vergiss alles über Krüger")
    texts = str(await _texts(ada))
    assert "Krüger" not in texts
    assert "Lotte ist gestern 10 geworden" in texts


async def test_what_a_later_message_says_about_a_person_with_a_pronoun_is_forgotten(ada: ApiClient) -> None:
    thread = new_thread()
    for message in ("my neighbour Greg has a parrot", "What's the capital of Norway?", "he is really loud at night"):
        await ada.send(message, thread=thread)
    reply = (await ada.send("forget everything about Greg", thread=thread)).text
    assert reply.startswith("Forgotten: my neighbour Greg has a parrot")
    assert await _texts(ada) == set()


async def test_a_statement_that_is_also_about_others_remains_if_another_is_forgotten(ada: ApiClient) -> None:
    await ada.send("my sister Mia and my brother Alan are plumbers")
    await ada.flush()
    await ada.send("forget everything about Alan")
    assert "my sister Mia and my brother Alan are plumbers" in await _texts(ada)


@pytest.mark.parametrize(
    ("before", "is_forgotten"),
    [
        ("I live in Leeds.", True),
        ("What should I cook with a Rangemaster?", False),
        ("My neighbour is selling a Rangemaster.", False),
    ],
)
async def test_in_a_conversation_without_a_task_a_named_thing_is_forgotten(
    ada: ApiClient, before: str, *, is_forgotten: bool
) -> None:
    await ada.http.post("/memories", json={"text": "Cooks on a Rangemaster"})
    thread = new_thread()
    await ada.send(before, thread=thread)
    await ada.send("forget the Rangemaster", thread=thread)
    assert ("Cooks on a Rangemaster" not in await _texts(ada)) == is_forgotten


async def test_things_of_others_are_not_listed_by_their_meaning(ada: ApiClient) -> None:
    await ada.send("il numero della nave è 7, tu sei il capitano")
    await ada.flush()
    assert (await ada.send("dimentica il mio numero")).text == RESULTS["it"].nothing_found


async def test_what_is_left_of_a_divided_memory_can_be_chosen(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send(
        "Suki ist Töpferin. Mit Suki habe ich in Ulm ein Café eröffnet. Es regnet oft in Ulm.", thread=thread
    )
    await ada.flush()
    reply = (await ada.send("vergiss alles über Suki", thread=thread)).text
    assert reply.startswith("Vergessen: Suki ist Töpferin.")
    await ada.send("1", thread=thread)
    assert "Suki" not in str(await _texts(ada))


@pytest.mark.parametrize("choice", ["yes please", "all of them"])
async def test_the_whole_list_is_forgotten_and_the_reason_is_kept(ada: ApiClient, choice: str) -> None:
    await ada.send("Callum and I are buying a house in Otley, our solicitor is Anita")
    await ada.send("we offered 215k for the house")
    await ada.flush()
    thread = new_thread()
    request = "ugh. me and callum have split up so forget everything about the house hunt"
    assert ENGLISH.choose in (await ada.send(request, thread=thread)).text
    await ada.send(choice, thread=thread)
    texts = str(await _texts(ada))
    assert "house" not in texts
    assert "me and callum have split up" in texts


async def test_a_pronoun_may_refer_to_a_person_in_the_message_before(ada: ApiClient) -> None:
    await ada.send("mia works at starbucks")
    await ada.send("Noor works at Boots")
    await ada.flush()
    thread = new_thread()
    await ada.send("me and mia broke up", thread=thread)
    assert "mia works at starbucks" in (await ada.send("so forget everything about her", thread=thread)).text
    texts = str(await _texts(ada))
    assert "starbucks" not in texts
    assert "Boots" in texts


async def test_a_statement_after_a_request_is_kept(ada: ApiClient) -> None:
    await ada.send("We are looking to buy a flat in Baner, our budget is 85 lakhs")
    await ada.send("I want leave from 10th Dec to 18th Dec")
    await ada.flush()
    request = "Please forget about the flat, we are not buying, Rohit is getting transfer to Hyderabad."
    reply = (await ada.send(request)).text
    assert "flat in Baner" in reply
    assert "leave" not in reply
    assert "Rohit is getting transfer to Hyderabad" in str(await _texts(ada))
