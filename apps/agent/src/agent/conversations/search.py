"""Found: what a search in threads looks for, and where in a text it has found that."""

from collections.abc import Sequence

from agent.text import validate_text

MAX_WORDS = 16
QUERY_CHARS = 500
LEADING_CHARS = 40
SNIPPET_CHARS = 160


def search_words(query: str) -> list[str]:
    """Return the words that are searched for, each once; all of them must be there, in any order and as parts of words.

    Raises:
        InvalidTextError: the query is empty, too long, or cannot be in any text.
    """
    return list(dict.fromkeys(validate_text(query, max_chars=QUERY_CHARS).split()))[:MAX_WORDS]


def like_patterns(words: Sequence[str]) -> list[str]:
    r"""Return what `ILIKE` takes for a text that holds a word, for each; `\`, `%` and `_` stand for themselves."""
    escapes = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})
    return [f"%{word.translate(escapes)}%" for word in words]


def snippet(text: str, words: Sequence[str]) -> str:
    """Return the part of a text around the first of the words that it holds, on one line."""
    folded = text.lower()
    place = min((at for word in words if (at := folded.find(word.lower())) >= 0), default=0)
    start = max(place - LEADING_CHARS, 0)
    if start:
        start = text.find(" ", start, place) + 1 or start
    part = " ".join(text[start : start + SNIPPET_CHARS].split())
    return f"{'…' * (start > 0)}{part}{'…' * (start + SNIPPET_CHARS < len(text))}"
