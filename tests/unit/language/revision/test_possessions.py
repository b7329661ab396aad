"""A statement about something of the user concerns no one else's, and a shift of a date is no other date."""

import pytest

from agent.language.references.relations import shared_things
from agent.language.revision.contradictions import contradicts

STATED_AT = "2026-11-20T10:00:00+00:00"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Mum's favourite flower is the peony", "my favourite flower is the tulip"),
        ("Tom's favourite colour is red", "Favourite colour is blue"),
        ("My brother's rent is 900", "my rent is 950"),
        ("Papas Lieblingsblume ist die Rose", "meine Lieblingsblume ist die Tulpe"),
        ("la fleur préférée de maman est la rose", "ma fleur préférée est la tulipe"),
        ("il colore preferito di mio fratello è il rosso", "il mio colore preferito è il blu"),
    ],
)
def test_a_possession_of_the_user_replaces_none_of_others(old: str, new: str) -> None:
    assert not contradicts(new, old, stated_at=STATED_AT)
    assert not shared_things(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Mum's favourite flower is the peony", "Mum's favourite flower is the tulip now"),
        ("The flat's rent is 900", "my rent is 950"),
        ("My wife's name is Anna", "my wife is called Eva"),
        ("My favourite colour is red", "my favourite colour is blue"),
    ],
)
def test_a_possession_of_the_same_owner_is_replaced(old: str, new: str) -> None:
    assert contradicts(new, old, stated_at=STATED_AT)


@pytest.mark.parametrize(
    ("old", "new"), [("Eva's daughter is 5", "My daughter is 9"), ("I was born in 1988", "My son was born in 2015")]
)
def test_statements_about_different_people_are_unrelated(old: str, new: str) -> None:
    assert not shared_things(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My exam is on 10 December", "exam pushed back two days"),
        ("Meine Prüfung ist am 10. Dezember", "Prüfung wurde um zwei Tage verschoben"),
        ("Mon examen est le 10 décembre", "l'examen est repoussé de deux jours"),
    ],
)
def test_a_shift_is_kept_with_the_date_that_it_changes(old: str, new: str) -> None:
    assert not contradicts(new, old, stated_at=STATED_AT)


def test_another_date_replaces_the_earlier_one() -> None:
    assert contradicts("exam pushed back to 12 December", "My exam is on 10 December", stated_at=STATED_AT)
