"""Of two values of the same thing, one memory states which one holds."""

import re

import pytest

from support.client import ApiClient, new_thread
from support.conversations import say, texts


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("gig starts at 8", "the gig's been pushed back to 9", "gig starts at 9"),
        (
            "Het concert begint om 8 uur",
            "het concert is uitgesteld naar 9 uur",
            "Het concert begint om 8 uur → het concert is uitgesteld naar 9 uur",
        ),
        (
            "Il nostro volo è alle 7",
            "il volo è in ritardo, parte alle 9",
            "Il nostro volo è alle 7 → il volo è in ritardo, parte alle 9",
        ),
    ],
)
async def test_a_memory_states_which_of_two_values_holds(ada: ApiClient, old: str, new: str, kept: str) -> None:
    await ada.send(old, thread=new_thread())
    await ada.send(new, thread=new_thread())
    await ada.flush()
    assert [memory["text"] for memory in await ada.memories()] == [kept]


THREE_DATES = [
    (
        "Meine Frau hat am Dienstag eine Knie-OP",
        "Die OP wurde auf den 9. Dezember verlegt",
        "Nee, die OP ist jetzt doch wieder am 8.12., früh um 7",
        "Meine Frau hat am Dienstag eine Knie-OP; Die OP wurde auf den 9. Dezember verlegt"
        " → Nee, die OP ist jetzt doch wieder am 8.12., früh um 7",
    ),
    (
        "Meine Frau hat eine Knie-OP im März",
        "Die OP wurde auf April verlegt",
        "Nee, die OP ist doch im Mai",
        "Meine Frau hat eine Knie-OP im Mai",
    ),
]


@pytest.mark.parametrize(("first", "second", "third", "kept"), THREE_DATES)
async def test_consecutive_dates_of_an_event_become_one_memory(
    ada: ApiClient, first: str, second: str, third: str, kept: str
) -> None:
    await say(ada, first, f"{second}.", third)
    [text] = await texts(ada)
    assert re.sub(r" \(\d[^()]*\)", "", text) == kept  # without the dates of weekdays


async def test_a_place_instead_of_another_one_is_marked_as_the_one_that_holds(ada: ApiClient) -> None:
    old, new = "We gaan in februari op wintersport naar Oostenrijk", "we gaan niet naar Oostenrijk maar naar Frankrijk"
    await say(ada, old, new)
    assert await texts(ada) == [f"{old} → {new}"]


CHANGED_APPOINTMENTS = [
    ("Choir practice with Sue is on Thursdays at 7 in the chapel", "choir practice is on Wednesdays now"),
    ("My dentist appointment is on Tuesday at 3", "dentist got moved to Wednesday"),
]


@pytest.mark.parametrize(("statement", "change"), CHANGED_APPOINTMENTS)
@pytest.mark.parametrize("is_formed", [True, False])
async def test_another_day_changes_the_statement_and_keeps_what_else_it_says(
    ada: ApiClient, statement: str, change: str, *, is_formed: bool
) -> None:
    await ada.send(statement)
    if is_formed:
        await ada.flush()
    await ada.send(change)
    await ada.flush()
    changed = re.sub(r"T\w+day", "Wednesday", statement)
    assert [text.split(" (")[0] for text in await texts(ada)] == [changed]


@pytest.mark.parametrize("is_formed", [True, False])
@pytest.mark.parametrize(
    ("said", "question", "told"),
    [
        (
            CHANGED_APPOINTMENTS[0],
            "When is choir practice?",
            "Choir practice with Sue is on Wednesdays at 7 in the chapel",
        ),
        (("Yoga with Pia is at 6 in Hove", "yoga is at 7 now"), "When is yoga?", "Yoga with Pia is at 7 in Hove"),
        (
            ("My flight to Oslo leaves at 8:15 from gate 4", "my flight leaves at 9:40 now"),
            "When is my flight?",
            "My flight to Oslo leaves at 9:40 from gate 4",
        ),
        (
            ("Yoga with Pia is on Mondays at 6 in Hove", "yoga moved to Thursdays because Pia is ill"),
            "When is yoga?",
            "Yoga with Pia is at 6 in Hove … yoga moved to Thursdays because Pia is ill",
        ),
    ],
)
async def test_a_pending_change_is_not_told_beside_the_statement_with_its_value(
    ada: ApiClient, said: tuple[str, str], question: str, told: str, *, is_formed: bool
) -> None:
    statement, change = said
    await ada.send(statement)
    if is_formed:
        await ada.flush()
    await ada.send(change)
    assert (await ada.send(question)).recalled == [told]


async def test_a_changed_statement_is_changed_again_restored_and_forgotten(ada: ApiClient) -> None:
    await say(ada, "Choir practice with Sue is on Thursdays at 7", "choir practice is on Wednesdays now")
    await say(ada, "choir practice is on Mondays now")
    assert await texts(ada) == ["Choir practice with Sue is on Mondays at 7"]
    [memory] = await ada.memories()
    (await ada.http.post(f"/memories/{memory['id']}/undo")).raise_for_status()
    assert await texts(ada) == ["Choir practice with Sue is on Wednesdays at 7"]
    [memory] = await ada.memories()
    (await ada.http.delete(f"/memories/{memory['id']}")).raise_for_status()
    assert "choir" not in " ".join((await ada.send("When is choir practice?")).recalled)
