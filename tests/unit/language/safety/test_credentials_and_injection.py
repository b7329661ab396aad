"""Detection of credentials and prompt injection, without false positives on ordinary sentences."""

from collections.abc import Callable

import pytest

from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection
from support.sentences import CREDENTIALS, HARMLESS_SENTENCES, PROMPT_INJECTIONS


@pytest.mark.parametrize("text", CREDENTIALS)
def test_credentials_are_detected(text: str) -> None:
    assert contains_credentials(text)
    assert contains_credentials(f"Hello, for later: {text}")


@pytest.mark.parametrize("text", PROMPT_INJECTIONS)
def test_prompt_injection_is_detected(text: str) -> None:
    assert contains_injection(text)
    assert contains_injection(f"I like tea.\n{text}")


@pytest.mark.parametrize("check", [contains_credentials, contains_injection])
def test_ordinary_sentences_are_not_detected(check: Callable[[str], bool]) -> None:
    assert len(HARMLESS_SENTENCES) >= 200
    alarms = [sentence for sentence in HARMLESS_SENTENCES if check(sentence)]
    assert len(alarms) <= len(HARMLESS_SENTENCES) // 100, alarms


def test_the_former_name_of_a_spouse_is_no_secret() -> None:
    assert not contains_credentials("My wife's maiden name was Kowalczyk")
    assert contains_credentials("My mother's maiden name was Kowalczyk")


def test_a_number_with_a_wrong_check_digit_is_not_an_account() -> None:
    assert not contains_credentials("4111 1111 1111 1112")
    assert not contains_credentials("DE88 3704 0044 0532 0130 00")


@pytest.mark.parametrize(
    "text",
    [
        "For me, prioritising sleep means going to bed at a regular hour.",
        "Work took priority all summer, but normally I row twice a week.",
    ],
)
def test_a_word_that_begins_like_a_rule_is_none(text: str) -> None:
    assert not contains_injection(text)
