"""Find the requests in a sentence, which may join several of them, and go on with questions and statements."""

from dataclasses import replace

from agent.language.grounding.support import is_about_user
from agent.language.parsing.sentences import Span, contains_request, is_small_talk, sentences
from agent.language.requests.asides import statement_start
from agent.language.requests.clause_starts import ClauseStart, clause_starts, ends_with_report
from agent.language.requests.clause_subjects import is_complete
from agent.language.requests.joints import (
    Joint,
    asks_for_rest,
    begins_question,
    is_about_memory,
    is_retelling,
    joints,
    may_continue,
    without_tag,
)
from agent.language.requests.named_things import named_thing
from agent.language.requests.request_forms import (
    EDGES,
    NAMED,
    REQUEST_PATTERNS,
    UNCERTAIN,
    MemoryRequest,
    requests_at,
)

_CONJUNCTIONS = (" that", " dass", " que", " qu'", " che", " dat", ":")
_NOUNS = frozenset({"subject", "topic", "mention"})
"""The scopes of requests that name a thing, which a clause after "and" is no part of."""


def sentence_requests(plain: str, masked: str, sentence: Span, following: Span | None) -> list[MemoryRequest]:
    """The requests in a sentence, in order.

    Args:
        plain: the message with plain punctuation.
        masked: the same without quoted text.
        sentence: its span.
        following: the span of the next sentence, which may be the content of "Remember:".
    """
    start, stop = sentence
    found: list[MemoryRequest] = []
    is_asked = False
    for joint in joints(masked, start, stop):
        is_request = _begins_request(plain, masked, (joint.stop, stop))
        if is_request or _begins_other(plain, joint, stop):
            before = _in_part(plain, masked, (start, joint.start), None, is_asked=is_asked)
            if before and _is_division(plain, before[-1], joint, stop, is_request=is_request):
                found += (replace(one, span=(one.span[0], joint.stop)) for one in before)
                start, is_asked = joint.stop, is_request
    if found and not is_asked:
        return found  # a question or a statement follows
    return [*found, *_in_part(plain, masked, (start, stop), following, is_asked=is_asked)]


def _begins_request(plain: str, masked: str, part: Span) -> bool:
    """Check whether a part of a sentence begins with a request that names something."""
    first = next(requests_at(plain, masked, part, None), None)
    if first is None:
        return named_thing(plain, masked, part, is_whole=False) is not None
    if first.action == "forget":
        return first.scope in {*NAMED, "mention"}
    lead = plain[part[0] : plain.find(first.text, part[0])] if first.text else ""
    is_clause = is_complete(first.text) or lead.rstrip().casefold().endswith(_CONJUNCTIONS) or not lead.isascii()
    return first.scope == "statement" and is_clause


def _begins_other(plain: str, joint: Joint, stop: int) -> bool:
    """Check whether a question or a statement of its own may begin after a joint."""
    return begins_question(plain, joint.stop, stop, is_embedded=False) or _begins_statement(plain, joint, stop)


def _begins_statement(plain: str, joint: Joint, stop: int) -> bool:
    clause = plain[joint.stop : stop]
    return not joint.is_separate and is_complete(clause) and is_about_user(clause)


def _is_division(plain: str, before: MemoryRequest, joint: Joint, stop: int, *, is_request: bool) -> bool:
    """Check whether a request ends at a joint, and what follows is not a part of its content."""
    if ends_with_report(plain, joint.start):
        return False
    if is_request:
        return not _is_continued(before, joint)
    if begins_question(plain, joint.stop, stop, is_embedded=before.scope == "question"):
        return _is_before_question(plain, before, joint, stop)
    return before.action == "forget" and before.scope in _NOUNS and _begins_statement(plain, joint, stop)


def _is_before_question(plain: str, before: MemoryRequest, joint: Joint, stop: int) -> bool:
    rest = plain[joint.stop : stop]
    if is_about_memory(rest) or asks_for_rest(rest):
        return not _is_continued(before, joint)
    if before.scope in UNCERTAIN:
        return False  # "Forget about the onions, what else can I use?"
    if before.action == "remember" and (is_retelling(before.text) or not is_about_user(before.text)):
        return False
    is_asked = joint.is_separate and start_of(plain, (joint.stop, stop))[1]
    return is_asked or before.scope != "statement" or not may_continue(before.text)


