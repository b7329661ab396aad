"""Recognise statements that matter for every answer, such as an allergy or the user's home, by their form."""

from typing import Literal, cast

from agent.language.own_words import mask_quoted
from agent.language.parsing import is_request, sentences
from agent.language.pattern_files import load_patterns

Topic = Literal["health", "access", "diet", "name", "pronouns", "home", "time_zone", "family", "work", "languages"]

SAFETY_TOPICS: frozenset[Topic] = frozenset({"health", "access", "diet"})
"""Topics for which a wrong answer can do harm."""
MAX_STATEMENT_CHARS = 300  # longer sentences are pasted text
MAX_MESSAGE_CHARS = 4_000  # the rest of a message is not examined


_PATTERNS = load_patterns("standing.toml")


def standing_topic(text: str) -> Topic | None:
    """The topic of a memory or statement that matters for every answer; None if it has none."""
    if len(text) > MAX_STATEMENT_CHARS:
        return None
    return next((cast("Topic", topic) for topic, pattern in _PATTERNS.items() if pattern.search(text)), None)


def standing_topics(message: str) -> set[Topic]:
    """The topics of the statements in a user's message, without questions, requests and quotations."""
    masked = mask_quoted(message[:MAX_MESSAGE_CHARS])
    statements = (masked[slice(*span)].strip() for span in sentences(masked) if is_request(masked, span) is False)
    return {topic for topic in map(standing_topic, statements) if topic}
