"""Statements of a value that a request changes ("change: my rent is 950"), and the earlier ones that they replace.

See `requests.value_requests`, which makes them. The word before a statement is an opener; see `parsing.openers`.
"""

import re
from typing import NamedTuple

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import compile_lazily, read_tables

MAX_VALUE_CHARS = 80

WORDS = read_tables("revision/value_statements.toml")
"""The words of the statements, by their use and by language."""
_MARKERS = tuple(sorted(set(WORDS["marker"].values())))
_VERBS = sorted({verb for use in ("is", "amounts_to", "is_called") for verb in WORDS[use].values()}, reverse=True)
_SPACED = "|".join(one for one in _VERBS if one[0] < "\u3400")  # "est de" before "est"
_UNSPACED = "|".join(one for one in _VERBS if one[0] >= "\u3400")
_OWN = "|".join(sorted(WORDS["own"].values()))
_STATEMENT = compile_lazily(
    rf"^(?:(?:{_OWN})\s)?(?P<subject>\S.{{0,60}}?)\s(?:{_SPACED})\s(?:now\s)?(?P<value>.{{1,{MAX_VALUE_CHARS}}})$"
    rf"|^(?P<thing>我们?的.{{1,10}}?)(?:现在)?(?:{_UNSPACED})(?P<amount>.{{1,{MAX_VALUE_CHARS}}})$"
)
_NEXT_CLAUSE = re.compile(
    r"[,;.]\s|[\uff0c\u3002]|\s(?:and|but|und|aber|y|pero|et|mais|e|ma|mas|en|maar)\s", re.IGNORECASE
)


def has_marker(text: str) -> bool:
    """Check whether a text begins with such a statement."""
    return text.startswith(_MARKERS)


def without_marker(text: str) -> str:
    """A text without the word before such a statement at its beginning."""
    marker = next(filter(text.startswith, _MARKERS), "")
    return text.removeprefix(marker)


def replaces_value(new: str, old: str) -> bool:
    """Check whether a statement gives another value than an older one, which states nothing else."""
    stated, known = _read(without_marker(new)), _read(old)
    if not (stated and known):
        return False
    return stated.subject.casefold() == known.subject.casefold() and stated.value.casefold() != known.value.casefold()


def value_of(statement: str) -> str:
    """The value in a statement; empty if it has another form."""
    stated = _read(without_marker(statement))
    return stated.value if stated else ""


class _Statement(NamedTuple):
    subject: str
    value: str


def _read(text: str) -> _Statement | None:
    plain = plain_punctuation(split_date_note(text)[0]).strip().rstrip(".!\u3002")
    match = _STATEMENT.match(plain)
    if match is None:
        return None
    value = match["value"] or match["amount"]
    return None if _NEXT_CLAUSE.search(value) else _Statement(match["subject"] or match["thing"], value)
