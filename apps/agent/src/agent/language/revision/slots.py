"""Recognise attributes of a user that have one value at a time, and what they like, own and do, in a statement."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import compile_any, plain_punctuation
from agent.language.pattern_files import load_pattern_lists
from agent.language.text_cache import cache_per_user

MAX_STATEMENT_CHARS = 300
ANY_VALUE = "*"
MAX_ADVERBS = 8

_SLOTS = load_pattern_lists("revision/slots.toml")
_ACTION = compile_any(
    r"(?P<no>no longer |never |does not |doesn't |(?:has )?(?:stopped|quit|gave up|given up) |used to )?"
    r"(?:really |even |usually |always |often |mostly |still |now |also ){0,2}"
    r"(?P<verb>[a-z]{2,20})(?P<negated> (?:not|no longer)\b)?(?: (?P<o>.{1,150}))?$"
)
_CESSATION = compile_any(r"(?:has )?(?:stopped|quit|gave up|given up)\s+$")
_EXPLANATION = compile_any(r",\s{1,3}(?:that|this|it|i|he|she|we|they)\b")
_CONSUMED = ("eat", "drink", "smok")
_ADVERBS = compile_any(
    r"^(?:really|now|still|an?|the|my|any)\s+|(?<![\s,])[\s,]+(?:any ?more|any ?longer|again|now|at all"
    r"|so much|very much|a lot|too|really|either|after all|these days|instead|yesterday"
    r"|(?:last|this) weekend|last (?:week|month|year|\w{3,6}day)"
    r"|this (?:week|month|year)|(?:a|an|two|three|some|\d{1,2}) \w{3,7} ago|in (?:january|february|march|april|may"
    r"|june|july"
    r"|august|september|october|november|december|(?:19|20)\d\d)|on \w{3,6}day)$"
)
_NO_ACTIONS = re.compile(r"(?:was|wants|name|cannot|can|has been|moved|turned|switched|replaced|sold)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Claim:
    """One value of a slot, such as home, as a statement gives it."""

    slot: str
    value: str
    """The value as written; `ANY_VALUE` if the statement ends every value ("Quit my job")."""
    holds: bool = True
    """False if the statement says that the value is not, or no longer, true."""
    is_change: bool = False
    """True if the statement says that the value is new ("Now works for Acme")."""


@cache_per_user(maxsize=4096)
def claims(statement: str) -> tuple[Claim, ...]:
    """The claims of a memory in the third person without a subject, or of a statement in German, Spanish or French."""
    text = " ".join(plain_punctuation(split_date_note(statement)[0]).split()).strip(" .!")
    if len(text) > MAX_STATEMENT_CHARS:
        return ()
    return (*_slot_claims(text), *_action_claims(text))


def bare(value: str) -> str:
    """A value without case, article and adverbs: "the violin any more" is "violin"."""
    text = value.casefold().strip(" .,;:!'\"")
    for _ in range(MAX_ADVERBS):
        text = _ADVERBS.sub("", text)
    return text


def _slot_claims(text: str) -> Iterator[Claim]:
    for slot, patterns in _SLOTS.items():
        for pattern in patterns:
            match = pattern.match(text)
            if match:
                groups = match.groupdict()
                name = f"{slot}:{groups['thing'].casefold().replace('colour', 'color')}" if "thing" in groups else slot
                is_ended = groups.get("no") is not None
                value = ANY_VALUE if slot == "employer" and is_ended and _ends_any(groups["v"]) else groups["v"].strip()
                yield Claim(name, value, not is_ended, groups.get("now") is not None)
                break


def _ends_any(employer: str) -> bool:
    return employer.casefold() in {"job", "fired", "laid off", "made redundant"}


def _action_claims(text: str) -> Iterator[Claim]:
    """Claims about what the user is and does: "Plays the violin", "Is no longer pregnant", "Stopped eating meat"."""
    match = None if _NO_ACTIONS.match(text) else _ACTION.match(text)
    if match is None:
        return
    verb, prefix = match["verb"].casefold(), match["no"] or ""
    value = _EXPLANATION.split(match["o"] or "", maxsplit=1)[0]
    holds = not (prefix or match["negated"])
    if _CESSATION.match(prefix) and not verb.endswith("ing"):
        yield from (Claim(f"does:{one}", f"{verb} {value}".strip(), holds=False) for one in _CONSUMED)
    elif verb not in {"does", "is"} or value:
        yield Claim(f"does:{_stem(verb)}", value, holds)


def _stem(verb: str) -> str:
    if verb in {"is", "be", "being"}:
        return "be"
    if verb in {"has", "have", "having"}:
        return "have"
    stem = re.sub(r"[ey]$", "", re.sub(r"(?:ing|ies|ed|es|s)$", "", verb))
    return re.sub(r"([bdgmnprt])\1$", r"\1", stem)
