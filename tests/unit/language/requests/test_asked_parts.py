"""A request to forget a statement means a message that only asks something beside it."""

import pytest

from agent.language.requests.asked_parts import without_asked
from agent.language.requests.statement_matching import states


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("Moved to Derby last month, any good pubs?", "I moved to Derby"),
        ("I sold the boat in June, what else could I do at weekends?", "I sold the boat"),
        ("Started keto in May, recipe ideas please", "I started keto"),
        ("Bought a red Corsa, write me a funny poem about it", "I bought a red Corsa"),
        ("ich bin nach Kiel gezogen, gibt es gute Cafés?", "ich nach Kiel gezogen bin"),
        ("me mudé a León, ¿qué bares hay?", "me mudé a León"),
        ("j'ai vendu ma voiture, combien coûte un vélo ?", "j'ai vendu ma voiture"),
        ("mi sono trasferita a Lecce, consigli per un bar?", "mi sono trasferita a Lecce"),
        ("vendi o carro, quanto custa uma bicicleta?", "vendi o carro"),
        ("ik ben verhuisd naar Gent, weet je een leuk café?", "ik naar Gent ben verhuisd"),
        ("sprzedałem samochód, ile kosztuje rower?", "sprzedałem samochód"),
    ],
)
def test_a_question_beside_a_statement_says_nothing_else(message: str, statement: str) -> None:
    assert states(message, statement)


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("I moved to Derby last month, is it far from my mum in Leeds?", "I moved to Derby"),
        ("Moved to Derby last month, my kids hate it, any pubs?", "I moved to Derby"),
        ("We adopted a greyhound, can he eat chicken? My knee hurts.", "we adopted a greyhound"),
        ("I sold the boat, is Tom's van for sale?", "I sold the boat"),
        ("I did not move to Derby, any good pubs?", "I moved to Derby"),
    ],
)
def test_what_else_a_message_says_is_not_forgotten_with_a_statement(message: str, statement: str) -> None:
    assert not states(message, statement)


def test_a_question_by_itself_remains() -> None:
    assert (
        without_asked("What are good pubs in Derby, and where are they?")
        == "What are good pubs in Derby, and where are they?"
    )
