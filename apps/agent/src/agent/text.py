"""Validation of text from clients."""

from typing import Any

from agent.errors import InvalidTextError

MAX_MESSAGE_CHARS = 32_000
MAX_MEMORY_CHARS = 2_000
MAX_TITLE_CHARS = 200
MAX_METADATA_BYTES = 16_384
"""Maximum size of the metadata of a thread, as JSON."""


def validate_text(text: str, *, max_chars: int) -> str:
    """Strip a text and check that it can be stored.

    Raises:
        InvalidTextError: the text is empty, too long, or contains characters that Postgres cannot store.
    """
    if len(text) > max_chars:
        raise InvalidTextError(f"the text has {len(text)} characters; {max_chars} are allowed")
    text = text.strip()
    if not text:
        raise InvalidTextError("the text is empty")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidTextError("the text contains a NUL or an unpaired surrogate")
    return text


def replace_unstorable(text: str) -> str:
    """Replace the characters that Postgres cannot store, NUL and unpaired surrogates, with U+FFFD."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def replace_unstorable_json(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Apply `replace_unstorable` to all strings of a JSON value."""
    if isinstance(value, str):
        return replace_unstorable(value)
    if isinstance(value, dict):
        return {replace_unstorable(key): replace_unstorable_json(item) for key, item in value.items()}
    return [replace_unstorable_json(item) for item in value] if isinstance(value, list | tuple) else value
