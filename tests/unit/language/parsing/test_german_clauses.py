"""German clauses in the order of a main clause."""

import pytest

from agent.language.parsing.german_clauses import to_main_clause


@pytest.mark.parametrize(
    ("clause", "main"),
    [
        ("ich montags nie kann", "ich kann montags nie"),
        ("ich in Kassel wohne", "ich wohne in Kassel"),
        ("ich nach Kiel gezogen bin", "ich bin nach Kiel gezogen"),
        ("ich heute Geburtstag habe", "ich habe heute Geburtstag"),
        ("ich jeden Tag um sieben aufstehe", "ich stehe jeden Tag um sieben auf"),
        ("ich keine Milch vertrage", "ich vertrage keine Milch"),
        ("ich gerne Schach spiele", "ich spiele gerne Schach"),
        ("mein Bruder Pizza mag", "mein Bruder mag Pizza"),
        ("meine Tochter eine Nussallergie hat", "meine Tochter hat eine Nussallergie"),
        ("meine Eltern in Bonn leben", "meine Eltern leben in Bonn"),
        ("wir im Juni heiraten", "wir heiraten im Juni"),
        ("sie nicht mehr bei uns arbeitet", "sie arbeitet nicht mehr bei uns"),
        ("ich auf Nachrichten abends nicht antworte", "ich antworte auf Nachrichten abends nicht"),
    ],
)
def test_a_clause_with_its_verb_at_the_end_is_reordered(clause: str, main: str) -> None:
    assert to_main_clause(clause) == main


@pytest.mark.parametrize(
    "text",
    [
        "ich trinke keinen Kaffee",
        "ich trinke Kaffee gerne",
        "ich wohne in Kassel, weil ich dort arbeite",
        "mein Hund heißt Bello",
        "meine Katze ist alt",
        "I live in Leeds",
        "my brother likes pizza",
        "ich",
        "ich bin",
        "",
    ],
)
def test_other_texts_remain(text: str) -> None:
    assert to_main_clause(text) == text
