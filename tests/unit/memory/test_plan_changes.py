"""Plans that later statements cancel or move, and reminders of what has been done."""

from datetime import date

import pytest

from agent.memory.recall.plan_changes import apply_changes, joined_events, plan_change

STATED = date(2026, 11, 29)


def _days(*statements: str) -> list[str]:
    """The days of what is planned after statements in their order."""
    found = [joined_events(text, STATED, STATED) for text in statements]
    changes = [plan_change(text, STATED) for text in statements]
    others = [event for each in found for event in each]
    current = [apply_changes(each, filter(None, changes[n + 1 :]), others) for n, each in enumerate(found)]
    return [event.period.start.isoformat() for each in current for event in each]


@pytest.mark.parametrize(
    "statements",
    [
        ("We're going to Rome on 10 December", "the trip got cancelled"),
        ("Dinner with Ana on 4 December", "dinner with Ana is off"),
        ("Mein Zahnarzttermin ist am 8. Dezember", "Der Termin wurde abgesagt."),
        ("Mi vuelo es el 12 de diciembre", "El vuelo se canceló."),
        ("J'ai un concert le 12 décembre", "Le concert est annulé."),
        ("Ho un volo il 9 dicembre", "Il volo è stato cancellato"),
        ("Remind me to call mum tomorrow", "done, I called mum"),
        ("Remind me to pay the rent on Friday", "paid the rent"),
    ],
)
def test_what_is_cancelled_or_done_is_no_longer_planned(statements: tuple[str, ...]) -> None:
    assert _days(statements[0]) != []
    assert _days(*statements) == []


@pytest.mark.parametrize(
    ("statements", "day"),
    [
        (("My exam is on 10 December", "The exam has been postponed by a week"), "2026-12-17"),
        (("My exam is on 10 December", "exam brought forward by two days"), "2026-12-08"),
        (("Mein Zahnarzttermin ist am 8. Dezember", "Der Termin wurde um eine Woche verschoben"), "2026-12-15"),
        (("Ho il dentista il 9 dicembre", "Il dentista è stato spostato all'11 dicembre"), "2026-12-11"),
        (("My exam is on 10 December", "The exam was moved to 11 December"), "2026-12-11"),
    ],
)
def test_a_plan_that_was_moved_is_on_its_new_day_only(statements: tuple[str, ...], day: str) -> None:
    assert _days(*statements) == [day]


@pytest.mark.parametrize(
    "statements",
    [
        ("Dentist on 8 December", "Dinner with Ana is cancelled"),
        ("Lunch with Ana on 8 December", "dinner with Ana is off"),
        ("We fly to Rome on 8 December, and to Oslo on 9 December", "I've booked a hotel"),
        ("We're going to Rome on 8 December", "I'm off on Friday"),
        ("Dentist on 8 December", "the trip got cancelled"),
        ("We fly to Rome on 8 December", "I need to cancel my gym membership"),
        ("the trip got cancelled", "We're going to Rome on 8 December"),
    ],
)
def test_other_plans_remain(statements: tuple[str, ...]) -> None:
    assert "2026-12-08" in _days(*statements)


def test_a_change_in_the_same_memory_concerns_the_plan_before_it() -> None:
    assert joined_events("My exam is on 10 December \u2026 it got cancelled", STATED, STATED) == []
    (event,) = joined_events("My exam is on 10 December \u2192 it was moved to the 11th of December", STATED, STATED)
    assert event.period.start == date(2026, 12, 11)
