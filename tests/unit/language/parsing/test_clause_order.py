"""German and Dutch clauses in the order of a main clause."""

import pytest

from agent.language.parsing.clause_order import to_main_clause


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
        ("ik geen melk drink", "ik drink geen melk"),
        ("ik schoenmaat 43 heb", "ik heb schoenmaat 43"),
        ("ik op maandag nooit kan", "ik kan op maandag nooit"),
        ("mijn vlucht op 12 mei is", "mijn vlucht is op 12 mei"),
        ("ik in Utrecht heb gewoond", "ik heb in Utrecht gewoond"),
        ("ik op zondag moet werken", "ik moet op zondag werken"),
        ("ik elke dag om zeven opsta", "ik sta elke dag om zeven op"),
        ("mijn dochter allergisch is voor noten", "mijn dochter is allergisch voor noten"),
        ("we in juni gaan trouwen", "we gaan in juni trouwen"),
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
        "ik drink geen melk",
        "ik woon in Utrecht",
        "ik ben op maandag vrij",
        "mijn broer heet Ivo",
        "ik werk bij een bakker",
        "we hopen volgend jaar te gaan",
        "ik woon in het huis dat van mijn opa was",
        "mijn zus woont in Gent en werkt daar",
        "I live in Leeds",
        "my brother likes pizza",
        "ich",
        "ich bin",
        "",
    ],
)
def test_other_texts_remain(text: str) -> None:
    assert to_main_clause(text) == text
