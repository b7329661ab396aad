"""Statements in a user's own words, also within questions and requests."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, only_own_words, statement_spans
from agent.language.message_analysis import MessageContent


def stated(text: str) -> list[str]:
    return [text[slice(*span)].strip() for span in statement_spans(mask_unusable(text))]


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("As a diabetic, can I eat mango?", "As a diabetic"),
        ("Als Vegetarier, was kann ich essen?", "Als Vegetarier"),
        ("how do i tell my parents i dropped out of med school", "i dropped out of med school"),
        ("How do I tell my boss that we are expecting twins?", "we are expecting twins"),
        ("Give me gift ideas for my dad, he's turning 70.", "Give me gift ideas for my dad, he's turning 70."),
        ("Don't suggest wine, I've been sober since 2019.", "Don't suggest wine, I've been sober since 2019."),
        (
            "How do I descale a Sage Barista? That's the machine I bought last month.",
            "How do I descale a Sage Barista? That's the machine I bought last month.",
        ),
        (
            "How do I price piano lessons? I've been charging 25 an hour since 2017.",
            "How do I price piano lessons? I've been charging 25 an hour since 2017.",
        ),
        ("What is my sister called? I'm bad with names.", "I'm bad with names."),
        ("Write a poem about frogs. I live in Oslo.", "I live in Oslo."),
        ("I get motion sick in first person games. Any for Switch?", "I get motion sick in first person games."),
    ],
)
def test_a_question_or_request_may_state_something(message: str, statement: str) -> None:
    assert stated(message) == [statement]
    assert MessageContent.of(message).recallable


@pytest.mark.parametrize(
    "message",
    [
        "As a rule, can I eat mango at night?",
        "As an expert, could you tell me the best route?",
        "How do I tell my phone to be silent?",
        "Tell me a joke.",
        "What is a Sage Barista? It's on sale.",
    ],
)
def test_a_question_without_a_fact_states_nothing_about_its_first_words(message: str) -> None:
    assert not any(statement.startswith(message[:8]) for statement in stated(message))


@pytest.mark.parametrize(
    "message",
    [
        "¿Soy alérgica a los frutos secos?",
        "tengo deudas?",
        "Tengo alergia al polen, ¿verdad?",
        "wait, I live in Paris, don't I?",
        "I live in Leeds and my dog is ill, right?",
    ],
)
def test_a_question_whether_something_is_true_states_nothing(message: str) -> None:
    assert stated(message) == []
    assert extract_from_user(message) == []


@pytest.mark.parametrize(
    "correction", ["sorry, typo: my landlord is called Mr Pyke", "Edit: the deadline for the grant is the 8th."]
)
def test_a_word_for_a_correction_announces_no_text_by_another_author(correction: str) -> None:
    assert only_own_words(correction) == correction


def test_only_the_words_of_the_author_remain() -> None:
    assert "Leeds" not in only_own_words('my boss wrote: "I live in Leeds", can you answer him')


@pytest.mark.parametrize(
    "message",
    [
        "can you help me plan a birthday party for Ella? She's turning 8 on 12 March",
        "Kannst du mir helfen, ein Geschenk für Oma zu finden? Sie mag Tee.",
    ],
)
def test_a_statement_about_a_person_is_kept_with_the_request_that_names_the_person(message: str) -> None:
    assert stated(message) == [message]
