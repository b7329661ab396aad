"""The statements in a user's own words: whole sentences, and the clauses of questions that state something."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise, takewhile

from agent.language.authorship.foreign_text import is_text_task
from agent.language.authorship.framing import Framing
from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.addressed import asks_or_states, is_self_talk, is_standing_instruction, own_clauses
from agent.language.facts.circumstances import reason_start
from agent.language.facts.personal_requests import (
    has_details,
    is_personal_request,
    is_reasoned_wish,
    reminded_start,
)
from agent.language.facts.referents import names_kind, needs_request
from agent.language.facts.request_clauses import is_confession, only_asks, stating_clauses
from agent.language.facts.text_tasks import begins_text_task, names_value, split_text_tasks
from agent.language.grounding.checks import rejection_reason
from agent.language.grounding.pronouns import refers_back
from agent.language.grounding.support import is_about_user
from agent.language.impersonal.statements import is_impersonal
from agent.language.parsing.follow_ups import is_follow_up
from agent.language.parsing.function_words import language_of
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import Span, sentences, strip_lead_words, without_lead_words
from agent.language.text_cache import cache_per_user

_FACT_LEAD = re.compile(
    r"(?:\s(?:and|but|also|btw|by the way|und|aber|y|pero|et|mais)\s"
    r"(?:(?:also|btw|by the way|\u00fcbrigens|adem\u00e1s|sinon)\s)?|[,;\uff0c]\s?)"
    r"(?=(?:i'?m|i am|i have|i've|i live|i work|we live|we have|my (?:wife|husband|son|daughter|kids?)"
    r"|ich (?:bin|habe|wohne|arbeite)|soy|tengo|vivo|trabajo|je suis|j'ai|j'habite|je travaille)\b"
    r"|\u6211(?:\u662f|\u6709|\u4f4f|\u5bf9))",
    re.IGNORECASE,
)
# The beginning of what a task is about: "A train leaves at 8:15. When does it arrive?"
_INDEFINITE = re.compile(r"(?:an?|eine?|un|une|una|uno|um|uma|een)\s", re.IGNORECASE)
_DETERMINER = re.compile(
    r"(?:an?|the|another|all|each|every|both|half|he|she|it|they|eine?|der|die|das|er|sie|es|une?|le|la|les|il|elle|una|el|los|las|uno|i|gli|um|uma"
    r"|os?|as?|een|de|het|hij|zij)\s",
    re.IGNORECASE,
)
_COLONS = frozenset(":\uff1a")
_PLAIN_WORDS = re.compile(r"[^\d\0#$%^&*_=+/|@\"]+")
_SPOKEN_TO_USER = re.compile(
    r"\b(?:told|texted|messaged) (?:me|us)|\bsaid to (?:me|us)|\b(?:hat|haben) (?:mir|uns) gesagt"
    r"|\b(?:me|nos) (?:dijo|dijeron)|\b(?:m'a|m'ont|nous a) dit",
    re.IGNORECASE,
)
_SPEECH = re.compile(r"[,:]?\s{1,2}[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u00ab\u00bb\n]{3,80}[\"\u201d\u201c\u00bb]")
# What is left of a sentence whose quotation is masked: it says only who spoke.
_SPEAKER = re.compile(
    r"[^\u2026]{0,60}\b(?:said|says|wrote|writes|preached|(?:told|texted|sent)(?: me| us)?|geschrieben|schrieb"
    r"|sagte|gesagt|escribi\u00f3|dijo|mand\u00f3|mandou|disse|scritto|detto|schreef|zei|\u00e9crit|dit)\s?[:,]?\s\u2026[\s.,:!?\u2026]*"
    r"(?:(?:summari[sz]e|what|how|qu\u00e9|was|que)\b[^.!?\u2026]{0,40})?"
    r"|[\s,\u2026]*(?:sagte|said|says|dijo|dit|disse|zei)\s\w+[\s.,!]*",
    re.IGNORECASE,
)
_MASKED = re.compile(r"(?<![\s\0])[\s\0]*\0[\s\0]*")


def mask_unusable(text: str) -> str:
    """Replace everything but the user's own words that may be stored by NULs."""
    own = mask_quoted(text)
    masked = mask_rejected(own)
    role = Framing.of(own).role
    is_rejected = role is not None and not any(map(str.isalnum, masked[slice(*role)]))
    return "\0" * len(text) if is_rejected else masked  # nothing else would show that the user plays a role


def mask_rejected(masked: str) -> str:
    """Replace instructions and sentences that must never be stored by NULs.

    All sentences are replaced if no single ones are to blame.
    """
    masked = _mask_instructions(masked)
    if not rejection_reason(masked):
        return masked
    spans = list(sentences(masked))
    is_rejected = [rejection_reason(masked[slice(*span)]) is not None for span in spans]
    clean = [span for span, rejected in zip(spans, is_rejected, strict=True) if not rejected]
    for first, second in pairwise(clean):
        if first[1] == second[0] and rejection_reason(masked[first[0] : second[1]]):
            return "\0" * len(masked)
    kept = "".join(
        _mask_but_facts(masked[slice(*span)]) if rejected else masked[slice(*span)]
        for span, rejected in zip(spans, is_rejected, strict=True)
    )
    return "\0" * len(masked) if rejection_reason(kept.replace("\0", " ")) else kept


