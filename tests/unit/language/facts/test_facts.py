"""Extraction of facts from the user's own words."""

import pytest

from agent.language.facts.extraction import contains_only_requests, extract_from_user, plain_clauses
from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection
from support.sentences import EXAMPLE, FACTS_BY_SENTENCE, HELP, QUESTIONS, SENTENCES_WITHOUT_FACTS, STATEMENTS


def test_a_message_with_three_facts_yields_three() -> None:
    facts = extract_from_user(EXAMPLE)
    assert [(fact.text, fact.kind, fact.quote) for fact in facts] == [
        ("Lives in London", "user", "I live in London"),
        ("Nickname is RS", "user", "my nickname is RS"),
        ("Likes concise bullet answers", "procedural", "I like concise bullet answers"),
    ]


def test_facts_about_the_same_subject_are_separate() -> None:
    facts = extract_from_user("I live in Leeds and have a dog called Pepper")
    assert [fact.text for fact in facts] == ["Lives in Leeds", "Has a dog called Pepper"]
    assert extract_from_user("I'm single and happy about it.")


@pytest.mark.parametrize("text", FACTS_BY_SENTENCE)
def test_statements_of_users_about_themselves_are_facts(text: str) -> None:
    facts = extract_from_user(text)
    assert [fact.text for fact in facts] == FACTS_BY_SENTENCE[text]
    assert all(fact.kind == "user" and fact.quote in text and fact.confidence >= 0.7 for fact in facts)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I have a flat in Leeds that I rent out", "Has a flat in Leeds"),
        ("I live in a village where I grew up", "Lives in a village"),
        ("I own a boat that leaks", "Owns a boat that leaks"),
    ],
)
def test_a_fact_ends_before_a_relative_clause_about_the_user(text: str, fact: str) -> None:
    assert [one.text for one in extract_from_user(text)] == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "the nanny's name is rosa",
        "My sister Ines passed away in March.",
        "my brother Ken died last year",
        "I'm allergic to work haha",
    ],
)
def test_names_of_others_deaths_and_jokes_are_no_facts(text: str) -> None:
    assert extract_from_user(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "My brother lives there",
        "I'm allergic to it",
        "I have two of them",
        "We've got a baby with us",
        "I work there too",
    ],
)
def test_what_is_not_understood_without_its_conversation_is_no_fact(text: str) -> None:
    assert not extract_from_user(text)


@pytest.mark.parametrize("text", HELP)
def test_instructions_for_the_assistant_are_procedural(text: str) -> None:
    [fact] = extract_from_user(text)
    assert ([fact.text], fact.kind) == (HELP[text], "procedural")


@pytest.mark.parametrize("text", SENTENCES_WITHOUT_FACTS)
def test_questions_conditions_and_reported_speech_contain_no_facts(text: str) -> None:
    assert extract_from_user(text) == []


def test_every_line_of_a_list_is_parsed() -> None:
    facts = extract_from_user("About me:\n- I live in Rome\n* I like tea\n1. my job is teaching\n")
    assert [fact.text for fact in facts] == ["Lives in Rome", "Likes tea", "Job is teaching"]


def test_a_repeated_fact_is_extracted_once() -> None:
    assert [fact.text for fact in extract_from_user("I like tea. I like tea!")] == ["Likes tea"]


def test_categories_depend_on_the_verb() -> None:
    text = "I like tea. I live in Oslo. I use Emacs. I'm building a boat."
    assert [fact.category for fact in extract_from_user(text)] == ["preference", "personal", "technical", "project"]


def test_clauses_omit_lead_words() -> None:
    assert plain_clauses(EXAMPLE) == ["I live in London", "my nickname is RS", "I like concise bullet answers"]


@pytest.mark.parametrize("text", QUESTIONS)
def test_questions_and_requests_contain_only_requests(text: str) -> None:
    assert contains_only_requests(text)


@pytest.mark.parametrize("text", [*STATEMENTS, *FACTS_BY_SENTENCE])
def test_a_message_with_a_statement_does_not_contain_only_requests(text: str) -> None:
    assert not contains_only_requests(text)


@pytest.mark.parametrize("text", [*FACTS_BY_SENTENCE, *HELP, EXAMPLE])
def test_extracted_facts_contain_no_credentials_and_no_injection(text: str) -> None:
    for fact in extract_from_user(text):
        assert not any(
            check(text) for check in (contains_credentials, contains_injection) for text in (fact.text, fact.quote)
        )
