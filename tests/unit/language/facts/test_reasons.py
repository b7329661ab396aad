"""What a question or task states about other people, occasions and groups is kept."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, statement_spans, without_masked


def stated(message: str) -> list[str]:
    masked = mask_unusable(message)
    return [text for span in statement_spans(masked) if (text := without_masked(message, masked, span))]


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("where should we eat, Poppy cant have eggs", "Poppy cant have eggs"),
        ("whats a good first bike, Leo turns 5 in May", "Leo turns 5 in May"),
        ("any ideas for tea, Sam went veggie", "Sam went veggie"),
        ("where can i park, the wedding is at St Marys on Saturday", "the wedding is at St Marys on Saturday"),
        ("what do you take to a hospital, Dads op is on Tuesday", "Dads op is on Tuesday"),
        ("what film, theres six of us and Ben hates horror", "theres six of us and Ben hates horror"),
        ("how much rice, there are 14 people coming", "there are 14 people coming"),
        ("which wine goes with fish, Tom doesn't drink red", "Tom doesn't drink red"),
        ("wo kann man essen, Mia isst kein Fleisch", "Mia isst kein Fleisch"),
        ("dónde cenamos, Pablo es celíaco", "Pablo es celíaco"),
        ("cosa cucino, Giulia è celiaca", "Giulia è celiaca"),
        ("o que cozinho, o Rui não come carne", "o Rui não come carne"),
        ("wat koken we, Lotte eet geen vlees", "Lotte eet geen vlees"),
        ("give me a recipe, Poppy cant have eggs", "Poppy cant have eggs"),
        ("give me a recipe for tonight, Nan is diabetic", "Nan is diabetic"),
        ("suggest a present, Gran likes gardening", "Gran likes gardening"),
    ],
)
def test_a_fact_about_others_after_a_request_is_kept(message: str, statement: str) -> None:
    assert stated(message) == [statement]
    assert extract_from_user(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "what would you get a man of 74, its Dereks birthday on the 9th",
        "how long for a 4kg bird, were 9 people",
        "what to buy, it's for Priya's baby shower",
        "qué regalo, es el cumpleaños de Marta",
        "quel gâteau, c'est l'anniversaire de Zoé",
        "write it short, it's for Derek's 70th",
    ],
)
def test_a_reason_is_kept_with_the_request_that_it_refers_to(message: str) -> None:
    assert stated(message) == [message]
    assert not any(fact.kind == "procedural" for fact in extract_from_user(message))


@pytest.mark.parametrize(
    "message",
    [
        "what is the biggest city, Tokyo is huge",
        "which is better, Python is slow",
        "what year was that, Nixon was president",
        "where is the exit, the sign is broken",
        "how many legs, spiders have eight",
        "how does it work, it's for phones",
        "what is a group, there are 4 axioms",
        "how far is it, were nearly there",
        "when do clocks change, its spring",
    ],
)
def test_what_a_question_says_about_the_world_is_not_kept(message: str) -> None:
    assert stated(message) == []
