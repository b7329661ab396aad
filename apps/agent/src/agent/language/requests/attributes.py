"""Find the memories about an attribute of the user that a request names in other words ("Forget my job.")."""

from collections.abc import Collection, Iterable

from agent.language.facts.standing import Topic, standing_topic
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import compile_lazily, load_patterns, read
from agent.language.requests.statement_matching import begins_with_other_person
from agent.language.text_cache import cache_per_user

MAX_NAME_CHARS = 60
MAX_STATEMENT_CHARS = 500
_EDGES = " \t\r\n.,;:!?\u2026\u3002\uff01\uff1f\u061f\uff0c\"'"

_FILE = "requests/attributes.toml"
_PATTERNS = load_patterns(_FILE)
_STATED = "_stated"
_NAMES = [name.removesuffix(_STATED) for name in _PATTERNS if name.endswith(_STATED)]
_OF_OTHERS = frozenset(
    {"partner", "family", "pets", "cat", "dog", "mother", "father", "sister", "brother", "son", "daughter", "boss"}
)
"""Attributes whose memories begin with the person or animal ("Wife is called Ann")."""
_SEVERAL = _OF_OTHERS | {
    *("sport", "hobby", "language", "instrument", "trip", "appointment"),
    *("health", "allergy", "diet", "school", "car"),
}
"""Attributes of which a user may have several, and which a question means all of."""
_ASKED_OWN = ("home", "job", "name", "car")
_STANDING: dict[str, Topic] = {"health": "health", "diet": "diet", "home": "home", "job": "work"}
"""Attributes whose statements the patterns of standing statements also recognise."""
_ASKED = {
    name: compile_lazily(rf"(?<![a-zß-ÿ'])(?:{'|'.join(alternatives)})(?![a-zß-ÿ])")
    for name, alternatives in read(_FILE).items()
    if name in _SEVERAL
}


def attributes(text: str) -> frozenset[str]:
    """The attributes that a text names, and nothing else; empty if it says more."""
    if len(text) > MAX_NAME_CHARS:
        return frozenset()
    plain = plain_punctuation(text).strip(_EDGES).casefold()
    lead = _PATTERNS["lead"].match(plain)
    named = plain[lead.end() :] if lead else plain
    candidates = {plain, named, _PATTERNS["detail"].sub("", named)}
    return frozenset(name for name in _NAMES if any(map(_PATTERNS[name].fullmatch, candidates)))


@cache_per_user(maxsize=1024)
def asked_attributes(question: str) -> frozenset[str]:
    """The attributes that a question names ("What sports do I do?"), of those of which a user may have several."""
    plain = plain_punctuation(question[:MAX_STATEMENT_CHARS])
    return frozenset(name for name, pattern in _ASKED.items() if pattern.search(plain))


@cache_per_user(maxsize=1024)
def asked_own_attributes(question: str) -> frozenset[str]:
    """The attributes that a question asks for, of those of which the user has one ("Where do I live?")."""
    plain = plain_punctuation(question[:MAX_STATEMENT_CHARS])
    return frozenset(name for name in _ASKED_OWN if _PATTERNS[f"{name}_asked"].search(plain))


def states_asked(statement: str, names: Collection[str]) -> bool:
    """Check whether a statement gives one of the attributes that a question asks for, also as an introduction."""
    is_introduction = "name" in names and _PATTERNS["name_introduced"].search(plain_punctuation(statement)) is not None
    return is_introduction or states_any(statement, names)


@cache_per_user(maxsize=4096)
def states_attribute(statement: str, name: str) -> bool:
    """Check whether a statement is about an attribute of the user, by its words."""
    plain = plain_punctuation(statement[:MAX_STATEMENT_CHARS])
    if name not in _OF_OTHERS and begins_with_other_person(plain):
        return False
    if _PATTERNS[name + _STATED].search(plain):
        return True
    return name in _STANDING and standing_topic(plain) == _STANDING[name]


def states_any(statement: str, names: Iterable[str]) -> bool:
    """Check whether a statement is about one of several attributes."""
    return any(states_attribute(statement, name) for name in names)


def states_named(statement: str, name: str) -> bool:
    """Check whether a statement is about the attribute that a request names, of those of which a user has one."""
    names = attributes(name) - _SEVERAL
    return bool(names) and states_any(statement, names)
