"""Find where a request goes on with a reason or another statement ("Forget the flat, Rohit is moving to Pune")."""

import re
from collections.abc import Iterator
from itertools import islice

from agent.language.requests.clause_subjects import is_complete

MAX_CLAUSES = 4  # further ones are not examined

_COMMA = re.compile(r"[,;] {1,2}(?:and |but |so |because |since |as )?", re.IGNORECASE)
# A clause about what precedes it, without which it is not understood.
_REFERRING = re.compile(
    r"\b(?:it|them|that|this|one|him|her|his|their|they|he|she|there|es|sie|er|ihn|das|lo|la|ella|él|ça|lui|elle|le|lei|ele"
    r"|ela|isso|het|hem|haar|ze|dat)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:(?:it|he|she|they|that|this|there)(?:'\w{1,2})? [\w']|not [\w'-]{2,20}ing\b)", re.IGNORECASE)


def aside_start(text: str, start: int, stop: int) -> int:
    """The end of what a request names, before a clause of its own; 0 if no such clause follows."""
    return next((end for end, clause, _ in _clauses(text, start, stop) if _is_aside(clause)), 0)


def statement_start(text: str, start: int, stop: int) -> int:
    """The start of the first clause that is understood without what precedes it; 0 if there is none."""
    found = (
        at for _, clause, at in _clauses(text, start, stop) if is_complete(clause) and not _REFERRING.search(clause)
    )
    return next(found, 0)


def _is_aside(clause: str) -> bool:
    return _PRONOUN.match(clause) is not None or is_complete(clause)


def _clauses(text: str, start: int, stop: int) -> Iterator[tuple[int, str, int]]:
    """Yield for each clause after a comma where the text before ends, the clause, and where this begins."""
    commas = list(islice(_COMMA.finditer(text, start, stop), MAX_CLAUSES))
    ends = [*(comma.start() for comma in commas[1:]), stop]
    for comma, end in zip(commas, ends, strict=False):
        yield comma.start(), text[comma.end() : end], comma.end()
