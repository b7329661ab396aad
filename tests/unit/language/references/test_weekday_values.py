"""A value takes the place of another one only if the sentence remains one that the user made."""

import pytest

from agent.language.references.corrected_values import correct_value

REPLACED = [
    ("I swim every Monday", "Wednesdays now", "I swim every Wednesday"),
    ("Choir is on Monday evenings", "Wednesdays now", "Choir is on Wednesday evenings"),
    ("Choir is on Mondays", "it's Wednesdays now", "Choir is on Wednesdays"),
    ("We have a Monday class", "it's Wednesdays now", "We have a Wednesday class"),
    ("Chor ist am Montag", "jetzt mittwochs", "Chor ist mittwochs"),
    ("Chor ist montags", "jetzt am Mittwoch", "Chor ist am Mittwoch"),
    ("La coral es los lunes", "ahora es el miércoles", "La coral es el miércoles"),
    ("Inglês é na terça", "agora é na quinta", "Inglês é na quinta"),
    ("the rent is over 900", "over 950 now", "the rent is over 950"),
    (
        "My sister Anna is getting married, she is 30",
        "Hannah, not Anna",
        "My sister Hannah is getting married, she is 30",
    ),
]
KEPT = [
    ("The board meets on the first Monday of each month", "it meets on Wednesdays now"),
    ("The board meets on the first Monday of each month", "Wednesdays now"),
    ("We meet every other Tuesday", "Thursdays now"),
    ("I see my therapist every second Monday at 4", "it's Wednesdays now"),
    ("Die Chorprobe ist jeden ersten Montag im Monat", "jetzt immer mittwochs"),
    ("La réunion est le premier lundi du mois", "c'est le mercredi maintenant"),
    ("I see him next Monday", "Wednesdays now"),
    ("Chor ist montags", "jetzt Mittwoch"),
    ("I've got under 40 people coming", "it's 45 now"),
    ("I run more than 30 km a week", "40 now"),
    ("My favourite book is Rebecca, I must have read it twice", "Not Rebecca but Jamaica Inn"),
]


@pytest.mark.parametrize(("statement", "correction", "corrected"), REPLACED)
def test_a_value_is_replaced_with_the_words_that_belong_to_it(statement: str, correction: str, corrected: str) -> None:
    assert correct_value(statement, correction) == corrected


@pytest.mark.parametrize(("statement", "correction"), KEPT)
def test_a_value_that_does_not_fit_replaces_none(statement: str, correction: str) -> None:
    assert correct_value(statement, correction) is None
