"""What a text says by its form alone: rules, without a model and without I/O.

The time is linear in the text, whatever it is, and well under a millisecond for what people write.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.memory import forms
from agent.memory.clauses import UNSURE, Span, any_of, asks, core, own_words, readings, sentences, straight, told
from agent.memory.clauses import clauses as clauses_of
from agent.memory.forms import Form
from agent.types import Category

LONGEST_CLAUSE = 300  # characters; who says more in one breath pastes
MOST_NOTES = 10  # of a kind from one text
MANY_TOOLS = 3

_DEFINITE = re.compile(r"(?:an?|the|called|named)\s|[A-Z0-9]")
_NESTED = any_of(r"\bto \w+|\b(?:who|that|which|people)\b")
"""An object with a verb of its own: what follows may go on with that one."""

_FILLER = any_of(
    r"(?:[\s,]+(?:now|btw|by the way|though|too|as well|actually|lol|haha|thanks?|thank you|please|okay|ok"
    r"|right now|at the moment|if that (?:helps|matters)|fyi|for your information))+$"
)

_QUOTES = "\"'\u201c\u201d\u2018\u2019"
_BLANKS = re.compile(r"[^\S\n]+")

_CARD = re.compile(r"(?<![\d.])\d(?:[ \u00a0-]?\d){12,}")
_CARD_NUMBER = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15}(?:\d{3})?"
)
_CARD_GROUPS = {(13,), (14,), (15,), (16,), (19,), (4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)}
_IBAN_SHAPE = re.compile(r"(?=(?:[^\d]*\d){10})[A-Za-z0-9]{15,34}")
_IBAN = any_of(r"(?<![a-z0-9])[a-z]{2}\d{2}(?:[ \u00a0-]?[a-z0-9]){11,44}")

_ERROR = re.compile(
    r"\b[A-Z]\w{0,60}(?:Error|Exception)\b|\b(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic)\b\s?:"
    r"|\bexit(?:ed with)? (?:code|status) [1-9]|\b(?:command not found"
    r"|[Nn]o such file|[Pp]ermission denied)\b"
)
_SUCCESS = any_of(
    r"(?<!not )(?<!\b0 )\b(?:success(?:ful(?:ly)?)?|succeeded|passed|completed|done|created|saved|exit "
    r"(?:code|status) 0)\b"
)
_DECISION = any_of(
    r"\b(?:decided|decision|chose|chosen|settled on|opted for|(?:going|go|went) with|agreed to|switch(?:ed|ing) to"
    r"|(?:we|i)['\u2019]?(?:ll| will) (?:use|switch)|instead of)\b"
)
_MEMORY_TOOL = any_of(r"memor|remember|recall|forget")
_PATH = re.compile(
    r"(?<![\w./\\:@~-])(?:(?:[A-Za-z]:[\\/]|~?/|\.{1,2}/)(?:[\w.@-]{1,80}[\\/]){0,20}[\w@-][\w.@-]{0,80}"
    r"|(?:\.?[\w@-]{1,80}[\\/]){1,20}[\w.@-]{1,80}\.[A-Za-z]\w{0,7})(?<![.])(?![\w/\\])"
)


@dataclass(frozen=True, slots=True)
class UserFact:
    """One thing that a user says of themselves: `text` without a subject ("Lives in Oslo"), `quote` verbatim."""

    text: str
    kind: Literal["user", "procedural"]
    category: Category
    confidence: float
    quote: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a tool's result or an answer says; a note of its thread, never a memory of the user."""

    entity: str
    relation: Literal["mentions", "produced_error", "succeeded", "decided"]
    value: str
    confidence: float
    source_turn: int


def extract_from_user(text: str) -> list[UserFact]:
    """Return what a user's message says of them, each thing once, in the order said.

    Questions, conditions, quotations and other people's words say nothing.
    """
    own = own_words(text)
    facts = (fact for sentence in sentences(own) for fact in _facts(text, own, sentence))
    return list({fact.text.casefold(): fact for fact in facts}.values())


