"""Topics of which a user has one at a time, such as a home: what states one, and what says that it is another now."""

import re
from collections.abc import Iterator

from agent.language.grounding.support import mentioned_persons
from agent.language.pattern_files import compile_lazily, load_patterns, read_tables
from agent.language.revision.content import named_words

_CHANGES = "_changes"


def _patterns_by_kind(file: str, placeholder: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the patterns for each kind of a file: of what states one, and of what says that it is another one now."""
    tables = read_tables(file)
    for kind, names in tables["kinds"].items():
        for form, suffix in (("states", ""), ("changes", _CHANGES)):
            yield kind + suffix, compile_lazily(tables["words"][form].replace(placeholder, names))


_PATTERNS = (
    load_patterns("revision/topics.toml")
    | dict(_patterns_by_kind("revision/tools.toml", "<tool>"))
    | dict(_patterns_by_kind("revision/roles.toml", "<role>"))
)
TOPICS = tuple(name.removesuffix(_CHANGES) for name in _PATTERNS if name.endswith(_CHANGES))


def changed_topics(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield the topics of the user that a sentence changes.

    Yields:
        The topic, the words for the new one, and those that an earlier statement contains; each may be none.
    """
    if _PATTERNS["partial"].search(sentence):
        return
    for topic in TOPICS:
        for match in _PATTERNS[topic + _CHANGES].finditer(sentence):
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
    return start is not None and (bool(start["pronoun"]) or not mentioned_persons(before))
