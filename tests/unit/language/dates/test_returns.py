"""The day of a return is later than that of the departure."""

from datetime import date

import pytest

from agent.language.dates.notes import date_note

SUNDAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("we fly to Oslo on Friday and come back on Monday", " (Friday: 4 December 2026; Monday: 7 December 2026)"),
        (
            "wir fliegen am Freitag und kommen am Montag zurück",
            " (Freitag: 4. Dezember 2026; Montag: 7. Dezember 2026)",
        ),
        ("on part vendredi et on rentre lundi", " (vendredi: 4 décembre 2026; lundi: 7 décembre 2026)"),
        ("I'm in York on Monday, home on Sunday", " (Monday: 30 November 2026; Sunday: 6 December 2026)"),
        ("I'm back on Monday", " (30 November 2026)"),
        ("gym on Friday, back pain appointment on Monday", " (Friday: 4 December 2026; Monday: 30 November 2026)"),
    ],
)
def test_a_return_is_after_the_departure(text: str, note: str) -> None:
    assert date_note(text, SUNDAY) == note
