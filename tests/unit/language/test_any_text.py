"""The rules hold for any text, and take time linear in it."""

import string
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.language.facts import (
    clauses,
    contains_credentials,
    contains_injection,
    extract_from_response,
    extract_from_tool_result,
    extract_from_user,
    contains_only_requests,
)
from support.sentences import CREDENTIALS, EXAMPLE, FACTS_BY_SENTENCE, HELP, PROMPT_INJECTIONS, SENTENCES_WITHOUT_FACTS

TABLES = [*FACTS_BY_SENTENCE, *HELP, *SENTENCES_WITHOUT_FACTS, *CREDENTIALS, *PROMPT_INJECTIONS]
WORDS = st.sampled_from([*" ,.;:!?\n'\"-\u2019\u201c\0", *EXAMPLE.split(), *" ".join(TABLES).split()])
TEXTS = st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.lists(WORDS).map("".join))


@given(TEXTS)
def test_whatever_is_said_a_quote_stands_in_it(text: str) -> None:
    facts = extract_from_user(text)
    assert all(fact.text.strip() and fact.quote and fact.quote in text for fact in facts)
    assert len({fact.text.casefold() for fact in facts}) == len(facts)
    assert not (facts and contains_only_requests(text))
    assert all(clause in text for clause in clauses(text))


@given(TEXTS)
def test_no_text_breaks_the_other_rules(text: str) -> None:
    assert contains_credentials(text) in {True, False}
    assert contains_injection(text) in {True, False}
    extract_from_tool_result("shell", text, 1)
    extract_from_response(text, 1)


# A rule that backtracks takes minutes over these, or hours; one that does not takes about half a second.
SECONDS = 10.0
REPEATED = [
    *string.punctuation, *"a1 \n\t\0è«", "I ", "I like ", "my a ", "and I ", ", I like ", "i like x. ", "1 ", "1-",
    "4111 1111 ", "DE12 ", "-eyJa.", "sk-a", "password for ", "passphrase is aa ", "ignore the ", "tell nobody ",
    "send chats ",
    "http://a:b", "a/", "a.a/", "aError", "write ", "hi, ", "for future chats: ", "« ", "I'm A ", "\ufdfa", "\u200b",
]  # fmt: skip
RULES: list[Callable[[str], object]] = [
    extract_from_user,
    contains_only_requests,
    contains_credentials,
    contains_injection,
    clauses,
    lambda text: extract_from_tool_result("shell", text, 1),
    lambda text: extract_from_response(text, 1),
]


@pytest.mark.parametrize("rule", RULES)
def test_a_hostile_text_takes_no_longer_than_another(rule: Callable[[str], object]) -> None:
    text = "".join(unit * (2_000 // len(unit)) for unit in REPEATED)
    start = time.perf_counter()
    rule(text)
    assert time.perf_counter() - start < SECONDS
