"""Put a new age of a person, or number of people, in the place of the one in an earlier statement.

"My son Leo is 9" and "Leo turned 10 yesterday" become "My son Leo turned 10 yesterday", "a table for six" and "two
dropped out so we're four" become "a table for four".
"""

import re

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_CHARS = 300

_PATTERNS = load_patterns("references/restatements.toml")
_CUE = load_patterns("references/corrected_values.toml")["leading_cue"]
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")


def restated(statement: str, change: str) -> str | None:
    """A statement with the age or number of people that a change gives; None if it gives none for the statement."""
    old, new = (plain_punctuation(one[:MAX_CHARS]).strip() for one in (statement, change))
    return _with_age(old, _without_cues(new)) or _with_party_size(old, new)


def gives_party_size(text: str) -> bool:
    """Check whether a text says how many people take part after a change."""
    return _PATTERNS["result"].fullmatch(plain_punctuation(text[:MAX_CHARS]).strip()) is not None


def _with_age(old: str, new: str) -> str | None:
    """A statement that ends with the age of a person, with what a change says of it that names only this person.

    What the change says after the age follows the statement ("Mia is 5, I can't count").
    """
    head, _, remark = new.partition(", ")
    known, changed = _PATTERNS["age"].fullmatch(old), _PATTERNS["age"].fullmatch(new)
    if changed is None and not _NUMBER.search(remark) and not remark.endswith("?"):
        changed = _PATTERNS["age"].fullmatch(head)
    if not known or not changed or _NUMBER.findall(known["predicate"]) == _NUMBER.findall(changed["predicate"]):
        return None
    words, named = (set(_WORD.findall(one["before"].casefold())) for one in (known, changed))
    if not named or not named <= words:
        return None
    whole = f"{known['before']}{changed['predicate']}"
    return f"{whole}; {remark}" if changed.end() < len(new) else whole


def _with_party_size(old: str, new: str) -> str | None:
    result = _PATTERNS["result"].fullmatch(new)
    parties = list(_PATTERNS["party"].finditer(old)) if result else []
    if result is None or len(parties) != 1:
        return None
    start, stop = max(parties[0].span("for"), parties[0].span("of"))
    return f"{old[:start]}{result['result']}{old[stop:]}"


def _without_cues(new: str) -> str:
    """A correction without the words at its beginning that only say that it is one."""
    while match := _CUE.match(new):
        new = new[match.end() :]
    return new
