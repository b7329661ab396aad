"""Requests to change what is remembered replace the value that is known, in the next thread and after the flush."""

import pytest

from support.client import ApiClient, new_thread

KNOWN_AND_CHANGED = [
    ("I live at 4 Elm Street.", "change my address to 12 Oak Road", "Elm Street", "Address is 12 Oak Road"),
    ("My dog is called Rex.", "rename my dog to Max", "Rex", "Dog is called Max"),
    ("Mon loyer est de 900 euros.", "mets mon loyer à 950", "900", "mon loyer est de 950 euros"),
    ("Mein Hund heißt Rex.", "ändere den Namen meines Hundes in Max", "Rex", "mein Hund heißt Max"),
]


async def _texts(client: ApiClient) -> list[str]:
    return [memory["text"] for memory in await client.memories()]


@pytest.mark.parametrize(("known", "request_", "old", "new"), KNOWN_AND_CHANGED)
async def test_a_request_leaves_one_memory_with_the_new_value(
    ada: ApiClient, known: str, request_: str, old: str, new: str
) -> None:
    await ada.send(known)
    await ada.flush()
    [before] = await _texts(ada)
    await ada.send(request_)
    recalled = (await ada.send("What do you know about me?")).recalled
    assert any(new.casefold() in one.casefold() for one in recalled)
    assert not any(old in one or request_ in one for one in recalled)
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"] == new
    (await ada.http.post(f"/memories/{memory['id']}/undo")).raise_for_status()
    assert await _texts(ada) == [before]


async def test_a_request_about_something_unknown_states_it(ada: ApiClient) -> None:
    await ada.send("update my address: 12 Oak Road")
    await ada.flush()
    assert await _texts(ada) == ["Address is 12 Oak Road"]


async def test_a_name_is_spelled_as_the_user_says(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("My sister's name is Katherine.", thread=thread)
    await ada.send("her name is spelled Catherine", thread=thread)
    await ada.flush()
    assert await _texts(ada) == ["My sister's name is Catherine"]


async def test_another_address_stays_beside_the_users(ada: ApiClient) -> None:
    await ada.send("My address is 4 Elm Street.")
    await ada.send("My parents' address is 12 Oak Road.")
    await ada.flush()
    assert sorted(await _texts(ada)) == ["Address is 4 Elm Street", "Parents' address is 12 Oak Road"]


async def test_of_several_dogs_none_loses_its_name(ada: ApiClient) -> None:
    for name in ("Rex", "Bo"):
        await ada.send(f"I have a dog called {name}.")
    await ada.flush()
    await ada.send("rename my dog to Max")
    await ada.flush()
    assert sorted(await _texts(ada)) == ["Dog is called Max", "Has a dog called Bo", "Has a dog called Rex"]
