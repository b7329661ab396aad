"""Validation of text from clients."""

import pytest

from agent.errors import InvalidTextError
from agent.text import validate_text


@pytest.mark.parametrize("text", ["", "  \n", "a\0b", "a\ud800b", "\udfff", "x" * 11])
def test_invalid_text_is_rejected(text: str) -> None:
    with pytest.raises(InvalidTextError):
        validate_text(text, max_chars=10)


def test_valid_text_is_stripped() -> None:
    assert validate_text("  Zoë \U0001f600\n", max_chars=10) == "Zoë \U0001f600"
