"""What a question for a person or a list recalls."""

from agent.memory.recall.named_persons import asks_for_several, meant_statements

TEXTS = (
    "My brother Tom lives in Bergen",
    "Sister Anna is a nurse",
    "Anna hates thunder",
    "I live in Leeds",
    "penicillin gives me hives",
    "My boss is Kim",
    "Kim's husband is a baker",
)


def test_a_question_for_a_person_recalls_its_statements_and_none_of_others() -> None:
    meant = meant_statements("what do you know about my sister?", TEXTS, is_about_user=True)
    assert list(meant.statements) == [1, 2]
    assert set(meant.of_others) == {0}


def test_a_statement_that_connects_names_is_recalled() -> None:
    meant = meant_statements("what does my boss's husband do?", TEXTS, is_about_user=True)
    assert list(meant.statements) == [6, 5]


def test_the_last_sentence_of_a_message_asks_for_a_list() -> None:
    meant = meant_statements("I feel odd. What am I allergic to?", TEXTS, is_about_user=True)
    assert list(meant.statements) == [4]


def test_nothing_changes_if_nothing_is_known_of_the_person() -> None:
    meant = meant_statements("what do you know about my uncle?", TEXTS, is_about_user=True)
    assert not meant.statements
    assert not meant.of_others


def test_a_statement_asks_for_nothing() -> None:
    assert not asks_for_several("My sister Anna likes her allergies listed")
