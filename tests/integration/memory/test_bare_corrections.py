"""A correction that gives nothing but another value changes the statement that it corrects."""

from collections.abc import Sequence

import pytest

from support.client import ApiClient, new_thread


@pytest.mark.parametrize(
    ("statement", "between", "correction", "kept"),
    [
        ("W weekend jedziemy w Tatry", ["co warto spakować?"], "jednak w Beskidy", "W weekend jedziemy w Beskidy"),
        ("Papa wordt zaterdag 70", ["dank je!"], "Hij wordt trouwens 71", "Papa wordt zaterdag 71"),
        (
            "Die Klausur ist am 3. Januar",
            ["danke", "was soll ich lernen?"],
            "ach quatsch, am 4. Januar",
            "Die Klausur ist am 4. Januar",
        ),
        (
            "we're moving to Bradford in spring",
            ["what's the weather like there?"],
            "scrap that, Leeds",
            "we're moving to Leeds in spring",
        ),
        ("The fair runs from 10 to 14 May", ["thanks"], "no, 12 to 14", "The fair runs from 12 to 14 May"),
        ("my daughter mia just turned 4", [], "scratch that, mia is 5", "my daughter mia is 5"),
        ("My son Leo is 9", [], "Leo turned 10 yesterday", "My son Leo turned 10 yesterday"),
        ("My flatmate's name is Catherine", [], "it's Katharine, not Catherine", "Flatmate's name is Katharine"),
        (
            "Wir haben einen Tisch für acht reserviert",
            ["danke"],
            "zwei haben abgesagt, also sind wir sechs",
            "Wir haben einen Tisch für sechs reserviert",
        ),
        ("My son's name is Jon", [], "it's spelled John", "My son's name is John"),
    ],
)
async def test_small_talk_and_questions_may_stand_before_a_correction(
    ada: ApiClient, statement: str, between: Sequence[str], correction: str, kept: str
) -> None:
    thread = new_thread()
    for text in (statement, *between, correction):
        await ada.send(text, thread=thread)
    await ada.flush()
    assert [memory["text"].split(" (")[0] for memory in await ada.memories()] == [kept]
