"""Recognise statements that matter for every answer, such as an allergy or the user's home, by their form."""

import re
from typing import Literal, NamedTuple, cast

from agent.language.authorship.own_words import mask_quoted
from agent.language.authorship.role_play import enters_role, leaves_role
from agent.language.parsing.openers import blank_openers
from agent.language.parsing.sentences import compile_any, is_request, sentences
from agent.language.pattern_files import load_pattern_lists
from agent.language.text_cache import cache_per_user

Topic = Literal["health", "access", "diet", "name", "pronouns", "home", "time_zone", "family", "work", "languages"]

SAFETY_TOPICS: frozenset[Topic] = frozenset({"health", "access", "diet"})
"""Topics for which a wrong answer can do harm."""
MAX_STATEMENT_CHARS = 300  # longer sentences are pasted text
MAX_MESSAGE_CHARS = 4_000  # the rest of a message is not examined


class _TopicPattern(NamedTuple):
    """One alternative of a topic; the alternatives are faster than one pattern with all of them."""

    topic: Topic
    pattern: re.Pattern[str]
    begins_with_subject: bool
    """Without a word of the first person, it matches only at the beginning ("Lives in Oslo")."""
    is_latin: bool


_FIRST_PERSON = compile_any(r"\b(?:i|im|i'\w|ive|we|were|my|our|been)\b")
_LATIN = re.compile(r"(?<!\\)[a-z]")
_PATTERNS = [
    _TopicPattern(
        cast("Topic", topic), one, one.pattern.startswith("(?:^"), is_latin=_LATIN.search(one.pattern) is not None
    )
    for topic, alternatives in load_pattern_lists("facts/standing.toml").items()
    for one in alternatives
]


@cache_per_user(maxsize=4096)
def standing_topic(text: str) -> Topic | None:
    """The topic of a memory or statement that matters for every answer; None without one, or in a role play."""
    if len(text) > MAX_STATEMENT_CHARS:
        return None
    is_latin, has_subject = text.isascii(), _FIRST_PERSON.search(text) is not None
    for topic, pattern, begins_with_subject, has_latin in _PATTERNS:
        if is_latin and not has_latin:
            continue
        find = pattern.match if begins_with_subject and not has_subject else pattern.search
        if find(text):
            return None if _is_played(text) else topic
    return None


def standing_topics(message: str) -> set[Topic]:
    """The topics of the statements in a user's message, without questions, requests and quotations."""
    masked = mask_quoted(blank_openers(message[:MAX_MESSAGE_CHARS]))
    statements = (masked[slice(*span)].strip() for span in sentences(masked) if is_request(masked, span) is False)
    topics = {topic for topic in map(standing_topic, statements) if topic}
    return set() if topics and _is_played(message) else topics


def _is_played(text: str) -> bool:
    """Check whether a text belongs to a role play, and does not leave it."""
    return enters_role(text) and not leaves_role(text)
