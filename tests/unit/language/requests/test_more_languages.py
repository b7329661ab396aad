"""Requests to forget in languages that have no file of tests of their own."""

import pytest

from agent.language.requests.memory_requests import memory_requests


@pytest.mark.parametrize(
    ("message", "scope", "text"),
    [
        ("zapomnij, że jestem uczulona na laktozę", "statement", "jestem uczulona na laktozę"),
        ("Proszę, zapomnij o moim psie.", "subject", "moim psie"),
        ("bhool jao ki main vegetarian hoon", "statement", "main vegetarian hoon"),
        ("süte alerjim olduğunu unut", "subject", "süte alerjim"),
        ("köpeğimi unut", "subject", "köpeğimi"),
        ("えびアレルギーのことは忘れて", "subject", "えびアレルギー"),
        ("bunu asla unutma", None, ""),
        ("şemsiyemi evde unuttum", None, ""),
        ("傘を忘れて困った", None, ""),
    ],
)
def test_requests_in_polish_hindi_turkish_and_japanese(message: str, scope: str | None, text: str) -> None:
    found = [(request.action, request.scope, request.text) for request in memory_requests(message)]
    assert found == ([("forget", scope, text)] if scope else [])