def _is_continued(before: MemoryRequest, joint: Joint) -> bool:
    """Check whether a verb after a joint may continue the statement that a request contains."""
    return before.scope == "statement" and not joint.is_separate and may_continue(before.text)


def _in_part(plain: str, masked: str, part: Span, following: Span | None, *, is_asked: bool) -> list[MemoryRequest]:
    """The requests in a sentence or in a part of one, which may be one despite a question mark (`is_asked`)."""
    requests = _in_clauses(plain, masked, part, following, is_asked=is_asked)
    if not requests or [one.scope for one in requests] == ["mention"]:
        return _naming_thing(plain, masked, part, is_asked=is_asked) or requests
    return requests


def _naming_thing(plain: str, masked: str, sentence: Span, *, is_asked: bool) -> list[MemoryRequest]:
    """The request to forget one thing that a sentence names, unless the message contains another task."""
    start, is_question = start_of(plain, sentence)
    if is_question and not is_asked and not REQUEST_PATTERNS["asked"].match(plain, start, sentence[1]):
        return []
    others = [one for span in ((0, start), (sentence[1], len(masked))) for one in _sentences_in(masked, span)]
    if any(contains_request(masked[slice(*one)]) and not _concerns_memory(plain, masked, one) for one in others):
        return []
    is_whole = all(is_small_talk(masked[slice(*one)]) or _concerns_memory(plain, masked, one) for one in others)
    if not (thing := named_thing(plain, masked, (start, sentence[1]), is_whole=is_whole)):
        return []
    span = sentence[0], statement_start(plain, start, sentence[1]) or sentence[1]
    return [MemoryRequest("forget", "thing" if thing.is_certain else "mention", thing.text, span)]


def _sentences_in(masked: str, span: Span) -> list[Span]:
    found = [(span[0] + start, span[0] + stop) for start, stop in sentences(masked[slice(*span)])]
    return [one for one in found if any(map(str.isalnum, masked[slice(*one)]))]


def _concerns_memory(plain: str, masked: str, sentence: Span) -> bool:
    """Check for a question about memory, or another request to remember or to forget."""
    text = plain[slice(*sentence)].lstrip(EDGES)
    return (
        is_about_memory(text) or asks_for_rest(text) or bool(_in_clauses(plain, masked, sentence, None, is_asked=True))
    )


def start_of(plain: str, sentence: Span) -> tuple[int, bool]:
    """The first character of a sentence, and whether it is a question."""
    text = plain[slice(*sentence)]
    return sentence[1] - len(text.lstrip()), without_tag(text).rstrip(" \t\n\"')!").endswith(("?", "\uff1f", "\u061f"))


def _in_clauses(
    plain: str, masked: str, sentence: Span, following: Span | None, *, is_asked: bool
) -> list[MemoryRequest]:
    """The requests of the first clause of a sentence that contains any."""
    (start, is_question), stop = start_of(plain, sentence), sentence[1]
    is_question = is_question and not is_asked
    is_asked = not is_question or REQUEST_PATTERNS["asked"].match(plain, start, stop) is not None
    for begin, kind, is_reported in [ClauseStart(start, "any"), *clause_starts(masked, start, stop)]:
        requests = list(requests_at(plain, masked, (begin, stop), following))
        if not is_asked or (begin > start and is_question):
            requests = [one for one in requests if _is_retraction(one) and one.span[1] < stop]
        elif kind == "retraction":
            requests = [one for one in requests if _is_retraction(one) and not is_reported]
        elif kind == "removal":
            requests = [one for one in requests if one.action == "forget" and one.scope in NAMED]
        if requests:
            return requests
    suffix = REQUEST_PATTERNS["remember_suffix"].search(plain, max(start, stop - 60), len(plain[:stop].rstrip()))
    if suffix and is_asked:
        text = plain[start : suffix.start()].strip(EDGES)
        return [MemoryRequest("remember", "statement", text, (start, stop))]
    return []


def _is_retraction(request: MemoryRequest) -> bool:
    return request.action == "forget" and request.scope == "previous"