def only_asks(text: str) -> bool:
    """Tell whether a message merely asks for something: every sentence does, and nothing is said of the user."""
    own = own_words(text)
    asking = [asks(own, sentence) for sentence in sentences(own)]
    pasted = len(own) < len(text)
    return (pasted or True in asking) and False not in asking and not extract_from_user(text)


def clauses(text: str) -> list[str]:
    """Return the clauses of a text in order, verbatim, without what leads up to them."""
    plain = straight(text)
    spans = (core(plain, span) for sentence in sentences(plain) for span, _ in clauses_of(plain, sentence))
    return [text[start:stop] for start, stop in spans if start < stop]


def _facts(text: str, own: str, sentence: Span) -> Iterator[UserFact]:
    doubt = UNSURE.search(own, *sentence)
    sure = doubt.start() if doubt else len(own)
    goes_on = False
    for span, shared in told(own, sentence):
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
        for form in forms.FORMS:
            found = form.pattern.match(subject + own[start:stop])
            if found and found.start("o") - len(subject) + start <= sure:
                return _as_fact(form, found, subject, text[start:stop])
    return None


def _as_fact(form: Form, found: re.Match[str], subject: str, quote: str) -> UserFact | None:
    words = subject + quote
    parts = {name: words[slice(*found.span(name))] if found[name] else "" for name in found.re.groupindex}
    parts["o"] = thing = _trimmed(parts["o"], form)
    verb = parts.get("v", "").lower()
    category = forms.CATEGORIES.get(verb, form.category)
    helps = form.is_help or (category == "preference" and bool(forms.ABOUT_ANSWERS.search(thing)))
    confidence = form.confidence if helps else _confidence(form, parts)
    if not confidence:
        return None
    said = " ".join(form.says.format(**parts, vs=_third_person(verb)).split())
    kind: Literal["user", "procedural"] = "procedural" if helps else "user"
    return UserFact(said[0].upper() + said[1:], kind, category, confidence, quote)


def _trimmed(thing: str, form: Form) -> str:
    thing = _FILLER.sub("", thing).strip(" \t,;:.!?…«»`*_")
    if thing[:1] in _QUOTES and thing[-1:] in _QUOTES:
        thing = thing.strip(_QUOTES + ".,!?")
    if "(" not in thing:
        thing = thing.rstrip(")")
    return thing[:1].lower() + thing[1:] if form.is_help else thing


def _confidence(form: Form, parts: dict[str, str]) -> float:
    """Return how sure a form is of its object; 0 when the object says nothing that lasts."""
    thing = parts["o"]
    if not any(map(str.isalnum, thing)) or forms.VAGUE.match(thing) or form.says == forms.WISH:
        return 0.0
    if form.says == forms.BELONGING:
        return form.confidence * _lasting(parts["who"].split(), thing)
    return form.confidence


def _lasting(owned: list[str], state: str) -> float:
    """Return how far "my … is …" outlasts the day: 1 for what is known to, 0 for what does not."""
    if forms.PASSING.fullmatch(owned[-1]) or forms.STATE.match(state):
        return 0.0
    if any(forms.OWNED.fullmatch(straight(word)) for word in owned):
        return 1.0
    return 0.8 if _DEFINITE.match(state) else 0.0


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"


def holds_credentials(text: str) -> bool:
    """Tell whether a text holds a secret: a key, token or password, a card, account or social security number."""
    plain = straight(text)
    return bool(
        any(pattern.search(plain) for pattern in (forms.KEYS, forms.PHRASE, forms.NUMBER))
        or any(map(_is_secret, forms.SECRETS.finditer(plain)))
        or any(map(_holds_card, _CARD.findall(plain)))
        or any(map(_holds_iban, _IBAN.findall(plain)))
    )


def _is_secret(found: re.Match[str]) -> bool:
    """Tell a secret's value from an ordinary word ("my password is weak"): by its letters, or as the last word."""
    value = found["value"].strip("\"'`,;.!?")
    if not value or forms.NO_SECRET.fullmatch(value):
        return False
    looks_random = not value.isalpha() or not (value.islower() or value.istitle())
    return looks_random or not found["rest"].strip(" \t.,;!?\"'")


