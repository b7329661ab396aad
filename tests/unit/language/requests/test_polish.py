"""Requests to forget in Polish, where names and nouns are inflected, and the replies to a list."""

import pytest

from agent.language.requests.list_choices import chosen_numbers
from agent.language.requests.memory_requests import memory_requests
from agent.language.requests.statement_matching import mentions


@pytest.mark.parametrize(
    ("message", "scope", "text"),
    [
        ("zapomnij wszystko o mojej mamie", "topic", "mojej mamie"),
        ("zapomnij wszystko o Marcie", "topic", "Marcie"),
        ("zapomnij wszystko co mówiłam o Marcie", "topic", "Marcie"),
        ("zapomnij co mówiłem o szkole", "topic", "szkole"),
        ("hej, możesz zapomnieć wszystko o Oli?", "topic", "Oli"),
        ("usuń wszystko o Marku", "topic", "Marku"),
        ("zapomnij o Oli", "subject", "Oli"),
        ("zapomnij, że mam psa", "statement", "mam psa"),
        ("zapomnij gdzie pracuję", "question", "gdzie pracuję"),
        ("zapomnij co powiedziałam przed chwilą", "previous", ""),
        ("zapomnij o tym", "previous", ""),
        ("zapomnij wszystko", "all", ""),
        ("nie zapomnij o mleku", None, ""),
        ("zapomniałem o mleku", None, ""),
        ("ciągle zapominam o kluczach", None, ""),
        ("nie mogę zapomnieć o Marcie", None, ""),
        ("zapomnij o tym, napisz coś innego", None, ""),
        ("usuń ostatni akapit", None, ""),
        ("usuń wszystkie przecinki", None, ""),
    ],
)
def test_requests_to_forget_in_polish(message: str, scope: str | None, text: str) -> None:
    found = [(request.action, request.scope, request.text) for request in memory_requests(message)]
    assert found == ([("forget", scope, text)] if scope else [])


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("mojej mamie", "moja mama ma na imię Halina"),
        ("Marcie", "Marta lubi jazz"),
        ("Marcie", "byłam wczoraj z Martą w kinie"),
        ("Oli", "Ola nie je mięsa"),
        ("Oli", "lubię Olę"),
        ("Kasi", "Kasia uczy w liceum"),
        ("Kindze", "mieszkam z Kingą"),
        ("Marku", "mój brat Marek jest lekarzem"),
        ("Pawle", "Paweł pożyczył mi rower"),
        ("Tomaszu", "mój szef nazywa się Tomasz"),
        ("moim psie", "mam psa"),
        ("moich kotach", "mam dwa koty"),
        ("szkole", "moja córka chodzi do szkoły nr 5"),
        ("orzechach", "jestem uczulony na orzechy"),
    ],
)
def test_an_inflected_name_is_mentioned(name: str, statement: str) -> None:
    assert mentions(statement, name)


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("mojej mamie", "mam psa"),
        ("Oli", "Olek jest chory"),
        ("Marii", "Marta lubi jazz"),
        ("Marcie", "Marcin mieszka w Łodzi"),
        ("Marie", "Mario lives in Rome"),
        ("Jane", "Jana moved to Bonn"),
        ("my mam", "I have a dog"),
    ],
)
def test_another_name_is_not_mentioned(name: str, statement: str) -> None:
    assert not mentions(statement, name)


@pytest.mark.parametrize(
    ("reply", "count", "numbers"),
    [
        ("tak, to pierwsze", 1, [1]),
        ("tak, to pierwsze", 3, [1]),
        ("drugą proszę", 2, [2]),
        ("nie, to drugie", 2, [2]),
        ("ten ostatni", 3, [3]),
        ("1 i 3", 3, [1, 3]),
        ("wszystkie trzy", 3, [1, 2, 3]),
        ("tak", 1, [1]),
        ("żadne z nich", 3, []),
        ("pierwsze lody w sezonie", 3, None),
        ("tak, jadę jutro", 1, None),
        ("mam dwa koty", 2, None),
    ],
)
def test_replies_to_a_list_in_polish(reply: str, count: int, numbers: list[int] | None) -> None:
    assert chosen_numbers(reply, count) == numbers
