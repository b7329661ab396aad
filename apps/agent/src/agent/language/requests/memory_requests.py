"""Recognise requests to remember or to forget, by their form in several languages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.language.authorship.own_words import mask_quoted
from agent.language.authorship.private_messages import is_private_message, private_remark_end
from agent.language.facts.extraction import contains_only_requests, own_statements
from agent.language.parsing.sentences import (
    NON_FACTUAL,
    Span,
    contains_request,
    is_small_talk,
    plain_punctuation,
    sentences,
)
from agent.language.pattern_files import load_patterns
from agent.language.requests.asides import aside_start, statement_start
from agent.language.requests.clause_starts import ClauseStart, clause_starts, first_boundary, without_joint
from agent.language.requests.named_things import is_about_task, named_thing, names_other_task
from agent.language.requests.pronoun_topics import antecedent, is_pronoun

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

MAX_CHARS = 4_000  # the rest of a message is not examined
MAX_REQUESTS = 5  # per message
MAX_SENTENCES = 20  # further ones are not examined
MIN_RETRACTION_WORDS = 3  # before another clause, "forget that" may concern the task
MAX_TEXT_CHARS = 500  # longer contents are pasted text

_PATTERNS = load_patterns("requests/memory_request_patterns")
_FORGET: Sequence[Scope] = ("topic", "question", "statement", "subject", "mention")
_NAMED: frozenset[Scope] = frozenset({"topic", "question", "statement", "subject"})
_WHOLE: dict[str, tuple[Action, Scope]] = {
    "previous": ("forget", "previous"),
    "all": ("forget", "all"),
    "remember_previous": ("remember", "previous"),
}
_EXPLICIT = re.compile(r"\s{0,5}forget: ?(?P<words>[^\n]{1,500})$", re.IGNORECASE)
# A clause after the content that states something else: "Forget that I live in Leeds, I live in York now".
_NEXT_STATEMENT = re.compile(
    r"(?:[,;] {1,2}(?:and |but |so |because |since |as )?|\s(?:because|since|but|so) )(?:actually |now |in fact )?"
    r"(?=(?:i|i'\w{1,2}|my|we|our)\b)",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s(?:and|und|y|et)(?: also)?(?: that| dass| que)? (?=(?:i|i'\w{1,2}|my|we|our|ich|je|j')\b)", re.IGNORECASE
)
# Between the contents of "remember that …, that … and that …".
_THAT = r"(?:that|dass|que|qu'|che|dat)"
_AND_THAT = re.compile(
    rf"(?:,\s|(?P<last>,?\s(?:and|und|y|et|e|en)\s))(?:(?:also|auch|también|aussi|anche|também|ook)\s)?{_THAT}\s?"
    r"(?<=[\s'])(?!(?:of|one|which|who|is|was|the same|he|she|it|they"
    r"|er|sie|es|ella|él|ils?|elles?|lui|lei|ele|ela|hij|zij|ze|het)\b)",
    re.IGNORECASE,
)
_NESTED_THAT = re.compile(rf"\b{_THAT}(?=\s|(?<='))", re.IGNORECASE)
_EDGES = " \t\r\n.,;:!?…\u3002\uff01\uff1f\u061f\uff0c\u3001\u060c\"'«»“”"


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
    """The requests in a message, in order; questions, quotations and reported requests do not count."""
    head = message[:MAX_CHARS]
    if (match := _EXPLICIT.match(head)) and (words := match["words"].strip(_EDGES)):
        return [_explicit(words, (0, len(message)))]
    masked, plain = mask_quoted(head), plain_punctuation(head)
    if is_private_message(message) or _withdraws_private_message(plain):
        return [MemoryRequest("forget", "previous", "", (0, len(message)))]
    found: list[MemoryRequest] = []
    spans = [span for span in sentences(masked) if masked[slice(*span)].strip()]
    likely = [
        n
        for n, span in enumerate(spans)
        if _PATTERNS["trigger"].search(masked, *span) or _is_pretence(plain, masked, span)
    ]
    for n in likely[:MAX_SENTENCES]:
        span = spans[n]
        if found and span[0] < found[-1].span[1]:
            continue
        following = spans[n + 1] if n + 1 < len(spans) else None
        requests = _in_sentence(plain, masked, span, following)
        if not requests or [one.scope for one in requests] == ["mention"]:
            requests = _naming_thing(plain, masked, span) or requests
        found += requests
    if contains_request(without_requests(masked, found)):
        # "Note that the list may be empty" belongs to a task.
        found = [one for one in found if not _PATTERNS["side_note"].match(plain[slice(*one.span)].strip())]
    return [with_antecedent(one, plain[: one.span[0]]) for one in found[:MAX_REQUESTS]]


def with_antecedent(request: MemoryRequest, before: str) -> MemoryRequest:
    """A request with the person that its pronoun refers to, if the text before it names only one."""
    is_referring = request.action == "forget" and is_pronoun(request.text)
    person = is_referring and antecedent(plain_punctuation(before))
    return replace(request, text=person) if person else request


def _withdraws_private_message(plain: str) -> bool:
    """Check for "That was private, forget it." as the whole message: it means the previous one."""
    start = private_remark_end(plain)
    request = _whole(plain, (start, len(plain))) if start else ""
    return any(_PATTERNS[name].fullmatch(request) for name in ("forget_it", "previous"))


def _is_pretence(plain: str, masked: str, sentence: Span) -> bool:
    """Check for "Pretend I never said that", which is masked as hypothetical, outside a longer quotation."""
    start, _ = _start_of(plain, sentence)
    is_within = masked[start : start + 1] == "\0" == masked[max(0, start - 1) : start]
    return not is_within and _PATTERNS["pretence"].match(plain, start, sentence[1]) is not None


def without_requests(message: str, requests: Sequence[MemoryRequest]) -> str:
    """The rest of a message."""
    for start, stop in sorted({request.span for request in requests}, reverse=True):
        message = f"{without_joint(message[:start])}{message[stop:]}"
    return message.strip(" \t\n,;").rstrip(" \u2013\u2014-") if any(map(str.isalnum, message)) else ""


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
    said = _PATTERNS["hesitation"].sub("", plain_punctuation(before)).strip(_EDGES + "-")
    return any(map(str.isalnum, said)) and not is_small_talk(said) and not contains_only_requests(said)


def _explicit(words: str, span: Span) -> MemoryRequest:
    """The request of a message that names what to forget in any form."""
    for request in memory_requests(f"forget {words}"):
        if request.action == "forget" and request.scope not in UNCERTAIN:
            return replace(request, span=span)
    return MemoryRequest("forget", "words", words, span)


def _naming_thing(plain: str, masked: str, sentence: Span) -> list[MemoryRequest]:
    """The request to forget one thing that a sentence names, unless the message contains another task."""
    start, is_question = _start_of(plain, sentence)
    if is_question and not _PATTERNS["asked"].match(plain, start, sentence[1]):
        return []
    others = [part for part in (masked[:start].strip(), masked[sentence[1] :].strip()) if part]
    if any(map(contains_request, others)):
        return []
    is_whole = all(is_small_talk(other) for other in others)
    if not (thing := named_thing(plain, masked, (start, sentence[1]), is_whole=is_whole)):
        return []
    span = sentence[0], statement_start(plain, start, sentence[1]) or sentence[1]
    return [MemoryRequest("forget", "thing" if thing.is_certain else "mention", thing.text, span)]


def _start_of(plain: str, sentence: Span) -> tuple[int, bool]:
    """The first character of a sentence, and whether it is a question."""
    text = plain[slice(*sentence)]
    return sentence[1] - len(text.lstrip()), text.rstrip(" \t\n\"')!").endswith(("?", "\uff1f", "\u061f"))


def _in_sentence(plain: str, masked: str, sentence: Span, following: Span | None) -> list[MemoryRequest]:
    (start, is_question), stop = _start_of(plain, sentence), sentence[1]
    is_asked = not is_question or _PATTERNS["asked"].match(plain, start, stop) is not None
    for begin, kind, is_reported in [ClauseStart(start, "any"), *clause_starts(masked, start, stop)]:
        requests = list(_at(plain, masked, (begin, stop), following))
        if not is_asked or (begin > start and is_question):
            requests = [one for one in requests if _is_retraction(one) and one.span[1] < stop]
        elif kind == "retraction":
            requests = [one for one in requests if _is_retraction(one) and not is_reported]
        elif kind == "removal":
            requests = [one for one in requests if one.action == "forget" and one.scope in _NAMED]
        if requests:
            return requests
    suffix = _PATTERNS["remember_suffix"].search(plain, max(start, stop - 60), len(plain[:stop].rstrip()))
    if suffix and is_asked:
        text = plain[start : suffix.start()].strip(_EDGES)
        return [MemoryRequest("remember", "statement", text, (start, stop))]
    return []


def _is_retraction(request: MemoryRequest) -> bool:
    return request.action == "forget" and request.scope == "previous"


def _at(plain: str, masked: str, span: Span, following: Span | None) -> Iterator[MemoryRequest]:
    """The requests that begin exactly at the start of a span."""
    for name, (action, scope) in _WHOLE.items():
        if _PATTERNS[name].fullmatch(_whole(plain, span)):
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


def _whole(plain: str, span: Span) -> str:
    """A sentence or clause without courtesies and punctuation."""
    return _PATTERNS["tail"].sub("", plain[slice(*span)].strip(_EDGES + " ()")).strip(_EDGES + "¿¡()")


def _end_of_retraction(plain: str, span: Span) -> int:
    """The end of "Forget I said that" before another clause; 0 if there is none, or if the message is about a task."""
    end = first_boundary(plain, *span)
    clause = _whole(plain, (span[0], end.start())) if end else ""
    if not end or len(clause.split()) < MIN_RETRACTION_WORDS or not _PATTERNS["previous"].fullmatch(clause):
        return 0
    if _PATTERNS["named_again"].match(plain, end.end(), span[1]):  # "forget I said that, the money stuff"
        return span[1]
    if _PATTERNS["stated_again"].match(plain, end.end(), span[1]):  # "forget it, that Tom is vegan"
        return 0
    is_first = not any(map(str.isalnum, plain[: span[0]]))
    return 0 if is_first and names_other_task(plain[end.end() : span[1]]) else end.end()


def _match(name: str, masked: str, span: Span) -> re.Match[str] | None:
    match = _PATTERNS[name].match(masked, *span)
    return match if match and "\0" not in match[0] else None


def _parts(action: Action, scope: Scope, text: str) -> Sequence[str]:
    """The contents that a request joins with "and"."""
    if action == "forget":
        return _AND.split(text) if scope == "statement" else [text]
    joints = list(_AND_THAT.finditer(text))
    first = text[: joints[0].start()] if joints else ""
    if not any(one["last"] for one in joints) or NON_FACTUAL.search(first) or _NESTED_THAT.search(first):
        return [text]  # "that my mother thinks that I smoke and that I drink"
    starts, ends = [0, *(one.end() for one in joints)], [*(one.start() for one in joints), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _contents(action: Action, scope: Scope, plain: str, content: Span, span: Span) -> Iterator[MemoryRequest]:
    start, stop = content
    if action == "forget" and scope in {"subject", "mention"} and (aside := plain.find(",", start, stop)) > 0:
        stop, span = aside, (span[0], statement_start(plain, aside, stop) or span[1])  # "…, they closed it"
    elif action == "forget" and (other := _NEXT_STATEMENT.search(plain, start, stop)):
        stop, span = other.start(), (span[0], other.end())
    elif action == "forget" and scope == "topic" and (aside := aside_start(plain, start, stop)):
        stop, span = aside, (span[0], statement_start(plain, aside, stop) or span[1])
    if action == "forget" and (reason := _PATTERNS["untrue"].search(plain, start, stop)):
        stop = reason.start()
    text = _PATTERNS["tail"].sub("", plain[start:stop].rstrip(_EDGES))
    if scope in {"topic", "subject"}:
        text = _PATTERNS["topic_tail"].sub("", text)
    for one in _parts(action, scope, text):
        stripped = one.strip(_EDGES)
        if 0 < len(stripped) <= MAX_TEXT_CHARS:
            yield MemoryRequest(action, scope, stripped, span)
