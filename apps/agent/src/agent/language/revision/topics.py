"""Topics of which a user has one at a time, such as a home: what states one, and what says that it is another now."""

import re
from collections.abc import Iterator, Mapping

from agent.language.grounding.support import mentioned_persons
from agent.language.pattern_files import compile_lazily, load_patterns, read_tables
from agent.language.words.content import named_words
from agent.language.words.word_starts import name_starts, word_starts

_CHANGES, _WORDS, _SAME = "_changes", "_words", "_same"
"""Endings of the names of patterns for what says that a topic has changed, for words for it, and for what keeps it."""

Patterns = Iterator[tuple[str, re.Pattern[str]]]


def _by_kind(tables: Mapping[str, Mapping[str, str]], placeholder: str) -> Patterns:
    """Yield the patterns for each kind: of what states one, and of what says that it is another one now."""
    for kind, names in tables["kinds"].items():
        for form, suffix in (("states", ""), ("changes", _CHANGES)):
            yield kind + suffix, compile_lazily(tables["words"][form].replace(placeholder, names))


def _of_any_role(words: Mapping[str, str], kinds: Mapping[str, str]) -> Patterns:
    """Yield the patterns for people who replace each other: "Kwame took over from Karen"."""
    yield "any_role", compile_lazily(words["states"].replace("<role>", "|".join(kinds.values())))
    yield "any_role" + _CHANGES, compile_lazily(words["successions"])


_TOOLS, _ROLES = read_tables("revision/tools.toml"), read_tables("revision/roles.toml")
_PATTERNS = (
    load_patterns("revision/topic_patterns")
    | load_patterns("revision/circumstances.toml")
    | dict(_by_kind(_TOOLS, "<tool>"))
    | dict(_by_kind(_ROLES, "<role>"))
    | dict(_of_any_role(_ROLES["words"], _ROLES["kinds"]))
)
TOPICS = tuple(name.removesuffix(_CHANGES) for name in _PATTERNS if name.endswith(_CHANGES))
_NAMES = {name.removesuffix(_WORDS): one.pattern for name, one in _PATTERNS.items() if name.endswith(_WORDS)}
_STARTS = {kind: name_starts(names) for kind, names in (_TOOLS["kinds"] | _ROLES["kinds"] | _NAMES).items()}
"""The beginnings of the names of each kind, and of the words of which a change of a topic contains one."""
_TOPICS = [(topic, _PATTERNS[topic + _CHANGES], _PATTERNS.get(topic + _SAME), _STARTS.get(topic)) for topic in TOPICS]


def changed_topics(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield the topics of the user that a sentence changes.

    Yields:
        The topic, the words for the new one, and those that an earlier statement contains; each may be empty.
    """
    if _PATTERNS["partial"].search(sentence):
        return
    starts = word_starts(sentence)
    for topic, changes, same, known in _TOPICS:
        if known is not None and starts.isdisjoint(known):
            continue  # no name of this kind, or word for such a change, occurs
        if same and same.search(sentence):
            continue
        for match in changes.finditer(sentence):
            if _is_own(sentence, match):
                yield topic, named_words(match, "v"), named_words(match, "x")


def is_about(topic: str, statement: str, *, is_named: bool) -> bool:
    """Check whether a statement says something about a topic of the user.

    If what it concerns is named in both statements, such as a knee, it may be the object of any verb.
    """
    if _PATTERNS["partial"].search(statement):
        return False
    return any(is_named or _is_own(statement, match) for match in _PATTERNS[topic].finditer(statement))


def _is_own(sentence: str, topic: re.Match[str]) -> bool:
    """Check whether the words for a topic are about the user: after the words for a subject, or with a possessive."""
    if _PATTERNS["possessive"].match(topic[0]):
        return True
    before = sentence[: topic.start()]
    start = _PATTERNS["own_start"].search(before)
    return start is not None and (bool(start["pronoun"]) or not (mentioned_persons(before) or _is_about_name(before)))


def _is_about_name(before: str) -> bool:
    """Check whether the clause before has a name as its subject ("Kit dropped out, new job")."""
    return _PATTERNS["named_start"].match(before) is not None
