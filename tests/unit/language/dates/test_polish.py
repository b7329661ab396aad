"""Polish dates, whose words decline, and which are written without accents, too."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note
from agent.language.dates.resolution import mentions

SATURDAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("jutro jadę do Krakowa na rynku", "29 listopada 2026"),
        ("wczoraj zdałam egzamin", "27 listopada 2026"),
        ("pojutrze mam dentystę", "30 listopada 2026"),
    ],
)
def test_relative_days_are_written_out(text: str, note: str) -> None:
    assert date_note(text, SATURDAY, spoken=text) == f" ({note})"


@pytest.mark.parametrize(
    ("text", "day"), [("ślub 5 stycznia 2027", (5, 1)), ("od 3 marca 2027", (3, 3)), ("3 maja 2027", (3, 5))]
)
def test_months_are_read(text: str, day: tuple[int, int]) -> None:
    [mention] = mentions(text, SATURDAY)
    assert {(one.start.day, one.start.month) for one in mention.periods} == {day}


@pytest.mark.parametrize("text", ["una marca de ropa", "Maja ma dwa koty"])
def test_words_of_other_languages_and_names_are_no_months(text: str) -> None:
    assert not list(mentions(text, SATURDAY))
