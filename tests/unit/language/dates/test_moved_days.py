"""Days to which something was moved, and days with a time, are written out; ages are no dates."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note

SATURDAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("my dentist appointment got moved to Monday at 9", "30 November 2026"),
        ("play's been moved to thursday, same time", "3 December 2026"),
        ("booked him in for thursday at 3", "3 December 2026"),
        ("das Gespräch wurde auf Montag 10 Uhr verschoben", "30. November 2026"),
        ("zahnarzt wurde verschoben auf mittwoch 10 uhr", "2. Dezember 2026"),
        ("vendredi à 15h j'ai un rendez-vous chez le kiné", "4 décembre 2026"),
        ("venerdì alle 17 ho una call", "4 dicembre 2026"),
    ],
)
def test_a_day_to_which_something_was_moved_is_the_next_one(text: str, note: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == f" ({note})"


@pytest.mark.parametrize(
    "text",
    [
        "Tom a 9 ans !",
        "le vendredi à 15h j'ai piscine",
        "il venerdì alle 17 ho pilates",
        "he's 9 years old and off on mondays",
    ],
)
def test_ages_and_habits_have_no_date(text: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == ""
