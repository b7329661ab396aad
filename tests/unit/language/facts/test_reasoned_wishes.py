"""A wish for one text, whose reason is another person or an occasion, is no lasting preference; the reason is kept."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, statement_spans, without_masked


def stated(message: str) -> list[str]:
    masked = mask_unusable(message)
    return [text for span in statement_spans(masked) if (text := without_masked(message, masked, span))]


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("no long words please, Leo is only 6", "Leo is only 6"),
        ("short sentences please, Rosa is 7", "Rosa is 7"),
        ("use big letters, the twins are 4", "the twins are 4"),
        ("add pictures, Max is 4", "Max is 4"),
        ("no emojis, its for Dereks funeral", "no emojis, its for Dereks funeral"),
    ],
)
def test_a_wish_with_a_reason_about_others_is_for_once(message: str, statement: str) -> None:
    assert stated(message) == [statement]
    assert extract_from_user(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "always use short sentences, Rosa is 7",
        "from now on answer in French, it's for Zoe's sake",
        "keep your answers short, I read slowly",
        "explain things step by step, I'm new to this",
    ],
)
def test_a_lasting_request_with_a_reason_remains_one(message: str) -> None:
    assert "procedural" in {fact.kind for fact in extract_from_user(message)}


@pytest.mark.parametrize("message", ["Tom cooks well, Meg is vegan", "the cake is for Derek, it's for his 70th"])
def test_a_statement_before_another_is_no_request(message: str) -> None:
    assert stated(message) == [message]


@pytest.mark.parametrize(
    "message",
    [
        "dont suggest nuts, Rita's allergic",
        "please never recommend wine, my husband's in recovery",
        "don't suggest stairs because my mum can't climb them",
        "ne propose pas de gluten, Léa est coeliaque",
        "non suggerirmi glutine, Luca è celiaco",
    ],
)
def test_a_wish_whose_reason_is_a_person_is_kept_with_it(message: str) -> None:
    assert stated(message) == [message]


@pytest.mark.parametrize(
    "message",
    [
        "dont suggest a title yet, Tom is still writing",
        "don't suggest it, Tom is right",
        "don't recommend Bob in the letter, Ann's his ex",
        "don't suggest it",
    ],
)
def test_a_wish_for_the_task_at_hand_is_not_kept(message: str) -> None:
    assert stated(message) == []
