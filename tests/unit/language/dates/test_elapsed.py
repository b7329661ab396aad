"""What has lasted until today is dated today; what happens in a number of weeks is dated then."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note

SATURDAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    "text",
    [
        "8 months today",
        "Nico's 8 months today",
        "baby is 8 months today!!",
        "we're 8 months sober today",
        "married 10 years today",
        "we've been together 8 months today",
        "off the booze 90 days today",
        "I've been sober for a year today",
        "quit smoking 3 weeks today",
        "our Bella is 10 weeks today",
        "fostered him 5 weeks today",
        "no ciggies 45 days today",
        "she's 6 weeks today",
        "it's three weeks today since the op",
        "a year today since we moved",
        "dad died a year today",
        "sechs Monate heute",
        "seis meses hoy",
        "ma fille a six mois aujourd'hui",
        "Luca fa sei mesi oggi",
        "o bebé faz três meses hoje",
        "de baby is acht weken vandaag",
    ],
)
def test_what_has_lasted_until_today_has_no_other_date(text: str) -> None:
    note = date_note(text, SATURDAY)
    assert "28" in note
    assert "2026" in note
    assert "2027" not in note


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("8 months tomorrow", "29 November 2026"),
        ("8 months yesterday", "27 November 2026"),
        ("Leo was 3 weeks yesterday", "27 November 2026"),
        ("my exam is two weeks today", "12 December 2026"),
        ("Exam's two weeks today", "12 December 2026"),
        ("interview at the bank a week today", "5 December 2026"),
        ("vet's moved to two weeks today", "12 December 2026"),
        ("interview a week today", "5 December 2026"),
        ("we fly a week today", "5 December 2026"),
        ("two weeks today we move house", "12 December 2026"),
        ("wedding's a month today", "28 December 2026"),
        ("moving a week tomorrow", "6 December 2026"),
        ("ten years from today i want to retire", "2036"),
    ],
)
def test_what_happens_then_is_dated_then(text: str, note: str) -> None:
    assert date_note(text, SATURDAY) == f" ({note})"
