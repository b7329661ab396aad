"""Text is checked once, at the door."""

import pytest

from agent.errors import InvalidTextError
from agent.text import validate_text


@pytest.mark.parametrize("text", ["", "  \n", "a\0b", "a\ud800b", "\udfff", "x" * 11])
def test_what_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(InvalidTextError):
        validate_text(text, max_chars=10)


def test_the_rest_loses_only_the_space_around_it() -> None:
    assert validate_text("  Zoë \U0001f600\n", max_chars=10) == "Zoë \U0001f600"
