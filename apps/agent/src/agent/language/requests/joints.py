"""Find where a sentence goes on with another request or a question after a request ("Forget my cat and tell me …")."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from agent.language.facts.addressed import asks_or_states
from agent.language.parsing.sentences import QUESTION_MARKS
from agent.language.pattern_files import load_patterns

MAX_JOINTS = 12  # of a sentence; further ones are not examined
MAX_QUESTION_CHARS = 300

_PATTERNS = load_patterns("requests/joints.toml")


class Joint(NamedTuple):
    """What joins two parts of a sentence."""

    start: int
    stop: int
    is_separate: bool
    """Whether the verb after it hardly continues the clause before it: there is a mark, or a word such as "please"."""


def joints(text: str, start: int, stop: int) -> Iterator[Joint]:
    """The joints in a part of a text, in order."""
    for match in islice(_PATTERNS["joint"].finditer(text, start, stop), MAX_JOINTS):
        is_separate = match["mark"] is not None or _PATTERNS["separate"].search(match[0]) is not None
        yield Joint(*match.span(), is_separate or not match["words"])


def begins_question(text: str, start: int, stop: int, *, is_embedded: bool) -> bool:
    """Check whether the rest of a sentence asks for an answer ("what do you know about me?", "tell me where I live").

    Args:
        text: the message with plain punctuation.
        start: where the rest begins.
        stop: the end of the sentence.
        is_embedded: whether the part before is an embedded question, which the rest may continue.
    """
    asked = text[start:stop].strip(" \t\n\"')!")
    if not asked or len(asked) > MAX_QUESTION_CHARS:
        return False
    if _PATTERNS["telling"].match(asked):
        return True
    if not asked.endswith(QUESTION_MARKS):
        return _PATTERNS["remaining"].match(asked) is not None
    if _PATTERNS["inverted"].match(asked):
        return True
    return not is_embedded and asks_or_states(asked, (0, len(asked))) is True


def is_about_memory(text: str) -> bool:
    """Check whether a text asks for what is remembered, or for a fact of the user ("Where do I live?")."""
    return _PATTERNS["about_memory"].match(text.strip()) is not None


def asks_for_rest(text: str) -> bool:
    """Check whether a text asks for what remains after something is forgotten ("What's left?")."""
    return len(text) <= MAX_QUESTION_CHARS and _PATTERNS["remaining"].search(text) is not None


def may_continue(clause: str) -> bool:
    """Check whether a verb after a clause may have the same subject ("I get tired and forget my keys")."""
    return _PATTERNS["continued"].search(clause) is not None


def is_retelling(clause: str) -> bool:
    """Check for "I told you …" as what the assistant may remember, not what it should remember."""
    return _PATTERNS["retelling"].match(clause) is not None


def without_tag(text: str) -> str:
    """A request without the question at its end whether the assistant agrees ("…, ok?")."""
    return _PATTERNS["tag"].sub("", text)
