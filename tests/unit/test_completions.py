"""Requests to continue a conversation."""

from typing import Any

import pytest

from agent.completions import ClientMessage, CompletionRequest
from agent.errors import InvalidInputError


def _nested(depth: int) -> list[Any]:
    value = list[Any]()
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "options", [{"tools": ({"parameters": _nested(2_000)},)}, {"call_kwargs": {"a": _nested(2_000)}}]
)
def test_schemas_that_are_nested_too_deeply_are_refused(options: dict[str, Any]) -> None:
    request = CompletionRequest((ClientMessage("user", "Hello."),), **options)
    with pytest.raises(InvalidInputError, match="nested too deeply"):
        request.sanitised()


def test_the_question_is_left_as_it_is_because_it_is_validated() -> None:
    request = CompletionRequest((ClientMessage("user", "\0"), ClientMessage("assistant", "\0")), instructions="\0")
    sanitised = request.sanitised()
    assert [one.text for one in sanitised.messages] == ["\0", "\ufffd"]
    assert sanitised.instructions == "\ufffd"
