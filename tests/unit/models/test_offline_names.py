"""Names in statements are recognised next to their subject."""

import time

import pytest

from agent.models.offline_names import names_subject
from agent.models.word_match import significant_words

MAX_SECONDS = 2.0
"""For a hostile text of 4,000 characters, on a busy computer."""


@pytest.mark.parametrize(
    ("subject", "statement"),
    [
        ("cat", "Cat is called Plum"),
        ("cat", "my cat is called plum"),
        ("mother", "my mum's name is Ruth and she lives in Cork"),
        ("daughter", "Daughter Mia is 9"),
        ("boss", "my friend Bea is my boss"),
        ("boss", "Bea is my boss"),
        ("wife", "I'm Dan, married to Steph"),
        ("Söhne", "ich habe zwei Söhne, Timo und Lars"),
        ("Hund", "Mein Hund heißt Rex"),
        ("hijas", "Tengo dos hijas, Lucía y Carmen"),
        ("enfants", "J'ai deux enfants, Léa et Hugo"),
        ("gatti", "Ho due gatti, Birba e Micio"),
        ("cão", "O meu cão chama-se Tobias"),
        ("kinderen", "Ik heb twee kinderen, Sem en Noor"),
    ],
)
def test_a_name_next_to_its_subject_is_found(subject: str, statement: str) -> None:
    assert names_subject(statement, significant_words(subject))


@pytest.mark.parametrize(
    ("subject", "statement"),
    [
        ("cat", "My cat hates Mondays"),
        ("sister", "Sister works at Bosch"),
        ("wife", "Loves my wife"),
        ("dog", "Got a dog"),
        ("dog", "My sister Nora has a dog"),
        ("wife", "Name is Dan"),
    ],
)
def test_a_name_of_something_else_is_not_taken(subject: str, statement: str) -> None:
    assert not names_subject(statement, significant_words(subject))


@pytest.mark.parametrize("unit", ["dog is ", "my dog ", "dog ", "Dog's "])
def test_hostile_texts_are_read_in_linear_time(unit: str) -> None:
    words = significant_words("dog")
    names_subject("warm up", words)
    started = time.perf_counter()
    names_subject((unit * 4_000)[:4_000], words)
    assert time.perf_counter() - started < MAX_SECONDS
