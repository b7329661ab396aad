"""What users say of themselves, read without a model."""

import pytest

from agent.language.facts import (
    clauses,
    contains_credentials,
    contains_injection,
    extract_from_user,
    contains_only_requests,
)
from support.sentences import EXAMPLE, FACTS_BY_SENTENCE, HELP, QUESTIONS, SENTENCES_WITHOUT_FACTS, STATEMENTS


def test_a_message_of_three_facts_gives_three() -> None:
    facts = extract_from_user(EXAMPLE)
    assert [(fact.text, fact.kind, fact.quote) for fact in facts] == [
        ("Lives in London", "user", "I live in London"),
        ("Nickname is RS", "user", "my nickname is RS"),
        ("Likes concise bullet answers", "procedural", "I like concise bullet answers"),
    ]


@pytest.mark.parametrize("text", FACTS_BY_SENTENCE)
def test_what_users_say_of_themselves_is_noted(text: str) -> None:
    facts = extract_from_user(text)
    assert [fact.text for fact in facts] == FACTS_BY_SENTENCE[text]
    assert all(fact.kind == "user" and fact.quote in text and fact.confidence >= 0.7 for fact in facts)


@pytest.mark.parametrize("text", HELP)
def test_how_users_want_to_be_helped_is_procedural(text: str) -> None:
    [fact] = extract_from_user(text)
    assert ([fact.text], fact.kind) == (HELP[text], "procedural")


@pytest.mark.parametrize("text", SENTENCES_WITHOUT_FACTS)
def test_questions_conditions_and_other_peoples_words_say_nothing(text: str) -> None:
    assert extract_from_user(text) == []


def test_every_line_of_a_list_is_read() -> None:
    facts = extract_from_user("About me:\n- I live in Rome\n* I like tea\n1. my job is teaching\n")
    assert [fact.text for fact in facts] == ["Lives in Rome", "Likes tea", "Job is teaching"]


def test_a_fact_is_noted_once() -> None:
    assert [fact.text for fact in extract_from_user("I like tea. I like tea!")] == ["Likes tea"]


def test_categories_follow_what_is_said() -> None:
    said = "I like tea. I live in Oslo. I use Emacs. I'm building a boat."
    assert [fact.category for fact in extract_from_user(said)] == ["preference", "personal", "technical", "project"]


def test_clauses_leave_out_what_leads_up_to_them() -> None:
    assert clauses(EXAMPLE) == ["I live in London", "my nickname is RS", "I like concise bullet answers"]


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_message_that_merely_asks_is_told(text: str) -> None:
    assert contains_only_requests(text)


@pytest.mark.parametrize("text", [*STATEMENTS, *FACTS_BY_SENTENCE])
def test_a_message_that_says_something_does_not_merely_ask(text: str) -> None:
    assert not contains_only_requests(text)


@pytest.mark.parametrize("text", [*FACTS_BY_SENTENCE, *HELP, EXAMPLE])
def test_what_the_rules_note_passes_the_gates(text: str) -> None:
    for fact in extract_from_user(text):
        assert not any(
            gate(words) for gate in (contains_credentials, contains_injection) for words in (fact.text, fact.quote)
        )
