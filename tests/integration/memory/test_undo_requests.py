"""What a request to forget has removed can be restored in the chat."""

import pytest

from support.client import ApiClient, new_thread


async def texts(client: ApiClient) -> list[str]:
    await client.flush()
    return [memory["text"] for memory in await client.memories()]


@pytest.mark.parametrize("is_formed", [True, False])
async def test_undo_restores_what_the_message_before_has_forgotten(ada: ApiClient, *, is_formed: bool) -> None:
    thread = new_thread()
    await ada.send("I live on Elm Street. My rent is 900 euros.", thread=thread)
    if is_formed:
        await ada.flush()
    assert (await ada.send("Forget that I live on Elm Street.", thread=thread)).text.startswith("Forgotten:")
    assert "Elm Street" not in " ".join((await ada.send("Which street do I live on?")).recalled)
    assert "Elm Street" in (await ada.send("oops, undo that", thread=thread)).text
    assert "Elm Street" in (await ada.send("What do you know about me?", thread=thread)).text
    assert "Elm Street" in " ".join((await ada.send("Which street do I live on?")).recalled)
    assert sorted(await texts(ada)) == ["Lives on Elm Street", "Rent is 900 euros"]


async def test_undo_restores_what_was_chosen_from_a_list(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("Ich wohne in der Lindenstraße.", thread=thread)
    await ada.flush()
    await ada.send("Vergiss, wo ich wohne.", thread=thread)
    await ada.send("1", thread=thread)
    assert await texts(ada) == []
    assert (await ada.send("mach das rückgängig", thread=thread)).text.startswith("Wiederhergestellt:")
    assert await texts(ada) == ["Ich wohne in der Lindenstraße."]


async def test_a_second_request_to_undo_changes_nothing(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I live on Elm Street.", thread=thread)
    for message in ("Forget that I live on Elm Street.", "undo that", "undo that"):
        await ada.send(message, thread=thread)
    assert await texts(ada) == ["Lives on Elm Street"]


async def test_a_request_to_undo_restores_nothing_of_another_user(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("I live on Elm Street.")
    thread = new_thread()
    await ada.send("Forget that I live on Elm Street.", thread=thread)
    for message in ("Forget that I live on Oak Street.", "undo that"):
        await bob.send(message, thread=new_thread())
    assert await texts(bob) == []
    assert await texts(ada) == []


async def test_a_message_that_was_forgotten_before_it_was_processed_can_be_restored(ada: ApiClient) -> None:
    sent = await ada.send("I live on Elm Street.")
    await ada.send("Forget that I live on Elm Street.")
    message = sent.data("run.started")["message_id"]
    answer = await ada.http.post(f"/memories/{message}/undo")
    assert answer.is_success
    assert await texts(ada) == ["Lives on Elm Street"]
