"""Recognise a request to remember or to forget that begins at a position of a message, by its form."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.language.parsing.sentences import Span
from agent.language.pattern_files import load_patterns
from agent.language.requests.asides import aside_start, statement_start
from agent.language.requests.clause_starts import first_boundary
from agent.language.requests.content_parts import (
    counted_things,
    forgotten_statements_in,
    questions_in,
    statements_in,
    things_in,
    topics_in,
)
from agent.language.requests.named_things import is_about_task, names_other_task

Action = Literal["remember", "forget", "restore"]
Scope = Literal["statement", "question", "subject", "words", "thing", "mention", "topic", "previous", "all"]
"""What a request refers to:

`statement`: what its text states ("forget that I live in London");
`question`: the answer to its text ("forget where I live");
`subject`: the one memory about its text ("forget my dog");
`words`: the statement or the memory that is meant, in any words ("forget: bridge");
`thing`: the one memory about its text, if no other task is at hand ("forget the boiler service");
`mention`: what its text mentions, but the message may have another meaning ("forget about the onions");
`topic`: everything that mentions its text ("forget everything about my ex");
`previous`: what the user said just before ("forget what I just said", "remember that");
`all`: everything.
"""

UNCERTAIN: frozenset[Scope] = frozenset({"thing", "mention"})
"""The scopes of messages that may mean something else than memory."""

MIN_RETRACTION_WORDS = 3  # before another clause, "forget that" may concern the task
MAX_TEXT_CHARS = 500  # longer contents are pasted text

REQUEST_PATTERNS = load_patterns("requests/memory_request_patterns")
EDGES = " \t\r\n.,;:!?…\u3002\uff01\uff1f\u061f\uff0c\u3001\u060c\"'«»“”"
"""Characters around the content of a request."""
_FORGET: Sequence[Scope] = ("topic", "question", "statement", "subject", "mention")
_DIVISIONS: Mapping[Scope, Callable[[str], Sequence[str]]] = {
    "statement": forgotten_statements_in,
    "question": questions_in,
    "subject": things_in,
    "mention": things_in,
    "topic": topics_in,
}
NAMED: frozenset[Scope] = frozenset({"topic", "question", "statement", "subject"})
"""The scopes of requests to forget that certainly concern memory and name what they mean."""
_WHOLE: dict[str, tuple[Action, Scope]] = {
    "previous": ("forget", "previous"),
    "all": ("forget", "all"),
    "remember_previous": ("remember", "previous"),
}
# A clause after the content that states something else: "Forget that I live in Leeds, I live in York now".
_NEXT_STATEMENT = re.compile(
    r"(?:[,;] {1,2}(?:and |but |so |because |since |as )?|\s(?:because|since|but|so) )(?:actually |now |in fact )?"
    r"(?=(?:i|i'\w{1,2}|my|we|our)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    """A request in a message."""

    action: Action
    scope: Scope
    text: str
    """What to remember or to forget, in the user's words; empty for `previous` and `all`."""
    span: Span
    """The part of the message that is the request."""
    count: int = 0
    """How many memories it means ("both my jobs"); 0 if it does not say so."""


def requests_at(plain: str, masked: str, span: Span, following: Span | None) -> Iterator[MemoryRequest]:
    """The requests that begin exactly at the start of a span."""
    for name, (action, scope) in _WHOLE.items():
        if REQUEST_PATTERNS[name].fullmatch(without_courtesies(plain, span)):
            yield MemoryRequest(action, scope, "", span)
            return
    if stop := _end_of_retraction(plain, span):
        yield MemoryRequest("forget", "previous", "", (span[0], stop))
        return
    for scope in _FORGET:
        match = _match(scope, masked, span)
        if match and not (scope == "mention" and is_about_task(masked[match.end() : span[1]])):
            yield from _contents("forget", scope, plain, (match.end(), span[1]), span)
            return
    if match := _match("remember", masked, span):
        content = (match.end(), span[1])
        if following and not any(map(str.isalnum, plain[slice(*content)])):  # "Remember:" and the content in a new line
            content, span = following, (span[0], following[1])
        yield from _contents("remember", "statement", plain, content, span)


def without_courtesies(plain: str, span: Span) -> str:
    """A sentence or clause without courtesies and punctuation."""
    return REQUEST_PATTERNS["tail"].sub("", plain[slice(*span)].strip(EDGES + " ()")).strip(EDGES + "¿¡()")


def _end_of_retraction(plain: str, span: Span) -> int:
    """The end of "Forget I said that" before another clause; 0 if there is none, or if the message is about a task."""
    end = first_boundary(plain, *span)
    clause = without_courtesies(plain, (span[0], end.start())) if end else ""
    if not end or len(clause.split()) < MIN_RETRACTION_WORDS or not REQUEST_PATTERNS["previous"].fullmatch(clause):
        return 0
    if REQUEST_PATTERNS["named_again"].match(plain, end.end(), span[1]):  # "forget I said that, the money stuff"
        return span[1]
    if REQUEST_PATTERNS["stated_again"].match(plain, end.end(), span[1]):  # "forget it, that Tom is vegan"
        return 0
    is_first = not any(map(str.isalnum, plain[: span[0]]))
    return 0 if is_first and names_other_task(plain[end.end() : span[1]]) else end.end()


def _match(name: str, masked: str, span: Span) -> re.Match[str] | None:
    match = REQUEST_PATTERNS[name].match(masked, *span)
    return match if match and "\0" not in match[0] else None


def _parts(action: Action, scope: Scope, text: str) -> Sequence[str]:
    """The things or statements that a request joins with "and"."""
    if action == "remember":
        return statements_in(text)
    divide = _DIVISIONS.get(scope)
    return divide(text) if divide else [text]


def _contents(action: Action, scope: Scope, plain: str, content: Span, span: Span) -> Iterator[MemoryRequest]:
    start, stop = content
    if action == "forget" and scope in {"subject", "mention"} and len(things_in(plain[start:stop].rstrip(EDGES))) > 1:
        pass  # "my dog, my cat and my job"
    elif action == "forget" and scope in {"subject", "mention"} and (aside := plain.find(",", start, stop)) > 0:
        stop, span = aside, (span[0], statement_start(plain, aside, stop) or span[1])  # "…, they closed it"
    elif action == "forget" and (other := _NEXT_STATEMENT.search(plain, start, stop)):
        stop, span = other.start(), (span[0], other.end())
    elif action == "forget" and scope == "topic" and (aside := aside_start(plain, start, stop)):
        stop, span = aside, (span[0], statement_start(plain, aside, stop) or span[1])
    if action == "forget" and (reason := REQUEST_PATTERNS["untrue"].search(plain, start, stop)):
        stop = reason.start()
    text = REQUEST_PATTERNS["tail"].sub("", plain[start:stop].rstrip(EDGES))
    if scope in {"topic", "subject"}:
        text = REQUEST_PATTERNS["topic_tail"].sub("", text)
    for one in _parts(action, scope, text):
        stripped, count = counted_things(one.strip(EDGES)) if scope == "subject" else (one.strip(EDGES), 0)
        if 0 < len(stripped) <= MAX_TEXT_CHARS:
            yield MemoryRequest(action, scope, stripped, span, count)
