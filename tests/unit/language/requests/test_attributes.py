"""The attributes that a question names, and the statements about them."""

import pytest

from agent.language.requests.attributes import asked_attributes, attributes, states_any


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
