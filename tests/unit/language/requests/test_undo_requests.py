"""Requests to restore what the message before has forgotten."""

import pytest

from agent.language.requests.undo_requests import asks_to_undo

FORGET = "Forget that I live in Leeds."


@pytest.mark.parametrize(
    "message",
    [
        "undo",
        "Undo that, please.",
        "oops, bring it back",
        "wait no, don't forget it",
        "I changed my mind, keep it",
        "mach das bitte rückgängig",
        "mach das wieder rückgängig",
        "halt, vergiss es doch nicht",
        "stell es wieder her",
        "deshaz eso, por favor",
        "no, mejor no lo olvides",
        "finalement garde-le",
        "annule ça stp",
        "ripristinalo",
        "anzi, non dimenticarlo",
        "desfaz isso",
        "traz de volta",
        "maak dat ongedaan",
        "toch niet, zet het terug",
        "撤销",
        "还是别忘了",
    ],
)
def test_a_request_to_undo_follows_a_request_to_forget(message: str) -> None:
    assert asks_to_undo(message, FORGET)
    assert not asks_to_undo(message, "Write a poem about Leeds.")
    assert not asks_to_undo(message, "")


@pytest.mark.parametrize("previous", ["1", "yes, both", "the second one", "forget my dog"])
def test_it_may_follow_a_choice_from_a_list(previous: str) -> None:
    assert asks_to_undo("undo that", previous)


@pytest.mark.parametrize(
    "message",
    [
        "bring it back to the shop",
        "toch niet naar Leeds",
        "I live in York now",
        "undo the last commit",
        "thanks",
        "keep it short",
        "yes",
        "",
    ],
)
def test_other_messages_after_a_request_to_forget_undo_nothing(message: str) -> None:
    assert not asks_to_undo(message, FORGET)
