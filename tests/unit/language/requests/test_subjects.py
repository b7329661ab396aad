"""The person or thing at the beginning of a statement."""

import pytest

from agent.language.requests.statement_matching import subject_of
from support.growth import MAX_GROWTH, growth


@pytest.mark.parametrize(
    ("statement", "subject"),
    [
        ("Son Ben is allergic to bees", "Son Ben"),
        ("My son Ben is allergic to bees", "son Ben"),
        ("The user's wife lives in Ulm", "wife"),
        ("Mein Sohn Ben ist allergisch gegen Bienen", "Sohn Ben"),
        ("Mi hijo Ben es alérgico a las abejas", "hijo Ben"),
        ("Mon fils Ben est allergique aux abeilles", "fils Ben"),
        ("Mio figlio Ben è allergico alle api", "figlio Ben"),
        ("O meu filho Ben é alérgico a abelhas", "filho Ben"),
        ("Mijn zoon Ben is allergisch voor bijen", "zoon Ben"),
        ("Visited Rome in May", ""),
        ("I live in Oslo with my son Ben", ""),
        ("Works at Siemens in Munich", ""),
    ],
)
def test_a_statement_begins_with_its_subject(statement: str, subject: str) -> None:
    assert subject_of(statement) == subject


@pytest.mark.parametrize("unit", ["my ", "My A", "son B"])
def test_the_time_for_a_statement_is_linear(unit: str) -> None:
    assert growth(subject_of, unit) < MAX_GROWTH
