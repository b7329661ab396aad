"""People who no longer take part in an activity: only their names are removed from earlier statements about it."""

import re

from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words.content import stems
from agent.language.words.parts import split_parts, subject_of

_PATTERNS = load_patterns("revision/departures.toml")
_FURTHER = r"(?!\s*(?:,|&|\b(?:and|or|und|oder|y|o|et|ou|e|en)\b))"


@cache_per_user(maxsize=1024)
def departed(text: str) -> str:
    """The person or family that, according to a text, no longer takes part in an activity; empty if there is none."""
    match = _PATTERNS["departure"].search(text)
    return match["who"] if match else ""


def is_companion(who: str, sentence: str) -> bool:
    """Check whether a sentence names a person as a participant, neither as its subject nor as in "My boss is Tom"."""
    name = stems(who)
    if not name or not name <= stems(sentence) or not name.isdisjoint(stems(subject_of(sentence))):
        return False
    before, _, _ = sentence.partition(who)
    return _PATTERNS["identity"].search(before) is None


def loses_company(old: str, new: str) -> bool:
    """Check whether a statement names a companion of the user, and a newer one names neither this nor another."""
    company = _PATTERNS["named_company"].search(old)
    if company is None or re.search(rf"\b{re.escape(company['name'])}\b", new):
        return False
    return _PATTERNS["named_company"].search(new) is None


def tears_company(rest: str, sentence: str) -> bool:
    """Check whether the rest of a sentence names a companion without the word for "with" ("I play Anna and Tom")."""
    company = _PATTERNS["named_company"].search(sentence)
    if company is None or not re.search(rf"\b{re.escape(company['name'])}\b", rest):
        return False
    return _PATTERNS["named_company"].search(rest) is None


def companion_in(who: str, sentence: str) -> list[str]:
    """The words of a sentence that only name a companion ("with the Vogels"), verbatim; empty if there are none."""
    parts = [part.strip() for part in split_parts(sentence)]
    if named := [part for part in parts if stems(part) == stems(who) and len(part.split()) <= len(who.split()) + 1]:
        return named
    phrase = re.search(rf"\b{_PATTERNS['company'].pattern} {re.escape(who)}\b{_FURTHER}", sentence, re.IGNORECASE)
    return [phrase[0]] if phrase else []