def _mask_but_facts(sentence: str) -> str:
    """Mask a rejected sentence except for a last clause with a fact ("… and by the way I'm allergic to nuts")."""
    *_, fact = [0, *(match.end() for match in _FACT_LEAD.finditer(sentence))]
    is_fact = fact and rejection_reason(sentence[fact:]) is None and _PLAIN_WORDS.fullmatch(sentence, fact)
    return "\0" * fact + sentence[fact:] if is_fact else "\0" * len(sentence)


def _mask_instructions(masked: str) -> str:
    return "".join(map(_mask_instruction, (masked[slice(*span)] for span in sentences(masked))))


def _mask_instruction(sentence: str) -> str:
    """Mask an instruction except for the clauses that state something about the user."""
    plain = sentence.replace("\0", " ")
    if not is_standing_instruction(plain) or is_reasoned_wish(plain):
        return sentence
    kept = list("\0" * len(sentence))
    for start, stop in own_clauses(plain):
        kept[start:stop] = sentence[start:stop]
    return "".join(kept)


def statement_spans(masked: str) -> Iterator[Span]:
    """Yield the spans of the sentences and clauses in which the user states something, in order.

    A statement includes the request before it if it refers to that ("Descale a Sage? That's the one I bought."), or is
    brief, so that it may say little without it.
    """
    request = None
    kinds = dict(_kinds(masked))
    stated = [masked[slice(*each)] for each, kind in kinds.items() if kind is False]
    is_impersonal_task = _contains_exercise(masked, kinds) and not is_about_user(masked)
    is_material = False
    for sentence, kind in kinds.items():
        is_material = is_impersonal_task and _is_material(masked, sentence, continues=is_material)
        is_unsure = only_asks(masked[slice(*sentence)])
        is_other = is_material or is_unsure or is_impersonal(masked[slice(*sentence)], stated)
        if kind is False and not (is_other or _announces_text(masked, sentence)):
            yield sentence if request is None else _with_reference(masked, request, sentence)
        is_beside = kind and False in kinds.values() and begins_text_task(masked, sentence)
        parts = _parts_beside_statement if is_beside else _stating_parts
        stating = list(parts(masked, sentence)) if kind else []
        yield from stating
        request = sentence if kind and not (stating or is_beside) else None


def _contains_exercise(masked: str, kinds: Mapping[Span, bool | None]) -> bool:
    """Check for a question or request other than a task to write a text."""
    return any(kind and not begins_text_task(masked, sentence) for sentence, kind in kinds.items())


def _is_material(masked: str, sentence: Span, *, continues: bool) -> bool:
    """Check whether a sentence begins, or continues, the material of an exercise ("A train leaves at 8:15 …")."""
    start, stop = strip_lead_words(masked, sentence)
    article = (_DETERMINER if continues else _INDEFINITE).match(masked, start, stop)
    # The definite article of Portuguese.
    return article is not None and (article[0].lower() != "a " or language_of(masked[slice(*sentence)]) != "pt")


def _kinds(masked: str) -> Iterator[tuple[Span, bool | None]]:
    """Yield sentences with what they are; a task to write a text states nothing beside a statement."""
    states = False
    for sentence in split_text_tasks(masked):
        is_task = states and begins_text_task(masked, sentence)
        kind = True if is_task else asks_or_states(masked, sentence)
        states = states or kind is False
        yield sentence, kind


def _parts_beside_statement(masked: str, task: Span) -> list[Span]:
    """What a task to write a text states beside another statement: all of it only if it names a value."""
    if names_value(masked[slice(*task)]):
        return _stating_parts(masked, task)
    return [clause for clause in stating_clauses(masked, task) if clause[0] > task[0]]


def _announces_text(masked: str, sentence: Span) -> bool:
    """Check whether a sentence only announces what is masked after it ("Correct the grammar:")."""
    own = masked[slice(*sentence)].rstrip("\0 \n")
    is_followed = masked[sentence[0] + len(own) :].lstrip(" \n")[:1] == "\0"
    return is_followed and (own[-1:] in _COLONS or is_text_task(own.lstrip()))


def _with_reference(masked: str, request: Span, statement: Span) -> Span:
    """The span of a statement, extended to the request before it if it says too little without that."""
    content, _ = strip_lead_words(masked, statement)
    is_included = needs_request(masked[content : statement[1]], masked[slice(*request)])
    return (request if is_included else statement)[0], statement[1]


def _start_of_content(masked: str, span: Span) -> int:
    """Where a statement begins after its lead words; "don't forget to …" has none."""
    *earlier, (start, stop) = without_lead_words(masked, span)
    return earlier[0][0] if earlier and masked.startswith("to ", start, stop) else start


