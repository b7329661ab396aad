"""What follows a request to forget is kept if it is understood by itself, and is no part of what to forget."""

import pytest

from agent.language.requests.asides import aside_start, statement_start
from agent.language.requests.memory_requests import memory_requests, remaining_text
from support.growth import MAX_GROWTH, growth


@pytest.mark.parametrize(
    ("message", "text", "rest"),
    [
        (
            "Please forget about the flat, we are not buying, Rohit is getting transfer to Hyderabad.",
            "the flat",
            "we are not buying, Rohit is getting transfer to Hyderabad.",
        ),
        ("forget my gym, I joined a swimming club", "my gym", "I joined a swimming club"),
        (
            "forget about the wedding, Priya called it off, we are moving to Leeds",
            "the wedding",
            "we are moving to Leeds",
        ),
        ("forget everything about the flat, Rohit is moving to Pune", "the flat", "Rohit is moving to Pune"),
        ("forget everything about the band, Luke sold the drums", "the band", "Luke sold the drums"),
        ("Forget about the bingo, they closed it.", "the bingo", ""),
        ("Forget the boiler service, Margaret handled it.", "the boiler service", ""),
        ("forget about my exam, the uni cancelled it", "my exam", ""),
        ("Forget everything about my sister Anna, she blocked me", "my sister Anna", ""),
        ("forget everything about the move, not happening anymore", "the move", ""),
        ("forget everything about Ben, he's a liar", "Ben", ""),
        ("forget everything about Zain, Tom and Mia", "Zain, Tom and Mia", ""),
        ("forget everything about cats, dogs and birds", "cats, dogs and birds", ""),
    ],
)
def test_only_what_is_understood_by_itself_remains(message: str, text: str, rest: str) -> None:
    requests = memory_requests(message)
    assert [one.text for one in requests] == [text]
    assert remaining_text(message, requests) == rest


@pytest.mark.parametrize("unit", [", ", "a, ", "the dog is ill, ", "it is, "])
def test_the_time_to_find_asides_is_linear(unit: str) -> None:
    assert (
        growth(lambda text: (aside_start(text, 0, len(text)), statement_start(text, 0, len(text))), unit) < MAX_GROWTH
    )
