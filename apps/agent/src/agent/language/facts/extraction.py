"""Extract facts from a user's own words with patterns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.language.authorship.nonliteral import is_literal, literal_length
from agent.language.authorship.own_words import mask_quoted
from agent.language.facts import filters, patterns
from agent.language.facts.addressed import (
    asks_or_states,
    is_instruction,
    is_lasting_preference,
    is_naming,
    is_standing_instruction,
)
from agent.language.facts.request_clauses import only_asks
from agent.language.facts.self_corrections import corrected_sentences
from agent.language.facts.templates import CONTRACTED, POSSESSIVE, WISH, FactPattern
from agent.language.facts.text_tasks import split_text_tasks
from agent.language.impersonal.statements import is_impersonal
from agent.language.parsing.notification_requests import is_reminder
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import (
    NON_FACTUAL,
    Span,
    clauses,
    compile_any,
    plain_punctuation,
    sentences,
    statements,
    strip_lead_words,
    without_lead_words,
)
from agent.language.text_cache import cache_per_user
from agent.types import Category

MAX_CLAUSE_CHARS = 300  # longer clauses are pasted text

_DEFINITE = re.compile(r"(?:an?|the|called|named)\s|[A-Z0-9]")
# An object that contains a verb, which may be the one that the next clause continues.
_NESTED = compile_any(r"\bto \w+|\b(?:who|that|which|people)\b")
_FILLER = compile_any(
    r"(?<![\s,])(?:[\s,]+(?:now|btw|by the way|though|too|as well|actually|lol|haha|thanks?|thank you|please|okay|ok"
    r"|plz|pls|sadly|luckily|of course|obviously|yay|haha\w{0,6}|right now|at the moment|(?:if|in case) (?:that"
    r"|it) (?:helps|matters)"
    r"|fyi|for your information)){1,8}$"
)
# Words after an object that begin another statement.
_NEXT_STATEMENT = compile_any(
    r"(?<![\s,;])[\s,;]+(?:(?:and|but|so|or|because|since|as|which|that|who|whom|where) )?"
    r"(?:(?:\w{2,12}ly|just|now|then|also|tbh) ){0,2}"
    r"(?:(?-i:I|I'\w{1,2})|i'm|i am|i'?ve|please|can you|could you|so no|plz|pls|lol|and it|and he|and she)\b.*",
    r"(?<![\s,;])[\s,;]+and (?:(?!that\b|who\b|which\b|whose\b)[\w'-]{1,20} ){1,3}(?:is|are|was|were"
    r"|isn't|aren't|keeps?|makes?|can't)\b.*",
    r"[,;] (?:what|how|don'?t|nobody|no ?one|every ?one|every ?body|people|only (?:my|the))\b.*",
    r"(?<!\s)\s+but (?!not\b).*|(?<!\s)\s+so (?:avoid|be|use"
    r"|skip|keep|nothing|it|that)\b.*",
)
_QUOTES = "\"'\u201c\u201d\u2018\u2019"


@dataclass(frozen=True, slots=True)
class UserFact:
    """A fact about the user: `text` in the third person without a subject ("Lives in Oslo"), `quote` verbatim."""

    text: str
    kind: Literal["user", "procedural"]
    category: Category
    confidence: float
    quote: str


def extract_from_user(text: str) -> list[UserFact]:
    """Extract the facts that a user states about themselves, without duplicates, in order of appearance.

    Questions, conditions, instructions, quotations and reported speech contain no facts.
    """
    return list(_extract_from_user(text))


@cache_per_user(maxsize=1024)
def _extract_from_user(text: str) -> tuple[UserFact, ...]:
    """Extract the facts once; a message is read with its turn, and compared with memories in the next."""
    return tuple(_extract(text, mask_quoted(blank_openers(text))))


def _extract(text: str, masked: str) -> list[UserFact]:
    masked = masked[: literal_length(masked)]
    spans = list(split_text_tasks(masked))
    corrected = corrected_sentences(text, spans)
    spans = [one for one in spans if one not in corrected]
    spoken = (one for one in spans if is_literal(masked, one) and not _is_instruction(masked, one))
    facts = (
        fact for sentence in spoken for fact in _facts(text, masked, sentence) or _preference(text, masked, sentence)
    )
    return list({fact.text.casefold(): fact for fact in facts}.values())


def contains_only_requests(text: str) -> bool:
    """Check whether every sentence of a message is a question or a request, and none states a fact about the user."""
    masked = mask_quoted(blank_openers(text))
    kinds = [_is_instruction(masked, span) or asks_or_states(masked, span) for span in sentences(masked)]
    has_pasted_text = "\0" in masked
    return (has_pasted_text or True in kinds) and False not in kinds and not _extract(text, masked)


def own_statements(text: str) -> list[str]:
    """The sentences in which the user states something, verbatim: no questions, requests, small talk or quotations.

    Statements that are not about the user are left out.
    """
    masked = mask_quoted(blank_openers(text))
    spans = [span for span in split_text_tasks(masked) if asks_or_states(masked, span) is False]
    spans = [span for span in spans if not _is_instruction(masked, span)]
    stated = [masked[slice(*span)] for span in spans]
    spans = [span for span in spans if not is_impersonal(masked[slice(*span)], stated)]
    spans = [(strip_lead_words(masked, span)[0], span[1]) for span in spans]
    return [text[slice(*span)].strip() for span in spans if "\0" not in masked[slice(*span)]]


def plain_clauses(text: str) -> list[str]:
    """The clauses of a text in order, verbatim, without their lead words."""
    plain = plain_punctuation(text)
    spans = (span for sentence in sentences(plain) for span, _ in clauses(plain, sentence))
    stripped = (strip_lead_words(plain, span) for span in spans)
    return [text[start:stop] for start, stop in stripped if start < stop]


def _is_instruction(masked: str, sentence: Span) -> bool:
    """Check for a sentence that states nothing: an instruction, or a question whether it is true."""
    words = masked[slice(*sentence)].replace("\0", " ")
    return only_asks(words) or is_standing_instruction(words)


def _preference(text: str, masked: str, sentence: Span) -> list[UserFact]:
    """A lasting preference that no pattern captures, verbatim."""
    start, stop = strip_lead_words(masked, sentence)
    words = text[start:stop]
    if start == stop or "\0" in masked[start:stop] or is_reminder(words):
        return []
    if not is_lasting_preference(text[start : sentence[1]]) or is_impersonal(words):
        return []
    kind: Literal["user", "procedural"] = "user" if is_naming(words) else "procedural"
    return [UserFact(" ".join(words.split()), kind, "preference", 0.85, words)]


def _facts(text: str, masked: str, sentence: Span) -> list[UserFact]:
    return list(_stated_facts(text, masked, sentence))


def _stated_facts(text: str, masked: str, sentence: Span) -> Iterator[UserFact]:
    non_factual = NON_FACTUAL.search(masked, *sentence)
    limit = non_factual.start() if non_factual else len(masked)
    verb_is_shared = False
    for span, shares_subject in statements(masked, sentence):
        if span[0] >= limit:
            return
        subject = "I " if shares_subject else ""
        fact = _match(text, masked, span, subject, limit) if verb_is_shared or not shares_subject else None
        verb_is_shared = fact is not None and not _NESTED.search(fact.text)
        if fact and not (fact.kind == "procedural" and is_instruction(fact.quote)):
            yield fact


def _match(text: str, masked: str, clause: Span, subject: str, limit: int) -> UserFact | None:
    """Match `subject` and a clause with the first pattern that fits and whose object begins before `limit`."""
    for start, stop in without_lead_words(masked, clause):
        if stop - start > MAX_CLAUSE_CHARS:
            return None
        for pattern in patterns.PATTERNS:
            match = pattern.pattern.match(subject + masked[start:stop])
            if match and match.start("o") - len(subject) + start <= limit:
                return _as_fact(pattern, match, subject, text[start:stop])
    return None


def _as_fact(pattern: FactPattern, match: re.Match[str], subject: str, quote: str) -> UserFact | None:
    clause = subject + quote
    groups = {name: clause[slice(*match.span(name))] if match[name] else "" for name in match.re.groupindex}
    has_object = bool(groups["o"])
    groups["o"] = fact_object = _trimmed(groups["o"], pattern)
    groups["when"] = re.sub(r"\bmy ", "", groups.get("when", "").lower())
    verb = groups.get("v", "").lower()
    category = filters.VERB_CATEGORIES.get(verb, pattern.category)
    is_about_answers = category == "preference" and filters.ANSWER_STYLE.search(fact_object) is not None
    procedural = pattern.is_procedural or is_about_answers
    if procedural and filters.MOMENTARY_REQUESTS.search(fact_object):
        return None
    if is_about_answers and pattern.template == WISH and not is_lasting_preference(quote):
        return None
    is_certain = procedural or not has_object
    confidence = pattern.confidence if is_certain else _confidence(pattern, groups)
    if not confidence:
        return None
    text = " ".join(pattern.template.format(**{"often": "", "no": ""} | groups, vs=_third_person(verb)).split())
    if not procedural and filters.DEPENDENT_FACTS.match(text):
        return None
    return UserFact(text[0].upper() + text[1:], "procedural" if procedural else "user", category, confidence, quote)


def _trimmed(fact_object: str, pattern: FactPattern) -> str:
    if not pattern.is_procedural:
        fact_object = _NEXT_STATEMENT.sub("", fact_object)
    fact_object = _FILLER.sub("", fact_object).strip(" \t,;:.!?…«»`*_")
    if fact_object[:1] in _QUOTES and fact_object[-1:] in _QUOTES:
        fact_object = fact_object.strip(_QUOTES + ".,!?")
    if "(" not in fact_object:
        fact_object = fact_object.rstrip(")")
    return fact_object[:1].lower() + fact_object[1:] if pattern.is_procedural else fact_object


def _confidence(pattern: FactPattern, groups: dict[str, str]) -> float:
    """The confidence of a match; 0 for an object that is vague or short-lived."""
    fact_object = groups["o"]
    is_vague = not any(map(str.isalnum, fact_object)) or filters.VAGUE_OBJECTS.match(fact_object)
    if is_vague or pattern.template == WISH:
        return 0.0
    if not pattern.is_event and filters.MOMENTARY_HABIT.search(fact_object):
        return 0.0
    if pattern.category == "project" and filters.MOMENTARY_ACTIVITY.match(fact_object):
        return 0.0
    if pattern.template == POSSESSIVE and groups["no"]:
        return 0.0
    if pattern.template in {POSSESSIVE, CONTRACTED}:
        return pattern.confidence * _permanence(groups["who"].split(), fact_object)
    return pattern.confidence


def _permanence(owned: list[str], state: str) -> float:
    """How lasting "my <owned> is <state>" is: 1 for a lasting attribute, 0 for a momentary state."""
    if filters.TRANSIENT_ATTRIBUTES.fullmatch(owned[-1]) or filters.TRANSIENT_STATES.match(state):
        return 0.0
    is_name = owned[-1].lower() in {"name", "nickname", "surname"} and filters.NO_NAMES.match(state)
    is_momentary = not filters.LASTING_ACTIVITIES.match(state) or filters.MOMENTARY_PLACES.match(state)
    if is_name or (is_momentary and filters.ACTORS.fullmatch(owned[-1])):
        return 0.0
    if any(filters.LASTING_ATTRIBUTES.fullmatch(plain_punctuation(word)) for word in owned):
        return 1.0
    return 0.8 if _DEFINITE.match(state) else 0.0


def _third_person(verb: str) -> str:
    if verb.endswith("ed") and not verb.endswith("eed"):
        return verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"