def without_masked(text: str, masked: str, span: Span) -> str:
    """The text of a span as one line, with "…" in place of what is masked; empty if it says nothing without that.

    Short quotations after "told me" are kept, because the sentence names the speaker.
    """
    start = _start_of_content(masked, span)
    for spoken in _speeches(text, masked, (start, span[1])):
        masked = masked[: spoken[0]] + text[slice(*spoken)] + masked[spoken[1] :]
    raw = "".join(
        "\0" if mask == "\0" else char
        for char, mask in zip(text[start : span[1]], masked[start : span[1]], strict=True)
    )
    kept = " ".join(_MASKED.sub(" \u2026 ", raw).split())
    says_nothing = not any(map(str.isalnum, kept)) or _SPEAKER.fullmatch(kept) is not None
    return "" if says_nothing else kept.strip("\u2026 ")


@cache_per_user(maxsize=1024)
def only_own_words(text: str) -> str:
    """Replace text by other authors in a message, such as a pasted mail, with "…"; leave other messages unchanged."""
    masked = mask_quoted(blank_openers(text))
    return (without_masked(text, masked, (0, len(text))) or text) if "\0" in masked else text


def _speeches(text: str, masked: str, span: Span) -> Iterator[Span]:
    """Yield the quotations after "told me" in a span."""
    for lead in _SPOKEN_TO_USER.finditer(masked, *span):
        speech = _SPEECH.match(text, lead.end(), span[1])
        if (
            speech
            and not rejection_reason(speech[0])
            and not is_standing_instruction(speech[0].strip(' ,:"\u201c\u201d'))
        ):
            yield speech.span()


def sentence_at(masked: str, span: Span) -> Span:
    """The span of the sentences that contain a span."""
    found = [each for each in sentences(masked) if each[0] < span[1] and span[0] < each[1]]
    return (found[0][0], found[-1][1]) if found else span


def own_sentence(text: str, masked: str, span: Span, max_chars: int) -> str:
    """The statement around a quote, without what is masked, as one line; empty if the user only asks."""
    stating = [each for each in statement_spans(masked) if each[0] < span[1] and span[0] < each[1]]
    if not stating:
        return ""
    start, stop = _start_of_subject(masked, stating[0], max_chars), stating[-1][1]
    before, after = masked.rfind("\0", start, span[0]), masked.find("\0", span[1], stop)
    start, stop = max(start, before + 1), stop if after < 0 else after
    start = min(_start_of_content(masked, (start, stop)), span[0])
    if stop - start > max_chars:
        start = max(start, span[0] - max(0, max_chars - (span[1] - span[0])) // 2)
        while 0 < start < span[0] and not text[start - 1].isspace():
            start += 1
        stop = min(stop, start + max_chars)
    return " ".join(text[start:stop].split())


def _start_of_subject(masked: str, statement: Span, max_chars: int) -> int:
    """Where a statement begins together with those before it that it refers to, within a number of characters."""
    *earlier, (start, stop) = takewhile(lambda span: span[0] <= statement[0], statement_spans(masked))
    while earlier and refers_back(masked[start:stop]) and stop - earlier[-1][0] <= max_chars:
        start, _ = earlier.pop()
    return start


def framed_text(text: str, masked: str, span: Span, frame: Span, max_chars: int) -> str:
    """The text from a statement to the sentence that frames it, or both with "…" between them if that is too long."""
    whole = without_masked(text, masked, (min(span[0], frame[0]), max(span[1], frame[1])))
    if len(whole) <= max_chars:
        return whole
    lead = without_masked(text, masked, frame)[: max_chars // 2]
    return f"{lead} \u2026 {own_sentence(text, masked, span, max_chars - len(lead) - 3)}"


def _stating_parts(masked: str, request: Span) -> list[Span]:
    """What a question or request states: some of its clauses, or all of it if the rest also concerns the user."""
    asked = masked[slice(*request)].strip()
    if is_reasoned_wish(asked):
        return [request]
    if (is_follow_up(asked) and not reason_start(asked)) or only_asks(asked) or is_self_talk(asked):
        return []
    if start := reminded_start(masked[slice(*request)]):
        return [(request[0] + start, request[0] + len(masked[slice(*request)].rstrip(" \n?!")))]
    clauses = list(stating_clauses(masked, request))
    later = [masked[slice(*clause)] for clause in clauses if clause[0] > request[0]]
    if any(refers_back(clause) or names_kind(clause) for clause in later):
        return [request]  # "Can Sam have grapefruit, he's on simvastatin"
    rest = masked[slice(*request)]
    for start, stop in clauses:
        rest = rest[: start - request[0]] + " " * (stop - start) + rest[stop - request[0] :]
    if is_confession(masked, request) and not has_details(rest):
        return clauses
    is_whole = is_personal_request(rest) or (clauses and has_details(rest))
    return [request] if is_whole else clauses
