"""Replies that choose from a list of two entries or one."""

import pytest

from agent.language.requests.list_choices import chosen_numbers
from support.growth import MAX_GROWTH, growth


@pytest.mark.parametrize(
    "reply",
    [
        "no, the other one",
        "the other one please",
        "the second",
        "no, the second one",
        "No, 2.",
        "nein, das andere",
        "nein, die zweite bitte",
        "lieber den anderen",
        "la otra",
        "no, el otro",
        "no, la segunda",
        "non, l'autre",
        "non, la deuxième",
        "l'altro",
        "no, la seconda",
        "não, a outra",
        "o outro",
        "a segunda",
        "nee, de andere",
        "de tweede",
        "另一个",
        "الآخر",
    ],
)
def test_the_other_one_is_the_second_of_two(reply: str) -> None:
    assert chosen_numbers(reply, 2) == [2]


@pytest.mark.parametrize("reply", ["no, the other one", "nein, das andere", "la otra", "non, l'autre"])
@pytest.mark.parametrize("count", [1, 3])
def test_the_other_one_is_ambiguous_if_there_are_not_two(reply: str, count: int) -> None:
    assert chosen_numbers(reply, count) is None


@pytest.mark.parametrize(
    "reply",
    ["no, that one", "the other day I was ill", "I have another one", "the other one is my sister's", "otra vez"],
)
def test_other_replies_choose_nothing(reply: str) -> None:
    assert chosen_numbers(reply, 1) is None
    assert chosen_numbers(reply, 2) is None


@pytest.mark.parametrize("reply", ["no", "nein", "nee", "não", "none", "geen"])
def test_a_refusal_chooses_no_entry(reply: str) -> None:
    assert chosen_numbers(reply, 1) == []
    assert chosen_numbers(reply, 2) == []


@pytest.mark.parametrize(
    ("reply", "numbers"), [("de eerste", [1]), ("1 e 2", [1, 2]), ("1 en 2", [1, 2]), ("allebei", [1, 2])]
)
def test_entries_are_chosen_in_other_languages(reply: str, numbers: list[int]) -> None:
    assert chosen_numbers(reply, 2) == numbers


@pytest.mark.parametrize(
    "reply",
    [
        "yes",
        "Yes please!",
        "yep, all of them",
        "go ahead",
        "yes, forget them all",
        "both please",
        "all of the above",
        "every single one",
        "of course",
        "please do",
        "ja bitte",
        "ja, alle",
        "alle löschen",
        "ja gerne",
        "sí, todos",
        "sí por favor",
        "adelante",
        "oui",
        "oui, s'il te plaît",
        "tous les deux",
        "vas-y",
        "sì tutti",
        "tutti e due",
        "sì grazie",
        "sim",
        "sim, tudo",
        "pode apagar",
        "ja allemaal",
        "ja graag",
        "doe maar",
    ],
)
@pytest.mark.parametrize("count", [1, 3])
def test_agreement_chooses_the_whole_list(reply: str, count: int) -> None:
    assert chosen_numbers(reply, count) == list(range(1, count + 1))


@pytest.mark.parametrize(
    "reply",
    [
        "that one",
        "yes I did",
        "yes and no",
        "yesterday",
        "yes, my sister is ill",
        "sure thing, what's up",
        "all my friends",
        "both my parents are doctors",
        "go ahead and tell me a joke",
        "do it tomorrow",
        "all right",
        "not all of them",
        "of course not",
        "alles klar",
        "ja, morgen",
        "claro que no",
        "tout va bien",
        "tutto bene",
        "tudo bem",
        "sim, moro no Porto",
        "alles goed",
    ],
)
def test_other_replies_do_not_choose_the_whole_list(reply: str) -> None:
    assert chosen_numbers(reply, 3) is None


@pytest.mark.parametrize("reply", ["yes but only the first", "ja, nur die erste", "sí, pero solo la primera"])
def test_agreement_with_a_number_chooses_only_that(reply: str) -> None:
    assert chosen_numbers(reply, 3) == [1]


@pytest.mark.parametrize("unit", ["no, ", "nee ", "a ", "1 e ", "yes ", "yes, please ", "them all "])
def test_the_time_for_a_reply_is_linear(unit: str) -> None:
    assert growth(lambda text: chosen_numbers(text, 2), unit) < MAX_GROWTH
