"""Find what a question or task presupposes about its author ("a sole trader like me", "As a nurse, …")."""

import re
from collections.abc import Iterator
from itertools import islice

from agent.language.parsing.sentences import Span
from agent.language.pattern_files import load_pattern_lists, load_patterns

_DESCRIPTIONS = ("identity", "circumstance", "belonging", "note")
MIN_RUN_ON_WORDS = 4
MAX_GOVERNING_CHARS = 20  # before a question that may be a part of its clause

MAX_CLAUSES = 6
_CLAUSE_END = re.compile(
    r"[,;]\s|\s-\s|\s(?=(?:because|since|cos|weil|denn|porque|car|perché|want|omdat)\s)", re.IGNORECASE
)

_FILE = "facts/circumstances.toml"
_PATTERNS = load_patterns(_FILE)
_LIKE_ME = load_pattern_lists(_FILE)["like_me"]
_EVENTS = tuple(load_patterns("facts/events_before_questions.toml").values())


def find_kind_of_author(text: str, sentence: Span) -> Span | None:
    """The words in which authors call themselves one of a kind ("for a heavy guy like me")."""
    for pattern in _LIKE_ME:
        match = pattern.search(text, *sentence)
        if match and not _PATTERNS["generic"].fullmatch(next(filter(None, match.groups()), match[0]).strip()):
            return match.span()
    return None


def describes_author(text: str, start: int, stop: int) -> bool:
    """Check whether a clause at `start` describes the author without a subject, or tells an event of a named person.

    Args:
        text: the message.
        start: where the clause begins.
        stop: the end of its sentence, whose question follows the clause.
    """
    described = (_PATTERNS[name].match(text, start, stop) for name in _DESCRIPTIONS)
    return any(described) or any(event.match(text, start, stop) for event in _EVENTS)


def follows_request(text: str, start: int, stop: int) -> bool:
    """Check whether the end of a request from `start` states a fact about a person or an occasion."""
    return any(_PATTERNS[name].match(text, start, stop) for name in ("trailing", "others"))


def reason_start(sentence: str) -> int:
    """Where a sentence ends with a person, an occasion or a group as the reason for what precedes; 0 if it does not."""
    ends = islice(_CLAUSE_END.finditer(sentence), MAX_CLAUSES)
    return next((end.end() for end in ends if _PATTERNS["others"].match(sentence, end.end())), 0)


def run_on_boundaries(text: str, sentence: Span) -> Iterator[Span]:
    """Where questions begin without punctuation before them ("my shift starts at 6 what can I eat"), as clause ends."""
    start = sentence[0]
    for end in _PATTERNS["run_on"].finditer(text, *sentence):
        before = text[max(start, end.start() - MAX_GOVERNING_CHARS) : end.start()]
        if len(text[start : end.start()].split()) >= MIN_RUN_ON_WORDS and not _PATTERNS["governs"].fullmatch(before):
            yield end.span()
            start = end.end()
