"""What a text says by its form alone: rules, without a model and without I/O.

The time is linear in the text, whatever it is, and well under a millisecond for what people write. Here is how a
user's own words are read; the other rules have files of their own, and this is the door to all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.language import fact_patterns
from agent.language.credentials import contains_credentials
from agent.language.fact_patterns import FactPattern
from agent.language.parsing import (
    UNSURE,
    Span,
    any_of,
    core,
    is_request,
    mask_quoted,
    plain_punctuation,
    readings,
    sentences,
    statements,
)
from agent.language.parsing import clauses as clauses_of
from agent.language.prompt_injection import contains_injection
from agent.language.tool_results import (
    Fact,
    extract_from_response,
    extract_from_tool_result,
    qualifies_for_llm_extraction,
)
from agent.types import Category

__all__ = [
    "Fact",
    "UserFact",
    "clauses",
    "contains_credentials",
    "contains_injection",
    "extract_from_response",
    "extract_from_tool_result",
    "extract_from_user",
    "only_asks",
    "qualifies_for_llm_extraction",
]

LONGEST_CLAUSE = 300  # characters; who says more in one breath pastes

_DEFINITE = re.compile(r"(?:an?|the|called|named)\s|[A-Z0-9]")
_NESTED = any_of(r"\bto \w+|\b(?:who|that|which|people)\b")
"""An object with a verb of its own: what follows may go on with that one."""

_FILLER = any_of(
    r"(?:[\s,]+(?:now|btw|by the way|though|too|as well|actually|lol|haha|thanks?|thank you|please|okay|ok"
    r"|right now|at the moment|if that (?:helps|matters)|fyi|for your information))+$"
)

_QUOTES = "\"'\u201c\u201d\u2018\u2019"


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
    own = mask_quoted(text)
    facts = (fact for sentence in sentences(own) for fact in _facts(text, own, sentence))
    return list({fact.text.casefold(): fact for fact in facts}.values())


def only_asks(text: str) -> bool:
    """Tell whether a message merely asks for something: every sentence does, and nothing is said of the user."""
    own = mask_quoted(text)
    asking = [is_request(own, sentence) for sentence in sentences(own)]
    pasted = len(own) < len(text)
    return (pasted or True in asking) and False not in asking and not extract_from_user(text)


def clauses(text: str) -> list[str]:
    """Return the clauses of a text in order, verbatim, without what leads up to them."""
    plain = plain_punctuation(text)
    spans = (core(plain, span) for sentence in sentences(plain) for span, _ in clauses_of(plain, sentence))
    return [text[start:stop] for start, stop in spans if start < stop]


def _facts(text: str, own: str, sentence: Span) -> Iterator[UserFact]:
    doubt = UNSURE.search(own, *sentence)
    sure = doubt.start() if doubt else len(own)
    goes_on = False
    for span, shared in statements(own, sentence):
        if span[0] >= sure:
            return
        subject = "I " if shared else ""
        fact = _read(text, own, span, subject, sure) if goes_on or not shared else None
        goes_on = fact is not None and not _NESTED.search(fact.text)
        if fact:
            yield fact


def _read(text: str, own: str, clause: Span, subject: str, sure: int) -> UserFact | None:
    """Read a clause with the first form that fits; what it says must begin before `sure`.

    A clause that goes on with the one before leaves out a `subject`, "I ".
    """
    for start, stop in readings(own, clause):
        if stop - start > LONGEST_CLAUSE:
            return None
        for form in fact_patterns.PATTERNS:
            found = form.pattern.match(subject + own[start:stop])
            if found and found.start("o") - len(subject) + start <= sure:
                return _as_fact(form, found, subject, text[start:stop])
    return None


def _as_fact(form: FactPattern, found: re.Match[str], subject: str, quote: str) -> UserFact | None:
    words = subject + quote
    parts = {name: words[slice(*found.span(name))] if found[name] else "" for name in found.re.groupindex}
    parts["o"] = thing = _trimmed(parts["o"], form)
    verb = parts.get("v", "").lower()
    category = fact_patterns.CATEGORIES.get(verb, form.category)
    helps = form.is_help or (category == "preference" and bool(fact_patterns.ABOUT_ANSWERS.search(thing)))
    confidence = form.confidence if helps else _confidence(form, parts)
    if not confidence:
        return None
    said = " ".join(form.says.format(**parts, vs=_third_person(verb)).split())
    kind: Literal["user", "procedural"] = "procedural" if helps else "user"
    return UserFact(said[0].upper() + said[1:], kind, category, confidence, quote)


def _trimmed(thing: str, form: FactPattern) -> str:
    thing = _FILLER.sub("", thing).strip(" \t,;:.!?…«»`*_")
    if thing[:1] in _QUOTES and thing[-1:] in _QUOTES:
        thing = thing.strip(_QUOTES + ".,!?")
    if "(" not in thing:
        thing = thing.rstrip(")")
    return thing[:1].lower() + thing[1:] if form.is_help else thing


def _confidence(form: FactPattern, parts: dict[str, str]) -> float:
    """Return how sure a form is of its object; 0 when the object says nothing that lasts."""
    thing = parts["o"]
    if not any(map(str.isalnum, thing)) or fact_patterns.VAGUE.match(thing) or form.says == fact_patterns.WISH:
        return 0.0
    if form.says in {fact_patterns.BELONGING, fact_patterns.BEING}:
        return form.confidence * _lasting(parts["who"].split(), thing)
    return form.confidence


def _lasting(owned: list[str], state: str) -> float:
    """Return how far "my … is …" outlasts the day: 1 for what is known to, 0 for what does not."""
    if fact_patterns.PASSING.fullmatch(owned[-1]) or fact_patterns.STATE.match(state):
        return 0.0
    if any(fact_patterns.OWNED.fullmatch(plain_punctuation(word)) for word in owned):
        return 1.0
    return 0.8 if _DEFINITE.match(state) else 0.0


def _third_person(verb: str) -> str:
    if verb.endswith("ed") and not verb.endswith("eed"):
        return verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"
