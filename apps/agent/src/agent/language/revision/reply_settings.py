"""Detect that a newer preference about the form of answers excludes an older one, such as long and short answers."""

import re
from collections.abc import Iterator

from agent.language.facts.addressed import is_answer_preference, is_lasting_preference
from agent.language.parsing.sentences import plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import compile_lazily, read_tables
from agent.language.text_cache import cache_per_user

MAX_PREFERENCE_CHARS = 250
MAX_NEGATED_CHARS = 30  # between a negation and what it concerns

_TABLES = dict(read_tables("revision/reply_settings.toml"))
_NEGATION = compile_lazily(_TABLES.pop("words")["negation"])
_SETTINGS = {
    setting: {value: compile_lazily(pattern) for value, pattern in values.items()}
    for setting, values in _TABLES.items()
}

ValueOf = tuple[str, str, bool]
"""A setting, a value, and whether it is wanted."""


def is_excluded(new: str, old: str) -> bool:
    """Check whether a newer text contains a lasting preference that excludes the one that an older text states."""
    before = set(_values(old))
    return bool(before) and any(_exclude(one, other) for one in lasting_values(new) for other in before)


def _exclude(new: ValueOf, old: ValueOf) -> bool:
    """Check for two values of one setting that are wanted, or for one that is wanted and then unwanted, or reversed."""
    if new[0] != old[0]:
        return False
    return new[2] and old[2] if new[1] != old[1] else new[2] is not old[2]


@cache_per_user(maxsize=4096)
def _values(text: str) -> tuple[ValueOf, ...]:
    """The values of settings in a text about the form of answers; none in other texts."""
    found = _values_in(text)
    return found if found and is_answer_preference(text) else ()


@cache_per_user(maxsize=4096)
def lasting_values(text: str) -> tuple[ValueOf, ...]:
    """The values of settings in the lasting preferences of a text."""
    plain = with_apostrophes(plain_punctuation(text))
    found = (plain[slice(*span)].strip() for span in sentences(plain))
    preferences = (one for one in found if _values_in(one) and is_lasting_preference(one))
    return tuple(value for one in preferences for value in _values_in(one))


@cache_per_user(maxsize=4096)
def _values_in(text: str) -> tuple[ValueOf, ...]:
    return tuple(_read_values(text)) if len(text) <= MAX_PREFERENCE_CHARS else ()


def _read_values(text: str) -> Iterator[ValueOf]:
    for setting, values in _SETTINGS.items():
        for value, pattern in values.items():
            match = pattern.search(text)
            if match:
                yield setting, value, not _is_negated(text, match)


def _is_negated(text: str, value: re.Match[str]) -> bool:
    clause = re.split(r"[,;.:!]", text[max(0, value.start() - MAX_NEGATED_CHARS) : value.start()])[-1]
    return _NEGATION.search(clause) is not None
