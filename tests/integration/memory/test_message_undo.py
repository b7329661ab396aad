"""What a message has stated or changed is undone by the next one."""

from support.client import ApiClient, new_thread


async def texts(client: ApiClient) -> set[str]:
    await client.flush()
    return {memory["text"] for memory in await client.memories()}


async def test_a_pending_change_is_undone_and_its_undo_names_both(ada: ApiClient, bob: ApiClient) -> None:
    for client in (ada, bob):
        await client.send("My dog is called Rex.")
        await client.flush()
    thread = new_thread()
    await bob.send("rename my dog to Max")
    await ada.send("rename my dog to Max", thread=thread)
    undone = await ada.send("undo that", thread=thread)
    assert undone.text == "Undone: my dog is called Max\n\nRestored: Dog is called Rex"
    assert "Max" not in (await ada.send("What's my dog's name?", thread=thread)).text
    assert await texts(ada) == {"Dog is called Rex"}
    assert await texts(bob) == {"Dog is called Max"}


async def test_a_change_is_undone_after_it_is_processed(ada: ApiClient) -> None:
    thread = new_thread()
    for message in ("I live at 4 Elm Street.", "I play chess.", "change my address to 12 Oak Road"):
        await ada.send(message, thread=thread)
        await ada.flush()
    assert (await ada.send("undo that", thread=thread)).text.endswith("Restored: Lives at 4 Elm Street")
    assert await texts(ada) == {"Lives at 4 Elm Street", "Plays chess"}


async def test_what_a_message_only_confirms_remains(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I play chess.")
    await ada.flush()
    await ada.send("I play chess. I have a cat.", thread=thread)
    await ada.flush()
    await ada.send("undo that", thread=thread)
    assert await texts(ada) == {"Plays chess"}
