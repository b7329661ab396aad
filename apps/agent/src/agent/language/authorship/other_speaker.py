"""Find texts whose author is known only from the question beside them ("I've moved to Oslo. … What do I answer her?").

A question about a person asks about the author of the text beside it, if that text is in the first person and names
nobody.
"""

import re
from collections.abc import Iterator

from agent.language.parsing.sentences import Span, contains_request
from agent.language.pattern_files import load_patterns

MAX_QUESTION_CHARS = 150
MIN_TEXT_CHARS = 20

_PATTERNS = load_patterns("authorship/other_speaker.toml")
_LINE = re.compile(r"[^\n]+")


def other_speakers(text: str) -> Iterator[Span]:
    """Yield the span of the text by another speaker, before or after the question about it; mostly none.

    Args:
        text: a message in which quotations and the like are replaced by NULs.
    """
    lines = [match.span() for match in _LINE.finditer(text) if match[0].strip(" \0")]
    if len(lines) <= 1:
        yield from _before_remark(text)
        return
    for question, rest in ((lines[-1], (lines[0][0], lines[-2][1])), (lines[0], (lines[1][0], lines[-1][1]))):
        if _asks_about_author(text[slice(*question)], text[slice(*rest)]):
            yield rest
            return


def _asks_about_author(question: str, rest: str) -> bool:
    if len(question) > MAX_QUESTION_CHARS or len(rest) < MIN_TEXT_CHARS or not _PATTERNS["first_person"].search(rest):
        return False
    if _PATTERNS["other_text"].search(question):
        return True
    is_about_person = _PATTERNS["third_person"].search(question) and not _PATTERNS["relative"].search(question)
    names_nobody = _PATTERNS["relative"].search(rest) is None
    return bool(is_about_person) and names_nobody and ("?" in question or contains_request(question))


def _before_remark(text: str) -> Iterator[Span]:
    """Yield a one-line text whose author the next remark names ("… (That's the Times piece.)")."""
    remark = _PATTERNS["other_text"].search(text, MIN_TEXT_CHARS)
    if remark and len(text) - remark.start() <= MAX_QUESTION_CHARS and "?" not in text[: remark.start()]:
        yield 0, remark.start()
