"""A pronoun in a request to forget refers to the person whom the text before it names."""

import pytest

from agent.language.requests.memory_requests import memory_requests
from agent.language.requests.pronoun_topics import antecedent
from support.growth import MAX_GROWTH, growth


@pytest.mark.parametrize(
    ("message", "person"),
    [
        ("me and mia broke up so forget everything about her", "mia"),
        ("mia and I broke up, forget everything about her", "mia"),
        ("i stopped tutoring zain so forget everything about him", "zain"),
        ("Tom got fired, so you can forget everything about him", "Tom"),
        ("I broke up with Priya. Forget everything about her", "Priya"),
        ("Ugh, my boyfriend left me so forget everything about him", "my boyfriend"),
        ("my dog died. please forget everything about him", "my dog"),
        ("me n kyle are over. forget everything about him", "kyle"),
        ("ich und Jana haben uns getrennt, vergiss alles über sie", "Jana"),
        ("rompí con Lucía, olvida todo sobre ella", "Lucía"),
        ("j'ai rompu avec Hugo, oublie tout sur lui", "Hugo"),
        ("Sofie en ik zijn uit elkaar, vergeet alles over haar", "Sofie"),
    ],
)
def test_a_pronoun_refers_to_the_person_before_it(message: str, person: str) -> None:
    assert [one.text for one in memory_requests(message)] == [person]


@pytest.mark.parametrize(
    "message",
    [
        "forget everything about her",
        "my sister Anna and my cousin Bea fought, forget everything about her",
        "my sister and my cousin fought, forget everything about her",
        "it is late, forget everything about him",
        "I sold my house, forget everything about her",
    ],
)
def test_a_pronoun_without_one_certain_person_stays(message: str) -> None:
    assert [one.text for one in memory_requests(message)] in (["her"], ["him"])


def test_a_name_in_a_request_is_not_replaced() -> None:
    [request] = memory_requests("Mia and I broke up so forget everything about Starbucks")
    assert request.text == "Starbucks"


@pytest.mark.parametrize("unit", ["me and ", "with Anna ", "my dog ", "Anna left "])
def test_the_time_to_find_a_person_is_linear(unit: str) -> None:
    assert growth(antecedent, unit) < MAX_GROWTH
