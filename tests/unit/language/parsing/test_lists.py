"""Sentences that list things, and what remains of them without one."""

import pytest

from agent.language.parsing.lists import list_items, without_item
from support.growth import MAX_GROWTH, growth


@pytest.mark.parametrize(
    ("sentence", "item", "rest"),
    [
        (
            "I have two appointments: the optician on 2 December and the barber on 4 December.",
            "the barber on 4 December",
            "I have two appointments: the optician on 2 December.",
        ),
        (
            "I have a vet visit, a dentist visit and a bank visit.",
            "a vet visit",
            "I have a dentist visit and a bank visit.",
        ),
        ("My allergies: nuts, bees and cats.", "bees", "My allergies: nuts, cats."),
        (
            "Remember that I have tango on Tuesdays and that my grandma is called Ada.",
            "I have tango on Tuesdays",
            "Remember that my grandma is called Ada.",
        ),
        (
            "I have tango on Tuesdays and that my grandma is called Ada",
            "I have tango on Tuesdays",
            "My grandma is called Ada",
        ),
        (
            "Ich habe zwei Termine: den Optiker am 2. Dezember und den Friseur am 4. Dezember.",
            "den Optiker am 2. Dezember",
            "Ich habe zwei Termine: den Friseur am 4. Dezember.",
        ),
        (
            "Merk dir, dass ich dienstags Tango habe und dass meine Oma Ada heißt.",
            "meine Oma Ada heißt",
            "Merk dir, dass ich dienstags Tango habe.",
        ),
        ("Tengo un perro y una gata.", "un perro", "Tengo una gata."),
        (
            "J'ai deux rendez-vous : l'opticien lundi et le coiffeur mardi.",
            "l'opticien lundi",
            "J'ai deux rendez-vous : le coiffeur mardi.",
        ),
        (
            "Ricordati che il martedì ho lezione di tango e che mia nonna si chiama Ada.",
            "il martedì ho lezione di tango",
            "Ricordati che mia nonna si chiama Ada.",
        ),
        ("Tenho um gato e uma cadela.", "uma cadela", "Tenho um gato."),
        ("Ik heb een hond en een kat.", "een hond", "Ik heb een kat."),
    ],
)
def test_an_item_of_a_list_can_be_removed(sentence: str, item: str, rest: str) -> None:
    assert without_item(sentence, item) == rest


@pytest.mark.parametrize(
    "sentence",
    [
        "Likes jazz and opera",
        "My son likes Lego and trains.",
        "I have a dog and a cat that hate each other.",
        "I have an idea and a friend told me it is good.",
        "I know that my mum and that idiot Bob are dating",
        "Two kids: Ann, who is 4, and Ben.",
        "We have a boat. I have a dog and a cat.",
        "",
    ],
)
def test_a_sentence_that_would_be_garbled_is_no_list(sentence: str) -> None:
    assert list_items(sentence) == []


@pytest.mark.parametrize("unit", ["a, the ", "that a and ", "i have a ", ": a and a ", "x: a, "])
def test_the_time_for_a_list_is_linear(unit: str) -> None:
    assert growth(list_items, unit) < MAX_GROWTH
