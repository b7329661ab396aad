"""What a user corrects at once is no fact; the message is kept in the user's own words."""

import pytest

from agent.language.facts.extraction import extract_from_user


def facts(message: str) -> list[str]:
    return [fact.text for fact in extract_from_user(message)]


@pytest.mark.parametrize(
    "message",
    [
        "Our wedding is on May 3rd... no wait, May 13th.",
        "I live in Oslo, sorry, Bergen.",
        "My sister is called Anna - no wait, Hanna.",
        "I'm 34. no, 35!",
        "I work at BMW, I mean Audi.",
        "My dentist is Dr. Lee. Sorry, Dr. Li.",
        "My son is 7 - sorry, 8 since Monday.",
        "Vivo en Madrid. Perdón, en Toledo.",
        "Ich bin 34. Nein, 35.",
        "My flight is BA 283, it's BA 238 actually.",
        "My appointment is on Saturday. No, sorry, on Sunday.",
    ],
)
def test_a_statement_that_is_corrected_at_once_is_no_fact(message: str) -> None:
    assert facts(message) == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Call me Beth. Actually no, call me Liz.", ["Wants to be called Liz"]),
        ("I live in Leeds. Scratch that, I moved to York last week.", ["Moved to York last week"]),
        ("I'm allergic to nuts. No, really.", ["Is allergic to nuts"]),
        ("I love jazz, I mean really love it.", ["Loves jazz"]),
        ("I work at Tesco. Actually, I also have a dog.", ["Works at Tesco"]),
        ("I live in Oslo. Sorry, is that relevant?", ["Lives in Oslo"]),
        ("I'm vegan. No, thanks for asking.", ["Is vegan"]),
    ],
)
def test_other_statements_are_facts(message: str, expected: list[str]) -> None:
    assert facts(message) == expected
