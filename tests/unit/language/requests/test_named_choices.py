"""Replies to a list that name what is meant, and what is not."""

import pytest

from agent.language.message_analysis import MessageAnalysis
from agent.language.requests.named_choices import NamedChoice
from support.growth import MAX_GROWTH, growth

OFFERED = ["My dog Dot is 3", "My cat Queenie loves Dot.", "Queenie is at the vet on Friday"]


@pytest.mark.parametrize(
    "reply",
    [
        "I mean Dot, not Queenie",
        "no, I meant the dog, not the cat",
        "Dot, not Queenie",
        "not Queenie, Dot",
        "I mean the dog",
        "ich meine Dot, nicht Queenie",
        "nicht Queenie, sondern Dot",
        "me refiero a Dot, no a Queenie",
        "no Queenie, sino Dot",
        "je parle de Dot, pas de Queenie",
        "pas Queenie, mais Dot",
        "intendo Dot, non Queenie",
        "non Queenie, ma Dot",
        "refiro-me a Dot, não a Queenie",
        "não Queenie, mas Dot",
        "ik bedoel Dot, niet Queenie",
        "niet Queenie maar Dot",
        "chodzi mi o Dot, nie o Queenie",
        "nie Queenie, tylko Dot",
    ],
)
def test_a_reply_chooses_what_it_names_and_not_what_it_excludes(reply: str) -> None:
    analysis = MessageAnalysis.of(reply, OFFERED)
    assert analysis.chosen == [1]
    assert not analysis.content.recallable


def test_a_reply_that_names_something_else_is_a_new_request() -> None:
    analysis = MessageAnalysis.of("I mean Basil, not Queenie", OFFERED)
    assert analysis.chosen is None
    assert [(one.action, one.text) for one in analysis.requests] == [("forget", "Basil")]


@pytest.mark.parametrize(
    "reply",
    [
        "tea, not coffee",
        "we love Dot, not Queenie",
        "Dot is ill, not Queenie",
        "my cat eats fish, not meat",
        "I mean it",
        "not now, thanks",
        "not bad, thanks",
        "niet nu, dank je",
        "das stimmt nicht",
    ],
)
def test_another_message_after_a_list_chooses_nothing(reply: str) -> None:
    analysis = MessageAnalysis.of(reply, OFFERED)
    assert analysis.chosen is None
    assert not analysis.requests


def test_without_a_list_nothing_is_chosen() -> None:
    assert MessageAnalysis.of("I mean Dot, not Queenie", ()).chosen is None


@pytest.mark.parametrize("unit", ["not ", "the ", "I mean ", "Dot, "])
def test_reading_a_reply_takes_linear_time(unit: str) -> None:
    assert growth(NamedChoice.read, unit) < MAX_GROWTH
