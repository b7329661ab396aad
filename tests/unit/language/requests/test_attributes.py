"""The attributes that a question names, and the statements about them."""

import pytest

from agent.language.requests.attributes import (
    asked_attributes,
    asked_own_attributes,
    attributes,
    states_any,
    states_asked,
)


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("What sports do I do?", "Runs with the Harriers on Sundays"),
        ("do I do any exercise?", "Plays five-a-side on Tuesdays"),
        ("which languages do I know?", "Is learning Korean with a tutor"),
        ("What pets do we have?", "The tortoise hibernates in the garage"),
        ("Which instruments do I play?", "Learning the drums from videos"),
        ("What trips have I planned?", "We're flying to Rome on 12 December"),
        ("Do I have any appointments next week?", "Interview at Deloitte on Thursday"),
        ("What are my hobbies?", "Plays chess on Fridays"),
        ("Welchen Sport mache ich?", "Sonntags gehe ich klettern"),
        ("¿Qué deportes hago?", "juego al pádel los miércoles"),
        ("Quels instruments je joue ?", "je fais du violon depuis l'enfance"),
        ("我做什么运动", "我每周游泳两次"),
    ],
)
def test_a_question_names_the_attribute_that_a_statement_gives(question: str, statement: str) -> None:
    assert states_any(statement, asked_attributes(question))


@pytest.mark.parametrize("question", ["Where do I live?", "What is my name?", "How old am I?", "Who wrote Emma?"])
def test_a_question_for_one_value_names_none_of_several(question: str) -> None:
    assert not asked_attributes(question)


@pytest.mark.parametrize(
    ("request_text", "statement"),
    [
        ("mijn salaris", "ik verdien 2600 netto"),
        ("mijn baan", "ik werk als verpleegkundige in het UMC"),
        ("mijn gewicht", "ik weeg 94 kilo"),
        ("mijn huisdieren", "we hebben een hond, Bolle"),
        ("mijn gezondheid", "ik heb reuma"),
        ("ma santé", "j'ai un diabète de type 2"),
        ("meine Gesundheit", "ich habe Morbus Crohn"),
        ("la mia salute", "ho la celiachia"),
    ],
)
def test_a_named_attribute_is_stated_in_other_words(request_text: str, statement: str) -> None:
    assert states_any(statement, attributes(request_text))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where do I live?", "home"),
        ("where did we live before", "home"),
        ("Wo wohne ich?", "home"),
        ("Wo habe ich früher gewohnt?", "home"),
        ("Où est-ce que j'habite ?", "home"),
        ("¿Dónde vivo?", "home"),
        ("Where do I work?", "job"),
        ("Was ist mein Beruf?", "job"),
        ("Dove lavoro?", "job"),
        ("what's my name", "name"),
        ("Wie heiße ich?", "name"),
        ("what do i drive", "car"),
    ],
)
def test_a_question_for_one_attribute_of_the_user(question: str, expected: str) -> None:
    assert asked_own_attributes(question) == {expected}


@pytest.mark.parametrize(
    "question",
    [
        "Where does Joanna live?",
        "Wo wohnt meine Mutter?",
        "What is my dog's name?",
        "Wie heißt mein Kater?",
        "Où habite Anne ?",
    ],
)
def test_a_question_about_others_asks_for_no_attribute_of_the_user(question: str) -> None:
    assert asked_own_attributes(question) == frozenset()


def test_an_introduction_gives_a_name() -> None:
    assert states_asked("Hallo, ich bin Jonas und wohne in Kiel", {"name"})
    assert states_asked("Hi! I'm Hannah, I'm 34", {"name"})
    assert not states_asked("I'm Italian food's biggest fan", {"name"})
    assert not states_asked("Mein Steuerberater heißt Herr Vogt", {"name"})
