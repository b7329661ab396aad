"""Messages that only go on with a general question or a task, and those that come back to the user's life."""

import pytest

from agent.language.impersonal.topics import continues_topic


@pytest.mark.parametrize(
    ("request_before", "message"),
    [
        ("whats the capital of turkey", "its ankara not istanbul"),
        ("what's the tallest mountain in africa?", "Kilimanjaro is 5895 metres, not 5985"),
        ("who wrote the lord of the rings?", "Frodo takes the ring to Mordor and Sam goes with him"),
        ("explain the difference between tcp and udp", "so tcp is reliable and udp is faster"),
        ("why does my regex not match newlines", "ok the dot doesn't match newlines by default, got it"),
        ("fix this css so the div is centered", "still not centered, it sticks to the left"),
        ("Wer hat den Faust geschrieben?", "Goethe, nicht Schiller"),
        ("¿cuál es el río más largo de Europa?", "el Volga es más largo que el Danubio"),
        ("quelle est la capitale du Maroc ?", "c'est Rabat, pas Casablanca"),
    ],
)
def test_a_remark_on_the_answer_to_a_general_request(request_before: str, message: str) -> None:
    assert continues_topic(message, request_before)


@pytest.mark.parametrize(
    ("request_before", "message"),
    [
        ("what's the capital of turkey", "it's Ankara in May, not Istanbul, we changed the flight"),
        ("what is a hernia", "it's on the left side, not the right"),
        ("what is eczema", "it's psoriasis, not eczema"),
        ("what is gluten", "Lena can't eat it"),
        ("who wrote Dune", "Paul is reading it at school"),
        ("what are the symptoms of lupus", "Maria is worse than last week"),
        ("explain compound interest", "so the loan will cost 40k"),
        ("what is a mortgage", "so the bank wants 20 percent down for the flat"),
        ("write a python script for inventory", "the shop is in Leeds and has two tills"),
        ("how does docker work", "the server doesn't have enough memory"),
        ("when is my dentist appointment?", "it's Tuesday, not Monday"),
        ("where do I live?", "Ankara, not Istanbul"),
        ("how often should I water a ficus", "the ficus stands by the north window"),
        ("suggest a name for a boat", "the boat is a 9 metre sloop"),
    ],
)
def test_what_concerns_the_user_goes_on_with_nothing_general(request_before: str, message: str) -> None:
    assert not continues_topic(message, request_before)
