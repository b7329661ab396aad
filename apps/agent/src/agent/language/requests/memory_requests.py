"""Recognise requests to remember or to forget, by their form in several languages."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.language.authorship.own_words import mask_quoted
from agent.language.authorship.private_messages import is_private_message, private_remark_end
from agent.language.facts.extraction import contains_only_requests, own_statements
from agent.language.parsing.sentences import Span, contains_request, is_small_talk, plain_punctuation, sentences
from agent.language.requests.clause_starts import without_joint
from agent.language.requests.pronoun_topics import antecedent, is_pronoun
from agent.language.requests.request_forms import (
    EDGES,
    REQUEST_PATTERNS,
    UNCERTAIN,
    Action,
    MemoryRequest,
    Scope,
    without_courtesies,
)
from agent.language.requests.request_lists import RequestList, request_list
from agent.language.requests.sentence_requests import sentence_requests, start_of

__all__ = [
    "UNCERTAIN",
    "Action",
    "MemoryRequest",
    "Scope",
    "memory_requests",
    "refers_to_own_message",
    "remaining_text",
    "with_antecedent",
    "without_forget_requests",
    "without_requests",
]

MAX_CHARS = 4_000  # the rest of a message is not examined
MAX_REQUESTS = 10  # per message
MAX_SENTENCES = 20  # further ones are not examined

_EXPLICIT = re.compile(r"\s{0,5}forget: ?(?P<words>[^\n]{1,500})$", re.IGNORECASE)


def memory_requests(message: str) -> list[MemoryRequest]:
    """The requests in a message, in order; questions, quotations and reported requests do not count."""
    head = message[:MAX_CHARS]
    if (match := _EXPLICIT.match(head)) and (words := match["words"].strip(EDGES)):
        listed = request_list(plain_punctuation(head), head, len(head) - len(head.lstrip()))
        return _of_list(head, listed, 0) if listed else [_explicit(words, (0, len(message)))]
    masked, plain = mask_quoted(head), plain_punctuation(head)
    if is_private_message(message) or _withdraws_private_message(plain):
        return [MemoryRequest("forget", "previous", "", (0, len(message)))]
    found: list[MemoryRequest] = []
    spans = [span for span in sentences(masked) if masked[slice(*span)].strip()]
    likely = [
        n
        for n, span in enumerate(spans)
        if REQUEST_PATTERNS["trigger"].search(masked, *span) or _is_pretence(plain, masked, span)
    ]
    for n in likely[:MAX_SENTENCES]:
        span = spans[n]
        if found and span[0] < found[-1].span[1]:
            continue
        if listed := request_list(plain, masked, start_of(plain, span)[0]):
            found += _of_list(plain, listed, span[0])
            continue
        following = spans[n + 1] if n + 1 < len(spans) else None
        found += sentence_requests(plain, masked, span, following)
    if contains_request(without_requests(masked, found)):
        # "Note that the list may be empty" belongs to a task.
        found = [one for one in found if not REQUEST_PATTERNS["side_note"].match(plain[slice(*one.span)].strip())]
    return [with_antecedent(one, plain[: one.span[0]]) for one in found[:MAX_REQUESTS]]


def with_antecedent(request: MemoryRequest, before: str) -> MemoryRequest:
    """A request with the person that its pronoun refers to, if the text before it names only one."""
    is_referring = request.action == "forget" and is_pronoun(request.text)
    person = is_referring and antecedent(plain_punctuation(before))
    return replace(request, text=person) if person else request


def _withdraws_private_message(plain: str) -> bool:
    """Check for "That was private, forget it." as the whole message: it means the previous one."""
    start = private_remark_end(plain)
    request = without_courtesies(plain, (start, len(plain))) if start else ""
    return any(REQUEST_PATTERNS[name].fullmatch(request) for name in ("forget_it", "previous"))


def _is_pretence(plain: str, masked: str, sentence: Span) -> bool:
    """Check for "Pretend I never said that", which is masked as hypothetical, outside a longer quotation."""
    start, _ = start_of(plain, sentence)
    is_within = masked[start : start + 1] == "\0" == masked[max(0, start - 1) : start]
    return not is_within and REQUEST_PATTERNS["pretence"].match(plain, start, sentence[1]) is not None


def without_requests(message: str, requests: Sequence[MemoryRequest]) -> str:
    """The rest of a message."""
    for start, stop in reversed(_joined_spans(requests)):
        message = f"{without_joint(message[:start])}{message[stop:]}"
    return message.strip(" \t\n,;").rstrip(" \u2013\u2014-") if any(map(str.isalnum, message)) else ""


def _joined_spans(requests: Sequence[MemoryRequest]) -> list[Span]:
    """The spans of requests, in order; those that touch each other as one."""
    joined: list[Span] = []
    for start, stop in sorted({request.span for request in requests}):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((start, stop))
    return joined


def without_forget_requests(message: str) -> str:
    """The rest of a message that asks to forget something: the request repeats what must not be kept."""
    return remaining_text(message, [one for one in memory_requests(message) if one.action == "forget"])


def remaining_text(message: str, requests: Sequence[MemoryRequest]) -> str:
    """The message without its requests, and without what precedes a request that means its own message."""
    start = max((one.span[0] for one in requests if refers_to_own_message(message, one)), default=0)
    later = [replace(one, span=(one.span[0] - start, one.span[1] - start)) for one in requests if one.span[0] >= start]
    return without_requests(message[start:], later)


def refers_to_own_message(message: str, request: MemoryRequest) -> bool:
    """Check whether a request of the scope `previous` means what its own message states."""
    if request.scope != "previous":
        return False
    if request.span == (0, len(message)) and is_private_message(message):
        return True
    before = message[: request.span[0]]
    if request.action == "remember":
        return bool(own_statements(before))
    said = REQUEST_PATTERNS["hesitation"].sub("", plain_punctuation(before)).strip(EDGES + "-")
    return any(map(str.isalnum, said)) and not is_small_talk(said) and not contains_only_requests(said)


def _explicit(words: str, span: Span) -> MemoryRequest:
    """The request of a message that names what to forget in any form."""
    for request in memory_requests(f"forget {words}"):
        if request.action == "forget" and request.scope not in UNCERTAIN:
            return replace(request, span=span)
    return MemoryRequest("forget", "words", words, span)


def _of_list(plain: str, listed: RequestList, start: int) -> list[MemoryRequest]:
    """The requests of a list, each of which begins where the one before it ends."""
    found: list[MemoryRequest] = []
    for item in listed.items:
        text = plain[slice(*item)]
        rest = plain[item[1] :]
        span = start, item[1] + len(rest) - len(rest.lstrip(EDGES))
        is_new = listed.action == "remember"
        found.append(MemoryRequest("remember", "statement", text, span) if is_new else _explicit(text, span))
        start = span[1]
    return found
