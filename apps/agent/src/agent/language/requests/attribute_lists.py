"""Recognise questions for all that a user said of an attribute ("List my allergies", "Which languages do I speak?")."""

import re
from collections.abc import Iterable

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import compile_lazily, load_patterns, read
from agent.language.persons.roles import begins_with_person
from agent.language.requests.attributes import states_attribute
from agent.language.requests.questions import is_personal
from agent.language.text_cache import cache_per_user

MAX_CHARS = 100
MAX_STATEMENT_CHARS = 500

_FILE = "requests/attribute_lists.toml"
_PATTERNS = load_patterns(_FILE)
_STATED = "_stated"
_ASKED = {
    name: compile_lazily(rf"(?<![a-zß-ÿ'])(?:{'|'.join(alternatives)})(?![a-zß-ÿ])")
    for name, alternatives in read(_FILE).items()
    if name + _STATED in _PATTERNS
}
_INCLUDED = {"hobby": ("sport", "instrument")}
"""Attributes that are also instances of another one."""
_OWN_PATTERNS_ONLY = frozenset({"hobby", "medication", "marriage"})
"""Attributes for which attributes.toml has no patterns, or too wide ones ("Loves tea")."""
_WORD = re.compile(r"\w")


@cache_per_user(maxsize=1024)
def listed_attributes(question: str) -> frozenset[str]:
    """The attributes of which a question asks for all that is known; empty if it asks for more or something else."""
    if len(question) > MAX_CHARS:
        return frozenset()
    plain = plain_punctuation(question)
    named = frozenset(name for name, pattern in _ASKED.items() if pattern.search(plain))
    if not named or not (is_personal(plain) or _PATTERNS["own_verb"].search(plain)):
        return frozenset()
    for name in named:
        plain = _ASKED[name].sub(" ", plain)
    return frozenset() if _WORD.search(_PATTERNS["general"].sub(" ", plain)) else named


def refers_to_user(statement: str) -> bool:
    """Check whether a statement says what another person does to the user ("My doctor put me on metformin")."""
    return _PATTERNS["to_user"].search(plain_punctuation(statement[:MAX_STATEMENT_CHARS])) is not None


@cache_per_user(maxsize=4096)
def states_listed(statement: str, name: str) -> bool:
    """Check whether a statement says something of an attribute of the user."""
    plain = plain_punctuation(statement[:MAX_STATEMENT_CHARS])
    if begins_with_person(plain) and not refers_to_user(plain):
        return False
    if name not in _OWN_PATTERNS_ONLY and states_attribute(plain, name):
        return True
    if name == "medication" and states_listed(statement, "allergy"):  # "Penicillin gives me hives"
        return False
    return _PATTERNS[name + _STATED].search(plain) is not None or any(
        states_listed(statement, one) for one in _INCLUDED.get(name, ())
    )


def states_any_listed(statement: str, names: Iterable[str]) -> bool:
    """Check whether a statement says something of one of several attributes of the user."""
    return any(states_listed(statement, name) for name in names)