def _holds_card(digits: str) -> bool:
    parts = re.split(r"[ \u00a0-]", digits)
    longest = max(map(len, _CARD_GROUPS))
    runs = (parts[start : start + n] for start in range(len(parts)) for n in range(1, longest + 1))
    return any(tuple(map(len, run)) in _CARD_GROUPS and _is_card("".join(run)) for run in runs)


def _is_card(number: str) -> bool:
    """Check issuer, length and checksum.

    References:
        ISO/IEC 7812-1, annex B: the Luhn formula.
    """
    doubled = "".join(str(int(digit) * (1 + n % 2)) for n, digit in enumerate(reversed(number)))
    return bool(_CARD_NUMBER.fullmatch(number)) and sum(map(int, doubled)) % 10 == 0


def _holds_iban(candidate: str) -> bool:
    parts = re.split(r"[ \u00a0-]", candidate)
    return any(_is_iban("".join(parts[: n + 1])) for n in range(len(parts)))


def _is_iban(number: str) -> bool:
    """Check length and checksum.

    References:
        ISO 13616-1: 15 to 34 characters, 1 modulo 97 as a number with letters from 10 on.
    """
    if not _IBAN_SHAPE.fullmatch(number):
        return False
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def gives_orders(text: str) -> bool:
    """Tell whether a text would change the assistant's rules; how a user wants to be helped does not."""
    visible = text if text.isascii() else "".join(map(_as_seen, straight(text)))
    text = _BLANKS.sub(" ", visible)
    return bool(forms.ORDERS.search(text) or forms.MARKS.search(text))


def _as_seen(char: str) -> str:
    """Replace a look-alike by what it looks like, and what cannot be seen by nothing."""
    return "" if unicodedata.category(char) == "Cf" else unicodedata.normalize("NFKC", char)[:3]


def extract_from_tool_result(tool_name: str, result: str, turn: int) -> list[Fact]:
    """Return what a tool's result says: its errors, else its success, and the files it mentions."""
    lines = [line.strip()[:LONGEST_CLAUSE] for line in result.splitlines()]
    errors = [line for line in lines if _ERROR.search(line)]
    successes = [] if errors else [line for line in lines if _SUCCESS.search(line)][:1]
    return [
        *(Fact(tool_name, "produced_error", line, 0.9, turn) for line in _notable(errors)),
        *(Fact(tool_name, "succeeded", line, 0.8, turn) for line in _notable(successes)),
        *(Fact(tool_name, "mentions", path, 0.9, turn) for path in _notable(_PATH.findall(result))),
    ]


def extract_from_response(text: str, turn: int) -> list[Fact]:
    """Return what an answer says: what was decided, and the files it mentions."""
    said = (text[start:stop].strip() for start, stop in sentences(text))
    decisions = [one[:LONGEST_CLAUSE] for one in said if _DECISION.search(one) and not one.endswith("?")]
    return [
        *(Fact("assistant", "decided", decision, 0.7, turn) for decision in _notable(decisions)),
        *(Fact("assistant", "mentions", path, 0.9, turn) for path in _notable(_PATH.findall(text))),
    ]


def _notable(values: Sequence[str]) -> list[str]:
    """Return the first few, each once, without secrets."""
    return [value for value in list(dict.fromkeys(values))[:MOST_NOTES] if not holds_credentials(value)]


def qualifies_for_llm_extraction(
    tool_names: Sequence[str],
    response_text: str,
    turn: int,  # noqa: ARG001  part of what every rule on a turn is given; this one asks alike in each
) -> bool:
    """Tell whether a turn is worth a model's call: many tools, a decision, or the agent's memory tool at work."""
    used_memory = any(_MEMORY_TOOL.search(name) for name in tool_names)
    return len(tool_names) >= MANY_TOOLS or used_memory or _DECISION.search(response_text) is not None
