"""Requests to take something off a list of the user, or to cancel a reminder."""

import pytest

from agent.language.requests.memory_requests import memory_requests


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("take batteries off my shopping list", "batteries off my shopping list"),
        ("please cross milk off my list", "milk off my list"),
        ("clear my shopping list", "my shopping list"),
        ("cancel the reminder for mum", "the reminder for mum"),
    ],
)
def test_an_item_of_a_list_is_offered_to_forget(message: str, text: str) -> None:
    (request,) = memory_requests(message)
    assert (request.action, request.scope, request.text) == ("forget", "mention", text)


@pytest.mark.parametrize(
    "message",
    [
        "take the lid off the pot",
        "take a day off",
        "I took milk off my list",
        "clear the table",
        "cancel my gym membership",
        "how do I cancel a reminder on Android?",
    ],
)
def test_other_messages_are_no_such_request(message: str) -> None:
    assert memory_requests(message) == []
