"""What text may come into the house, checked once at its door."""

from agent.errors import InvalidTextError

MAX_MESSAGE_CHARS = 32_000
MAX_MEMORY_CHARS = 2_000
MAX_TITLE_CHARS = 200


def checked_text(text: str, *, max_chars: int) -> str:
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
