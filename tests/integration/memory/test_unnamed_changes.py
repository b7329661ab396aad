"""Messages that may change the one before them without naming it, or add to it, are remembered together with it."""

import pytest

from support.client import ApiClient, new_thread
from support.formation import extraction, fact
from support.scripted_openai import ScriptedOpenAI

UNNAMED_CHANGES = [
    ("i'm vegan btw", "vegetarian really, i can't quit cheese and it'd be a lie", "Am I vegan or vegetarian?"),
    ("The kids have swimming on Saturdays.", "Full! We landed in the Wednesday group", "When do the kids swim?"),
    ("Our wedding is in Cork.", "Venue flooded. They're having us in Kinsale", "Where is our wedding?"),
    ("Mi hijo va a natación.", "piscina cerrada, será judo", "¿Qué hace mi hijo?"),
]


@pytest.mark.parametrize(("statement", "message", "question"), UNNAMED_CHANGES)
async def test_a_change_that_does_not_name_what_it_concerns_is_kept_with_it(
    ada: ApiClient, statement: str, message: str, question: str
) -> None:
    thread = new_thread()
    await ada.send(statement, thread=thread)
    await ada.send(message, thread=thread)
    expected = f"{statement.rstrip('.')} … {message}"
    assert [expected] == (await ada.send(question)).recalled
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["text"].startswith(expected)


async def test_a_fact_that_an_unnamed_change_replaces_can_be_restored(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("i'm vegan btw", thread=thread)
    await ada.flush()
    [fact] = await ada.memories()
    assert fact["text"] == "Is vegan"
    await ada.send("vegetarian really, i can't quit cheese and it'd be a lie", thread=thread)
    await ada.flush()
    [memory] = await ada.memories()
    assert memory["standing"]
    [change] = (await ada.http.get(f"/memories/{memory['id']}/history")).json()["items"]
    assert change["text"] == "Is vegan"
    (await ada.http.post(f"/memories/{memory['id']}/undo")).raise_for_status()
    texts = {one["text"] for one in await ada.memories()}
    assert "Is vegan" in texts


async def test_additions_and_conclusions_are_kept_with_what_they_are_about(ada: ApiClient) -> None:
    thread = new_thread()
    said = ["We've booked a caravan in Tenby", "Mum's coming too", "and the dog", "site doesn't take dogs apparently"]
    for text in (*said, "so Saundersfoot it is"):
        await ada.send(text, thread=thread)
    [recalled] = (await ada.send("Where have we booked a caravan?")).recalled
    await ada.flush()
    [memory] = await ada.memories()
    for text in (recalled, memory["text"]):
        assert text.startswith("; ".join(said))
        assert text.endswith("so Saundersfoot it is")


async def test_forgetting_an_addition_leaves_the_statement(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("We've booked a caravan in Tenby", thread=thread)
    await ada.send("Mum's coming too", thread=thread)
    await ada.flush()
    await ada.send("forget that Mum's coming")
    [memory] = await ada.memories()
    assert "Tenby" in memory["text"]
    assert "Mum" not in memory["text"]


@pytest.mark.parametrize("episode", ["", "User said that the tremor is mild and was diagnosed in 2017."])
async def test_a_fact_is_kept_if_no_memory_of_the_next_message_contains_it(
    client: ApiClient, model: ScriptedOpenAI, episode: str
) -> None:
    thread = new_thread()
    stated, added = "My husband Walter has Parkinson's.", "Diagnosed in 2017. The tremor is mild."
    model.script.reply = lambda _: "Noted."
    model.script.structured = lambda *_: extraction(fact("Husband Walter has Parkinson's", stated)).model_dump()
    await client.send(stated, thread=thread)
    await client.flush()
    model.script.structured = lambda *_: extraction(fact("Diagnosed in 2017", added), episode=episode).model_dump()
    await client.send(added, thread=thread)
    await client.flush()
    told = " ".join([memory["text"] for memory in await client.memories()])
    assert "Walter has Parkinson's" in told
    assert "2017" in told
