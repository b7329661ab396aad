"""What a statement denies at its end is found in eight languages."""

import pytest

from agent.language.requests.denials import split_denial
from agent.language.requests.remembered_facts import remembered_facts
from support.growth import MAX_GROWTH, growth


@pytest.mark.parametrize(
    ("text", "affirmed", "value"),
    [
        ("I live in York now, not in Leeds", "I live in York now", "Leeds"),
        ("I live in York, no longer in Leeds", "I live in York", "Leeds"),
        ("I take the bus instead of the train", "I take the bus", "train"),
        ("ich wohne in Köln, nicht mehr in Bonn", "ich wohne in Köln", "Bonn"),
        ("vivo en Cádiz, no en Sevilla", "vivo en Cádiz", "Sevilla"),
        ("j'habite à Paris, plus à Lyon", "j'habite à Paris", "Lyon"),
        ("abito a Pisa, non a Roma", "abito a Pisa", "Roma"),
        ("moro em Braga, não em Lisboa", "moro em Braga", "Lisboa"),
        ("ik woon in Gent, niet meer in Breda", "ik woon in Gent", "Breda"),
        ("我住在上海，不在北京", "我住在上海", "北京"),
    ],
)
def test_the_denied_value_is_split_from_the_statement(text: str, affirmed: str, value: str) -> None:
    denial = split_denial(text)
    assert (denial.affirmed, denial.value) == (affirmed, value)
    assert denial.affirmed + denial.words == text


@pytest.mark.parametrize(
    "text",
    [
        "I'm not vegan",
        "I do not live in Leeds",
        "My knee is not the problem, but my back is bad",
        "I eat fish, not because I like it",
        "Ich bin nicht müde",
        "No vivo en Sevilla",
        "not in Leeds",
    ],
)
def test_a_statement_that_only_denies_something_stays_whole(text: str) -> None:
    assert split_denial(text) == (text, "", "")


@pytest.mark.parametrize(
    ("text", "known", "is_untrue"),
    [
        ("I like tea, not coffee", "Likes coffee", True),
        ("ik woon in Gent, niet in Breda", "Ik woon in Breda", True),
        ("I like Tesco, not Aldi", "Works at Aldi", False),
        ("I like tea, not coffee", "Likes coffee on Sundays with Ann", False),
        ("I like tea", "Likes coffee", False),
    ],
)
def test_only_the_same_statement_with_the_denied_value_is_untrue(text: str, known: str, *, is_untrue: bool) -> None:
    assert split_denial(text).makes_untrue(known) == is_untrue


def test_a_remembered_fact_keeps_what_is_denied() -> None:
    [(_, _, text)] = remembered_facts("I live in York now, not in Leeds")
    assert text == "Lives in York, not in Leeds"


@pytest.mark.parametrize("unit", ["a, not b ", "not in , ", "instead of a "])
def test_texts_are_examined_in_linear_time(unit: str) -> None:
    assert growth(split_denial, unit) < MAX_GROWTH
