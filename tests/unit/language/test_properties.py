"""Properties of the rules for arbitrary text: no exceptions, verbatim quotes, linear time."""

import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.language.facts.extraction import contains_only_requests, extract_from_user, plain_clauses
from agent.language.facts.tool_results import extract_from_response, extract_from_tool_result
from agent.language.revision.contradictions import contradicts
from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection
from support.growth import MAX_GROWTH, growth
from support.sentences import CREDENTIALS, EXAMPLE, FACTS_BY_SENTENCE, HELP, PROMPT_INJECTIONS, SENTENCES_WITHOUT_FACTS

TABLES = [*FACTS_BY_SENTENCE, *HELP, *SENTENCES_WITHOUT_FACTS, *CREDENTIALS, *PROMPT_INJECTIONS]
WORDS = st.sampled_from([*" ,.;:!?\n'\"-\u2019\u201c\0", *EXAMPLE.split(), *" ".join(TABLES).split()])
TEXTS = st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.lists(WORDS).map("".join))


@given(TEXTS)
def test_every_fact_has_a_verbatim_quote(text: str) -> None:
    facts = extract_from_user(text)
    assert all(fact.text.strip() and fact.quote and fact.quote in text for fact in facts)
    assert len({fact.text.casefold() for fact in facts}) == len(facts)
    assert not (facts and contains_only_requests(text))
    assert all(clause in text for clause in plain_clauses(text))


@given(TEXTS)
def test_the_other_rules_accept_any_text(text: str) -> None:
    assert contains_credentials(text) in {True, False}
    assert contains_injection(text) in {True, False}
    extract_from_tool_result("shell", text, 1)
    extract_from_response(text, 1)


REPEATED = [
    *string.punctuation, *"a1 \n\t\0è«", "I ", "I like ", "my a ", "and I ", ", I like ", "i like x. ", "1 ", "1-",
    "4111 1111 ", "DE12 ", "-eyJa.", "sk-a", "password for ", "passphrase is aa ", "ignore the ", "tell nobody ",
    "send chats ",
    "http://a:b", "a/", "a.a/", "aError", "write ", "hi, ", "for future chats: ", "« ", "I'm A ", "\ufdfa", "\u200b",
]  # fmt: skip
HOSTILE_CHARS = 1_000 * len(REPEATED)
RULES: list[Callable[[str], object]] = [
    extract_from_user,
    contains_only_requests,
    contains_credentials,
    contains_injection,
    plain_clauses,
    lambda text: contradicts(text, text, stated_at=""),
    lambda text: extract_from_tool_result("shell", text, 1),
    lambda text: extract_from_response(text, 1),
]


@pytest.mark.parametrize("rule", RULES)
def test_rules_take_linear_time_on_hostile_text(rule: Callable[[str], object]) -> None:
    def apply_to_hostile(text: str) -> None:
        length = len(text) // len(REPEATED)
        rule("".join((unit * length)[:length] for unit in REPEATED))

    assert growth(apply_to_hostile, " ", chars=HOSTILE_CHARS) < MAX_GROWTH
