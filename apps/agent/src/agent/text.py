"""What text may come into the house, checked once at its door."""

from typing import Any

from agent.errors import InvalidTextError

MAX_MESSAGE_CHARS = 32_000
MAX_MEMORY_CHARS = 2_000
MAX_TITLE_CHARS = 200


def validate_text(text: str, *, max_chars: int) -> str:
    """Return the text without white space around it.

    Raises:
        InvalidTextError: it is empty, too long, or holds what Postgres cannot keep.
    """
    if len(text) > max_chars:
        raise InvalidTextError(f"the text has {len(text)} characters; {max_chars} are allowed")
    text = text.strip()
    if not text:
        raise InvalidTextError("the text is empty")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidTextError("the text holds a NUL or half a surrogate pair")
    return text


def replace_unstorable(text: str) -> str:
    """Return the text with a replacement character for what Postgres cannot keep: NUL, and half a surrogate pair."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def replace_unstorable_json(value: Any) -> Any:  # noqa: ANN401 - whatever JSON may hold
    """Return a value of JSON with all its texts made storable."""
    if isinstance(value, str):
        return replace_unstorable(value)
    if isinstance(value, dict):
        return {replace_unstorable(key): replace_unstorable_json(part) for key, part in value.items()}
    return [replace_unstorable_json(part) for part in value] if isinstance(value, list | tuple) else value
