"""What a text says by its form alone: rules, without a model and without I/O.

    text → sentences → clauses → a form ("I live in …") → UserFact

The time is linear in the text, whatever it is, and well under a millisecond for what people write.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.memory import forms
from agent.memory.forms import Form
from agent.types import Category

LONGEST_CLAUSE = 300  # characters; who says more in one breath pastes

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class UserFact:
    """One thing that a user says of themselves: `text` without a subject ("Lives in Oslo"), `quote` verbatim."""

    text: str
    kind: Literal["user", "procedural"]
    category: Category
    confidence: float
    quote: str


def extract_from_user(text: str) -> list[UserFact]:
    """Return what a user's message says of them, each thing once, in the order said.

    Questions, conditions, quotations and other people's words say nothing.
    """
    own = _own_words(text)
    facts = (fact for sentence in _sentences(own) for fact in _facts(text, own, sentence))
    return list({fact.text.casefold(): fact for fact in facts}.values())


def only_asks(text: str) -> bool:
    """Tell whether a message merely asks for something: every sentence does, and nothing is said of the user."""
    own = _own_words(text)
    kinds = [_asks(own, sentence) for sentence in _sentences(own)]
    return True in kinds and False not in kinds and not extract_from_user(text)


def clauses(text: str) -> list[str]:
    """Return the clauses of a text in order, verbatim, without what leads up to them."""
    spans = (span for sentence in _sentences(text) for span, _ in _clauses(text, sentence))
    return [text[start:end] for start, end in (list(_leads(text, span))[-1] for span in spans)]


def _own_words(text: str) -> str:
    """Blank out what is quoted, code, or pasted; the length stays."""
    own = forms.FOREIGN.sub(lambda found: _blank_unless_name(found[0]), text)
    pasted = forms.PASTED.search(own)
    return own[: pasted.start()] if pasted else own


def _blank_unless_name(quoted: str) -> str:
    is_name = quoted[0] in "\"“«" and len(quoted.split()) <= 3 and not forms.SELF.match(quoted, 1)
    return quoted if is_name else "\0" * len(quoted)


def _sentences(text: str) -> Iterator[Span]:
    start = 0
    for end in forms.SENTENCE_END.finditer(text):
        yield start, end.end()
        start = end.end()
    yield start, len(text)


def _clauses(text: str, sentence: Span) -> Iterator[tuple[Span, bool]]:
    """Yield the clauses of a sentence; True for those that go on with the subject of the one before."""
    start, stop = sentence
    shared = False
    for end in forms.BOUNDARY.finditer(text, start, stop):
        yield (start, end.start()), shared
        start, shared = end.end(), bool(end["same"] or end["same_too"])
    yield (start, stop), shared


def _leads(text: str, clause: Span) -> Iterator[Span]:
    """Yield a clause, and what is left of it each time when its leading words are taken away."""
    start, stop = clause
    while start < stop and not (text[start].isalnum() or text[start] in "-*•–"):
        start += 1
    while stop > start and text[stop - 1] in " \t\r\n,;:.!?…–—-*_)\"”":
        stop -= 1
    yield start, stop
    colon = text.find(":", start, min(stop, start + 80))
    if colon > 0 and forms.COLON_LEAD.search(text, start, colon):
        yield (start := _skip_space(text, colon + 1, stop)), stop
    for _ in range(4):
        lead = forms.LEAD.match(text, start, stop)
        if not lead:
            return
        yield (start := lead.end()), stop


def _skip_space(text: str, start: int, stop: int) -> int:
    while start < stop and text[start].isspace():
        start += 1
    return start
