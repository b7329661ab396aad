"""Credentials and orders are found, and ordinary sentences pass."""

from collections.abc import Callable

import pytest

from agent.language.facts import contains_credentials, contains_injection
from support.sentences import CREDENTIALS, HARMLESS_SENTENCES, PROMPT_INJECTIONS


@pytest.mark.parametrize("text", CREDENTIALS)
def test_credentials_are_found(text: str) -> None:
    assert contains_credentials(text)
    assert contains_credentials(f"Hello, for later: {text}")


@pytest.mark.parametrize("text", PROMPT_INJECTIONS)
def test_orders_that_would_change_the_assistant_are_found(text: str) -> None:
    assert contains_injection(text)
    assert contains_injection(f"I like tea.\n{text}")


@pytest.mark.parametrize("gate", [contains_credentials, contains_injection])
def test_ordinary_sentences_pass(gate: Callable[[str], bool]) -> None:
    assert len(HARMLESS_SENTENCES) >= 200
    alarms = [sentence for sentence in HARMLESS_SENTENCES if gate(sentence)]
    assert len(alarms) <= len(HARMLESS_SENTENCES) // 100, alarms


def test_a_card_with_a_wrong_digit_is_no_card() -> None:
    assert not contains_credentials("4111 1111 1111 1112")
    assert not contains_credentials("DE88 3704 0044 0532 0130 00")
