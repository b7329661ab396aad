"""The query and the result snippets of the thread search."""

from collections.abc import Sequence

from agent.text import validate_text

MAX_WORDS = 16
QUERY_CHARS = 500
LEADING_CHARS = 40
SNIPPET_CHARS = 160


def search_words(query: str) -> list[str]:
    """Validate a query, and split it into distinct words, at most `MAX_WORDS`."""
    return list(dict.fromkeys(validate_text(query, max_chars=QUERY_CHARS).split()))[:MAX_WORDS]


def like_patterns(words: Sequence[str]) -> list[str]:
    r"""`ILIKE` patterns for texts that contain each word, with `\`, `%` and `_` escaped."""
    escapes = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})
    return [f"%{word.translate(escapes)}%" for word in words]


def snippet(text: str, words: Sequence[str]) -> str:
    """Cut out the part of a text around the first match, on one line."""
    folded = text.lower()
    match = min((index for word in words if (index := folded.find(word.lower())) >= 0), default=0)
    start = max(match - LEADING_CHARS, 0)
    if start:
        start = text.find(" ", start, match) + 1 or start
    part = " ".join(text[start : start + SNIPPET_CHARS].split())
    return f"{'…' * (start > 0)}{part}{'…' * (start + SNIPPET_CHARS < len(text))}"
