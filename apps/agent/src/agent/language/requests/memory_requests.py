"""Recognise requests to remember or to forget, by their form in several languages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from agent.language.authorship.own_words import mask_quoted
from agent.language.parsing.sentences import NON_FACTUAL, Span, contains_request, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns

Action = Literal["remember", "forget"]
Scope = Literal["statement", "question", "subject", "mention", "topic", "previous", "all"]
"""What a request refers to:

`statement`: what its text states ("forget that I live in London");
`question`: the answer to its text ("forget where I live");
`subject`: the one memory about its text ("forget my dog");
`mention`: the same, but the message may have another meaning ("forget about the onions");
`topic`: everything that mentions its text ("forget everything about my ex");
`previous`: what the user said just before ("forget what I just said", "remember that");
`all`: everything.
"""

MAX_CHARS = 4_000  # the rest of a message is not examined
MAX_REQUESTS = 5  # per message
MAX_SENTENCES, MAX_CLAUSES = 20, 6  # further ones are not examined
MAX_TEXT_CHARS = 500  # longer contents are pasted text

_PATTERNS = load_patterns("requests/memory_requests.toml")
_FORGET: Sequence[Scope] = ("topic", "question", "statement", "subject", "mention")
_WHOLE: dict[str, tuple[Action, Scope]] = {
    "previous": ("forget", "previous"),
    "all": ("forget", "all"),
    "remember_previous": ("remember", "previous"),
}
_CLAUSE_START = re.compile(r"[,;:.] {1,2}(?:and |so |but |then )?|\s(?:and|so|but) (?=please\b)", re.IGNORECASE)
# A clause after the content that states something else: "Forget that I live in Leeds, I live in York now".
_NEXT_STATEMENT = re.compile(
    r"(?:[,;] {1,2}(?:and |but |so |because |since |as )?|\s(?:because|since|but|so) )(?:actually |now |in fact )?"
    r"(?=(?:i|i'\w{1,2}|my|we|our)\b)",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s(?:and|und|y|et)(?: also)?(?: that| dass| que)? (?=(?:i|i'\w{1,2}|my|we|our|ich|je|j')\b)", re.IGNORECASE
)
_EDGES = " \t\r\n.,;:!?…\u3002\uff01\uff1f\u061f\uff0c\u3001\u060c\"'«»“”"
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    """A request in a message."""

    action: Action
    scope: Scope
    text: str
    """What to remember or to forget, in the user's words; empty for `previous` and `all`."""
    span: Span
    """The part of the message that is the request."""


def memory_requests(message: str) -> list[MemoryRequest]:
    """The requests in a message, in order; questions, quotations and reported requests are none."""
    head = message[:MAX_CHARS]
    masked, plain = mask_quoted(head), plain_punctuation(head)
    found: list[MemoryRequest] = []
    spans = [span for span in sentences(masked) if masked[slice(*span)].strip()]
    likely = [n for n, span in enumerate(spans) if _PATTERNS["trigger"].search(masked, *span)]
    for n in likely[:MAX_SENTENCES]:
        span = spans[n]
        if found and span[0] < found[-1].span[1]:
            continue
        following = spans[n + 1] if n + 1 < len(spans) else None
        found += _in_sentence(plain, masked, span, following)
    if contains_request(without_requests(masked, found)):
        # "Note that the list may be empty" belongs to a task.
        found = [one for one in found if not _PATTERNS["side_note"].match(plain[slice(*one.span)].strip())]
    return found[:MAX_REQUESTS]


def without_requests(message: str, requests: Sequence[MemoryRequest]) -> str:
    """The rest of a message."""
    for start, stop in sorted({request.span for request in requests}, reverse=True):
        message = f"{message[:start]}{message[stop:]}"
    return message.strip(" \t\n,;") if any(map(str.isalnum, message)) else ""


def without_forget_requests(message: str) -> str:
    """The rest of a message that asks to forget something: the request repeats what must not be kept."""
    return without_requests(message, [one for one in memory_requests(message) if one.action == "forget"])


def _in_sentence(plain: str, masked: str, sentence: Span, following: Span | None) -> Iterator[MemoryRequest]:
    start = sentence[0] + len(plain[slice(*sentence)]) - len(plain[slice(*sentence)].lstrip())
    stop = sentence[1]
    is_question = plain[start:stop].rstrip(" \t\n\"')!").endswith(_QUESTION_MARKS)
    if is_question and not _PATTERNS["asked"].match(plain, start, stop):
        return
    starts = [start, *(end.end() for end in islice(_CLAUSE_START.finditer(masked, start, stop), MAX_CLAUSES))]
    for begin in starts:
        if begin > start and (is_question or NON_FACTUAL.search(masked, start, begin)):
            return
        requests = list(_at(plain, masked, (begin, stop), following))
        if requests:
            yield from requests
            return
    if suffix := _PATTERNS["remember_suffix"].search(plain, max(start, stop - 60), len(plain[:stop].rstrip())):
        text = plain[start : suffix.start()].strip(_EDGES)
        yield MemoryRequest("remember", "statement", text, (start, stop))


def _at(plain: str, masked: str, span: Span, following: Span | None) -> Iterator[MemoryRequest]:
    """The requests that begin exactly at the start of a span."""
    whole = _PATTERNS["tail"].sub("", plain[slice(*span)].strip()).strip(_EDGES + "¿¡")
    for name, (action, scope) in _WHOLE.items():
        if _PATTERNS[name].fullmatch(whole):
            yield MemoryRequest(action, scope, "", span)
            return
    for scope in _FORGET:
        if match := _match(scope, masked, span):
            yield from _contents("forget", scope, plain, (match.end(), span[1]), span)
            return
    if match := _match("remember", masked, span):
        content = (match.end(), span[1])
        if following and not any(map(str.isalnum, plain[slice(*content)])):  # "Remember:" and the content in a new line
            content, span = following, (span[0], following[1])
        yield from _contents("remember", "statement", plain, content, span)


def _match(name: str, masked: str, span: Span) -> re.Match[str] | None:
    match = _PATTERNS[name].match(masked, *span)
    return match if match and "\0" not in match[0] else None


def _contents(action: Action, scope: Scope, plain: str, content: Span, span: Span) -> Iterator[MemoryRequest]:
    start, stop = content
    if action == "forget" and scope in {"subject", "mention"} and (aside := plain.find(",", start, stop)) > 0:
        stop = aside  # "Forget about the bingo, they closed it."
    elif action == "forget" and (other := _NEXT_STATEMENT.search(plain, start, stop)):
        stop, span = other.start(), (span[0], other.end())
    text = _PATTERNS["tail"].sub("", plain[start:stop].rstrip(_EDGES))
    if scope == "topic":
        text = _PATTERNS["topic_tail"].sub("", text)
    texts = _AND.split(text) if action == "forget" and scope == "statement" else [text]
    for one in texts:
        stripped = one.strip(_EDGES)
        if 0 < len(stripped) <= MAX_TEXT_CHARS:
            yield MemoryRequest(action, scope, stripped, span)
