"""Prepositional phrases: details of a clause that can become untrue while the rest of it remains true."""

import re
from collections.abc import Callable

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.revision.content import stems
from agent.language.revision.stems import Stems

MIN_REST_WORDS = 2  # content words: "I work" without the place says nothing
MAX_PHRASES = 6  # further ones are not examined

_PATTERNS = load_patterns("revision/redaction.toml")


def outdated_phrases(clause: str, new: str, is_outdated: Callable[[str], bool]) -> list[str]:
    """The phrase of an outdated clause without which the rest remains true, verbatim; empty if there is none.

    "I code in Python with VS Code" is true without "with VS Code" after "I dropped VS Code". The rest must share
    no other word with the newer text, which may be about all of it. The words before the first phrase must name
    something: "I work" does not, "I'm a nurse" does.

    Args:
        clause: the outdated clause.
        new: the newer text.
        is_outdated: checks a text.
    """
    named = stems(new)
    phrases = _phrases(clause)[:MAX_PHRASES]
    if not phrases or not stems(clause[: clause.index(phrases[0])]):
        return []
    for phrase in phrases:
        rest = without_phrase(clause, phrase)
        is_separate = (named - stems(phrase)).isdisjoint(stems(rest)) and len(Stems.of(rest).words) >= MIN_REST_WORDS
        if is_separate and not is_outdated(rest) and not _PATTERNS["incomplete"].search(rest):
            return [phrase]
    return []


def is_phrase(text: str) -> bool:
    """Check whether a text begins with a preposition."""
    return _PATTERNS["preposition"].match(text) is not None


def contains_phrase(text: str, phrase: str) -> bool:
    """Check whether a phrase follows a word in a text, so that it is not a sentence or clause of its own."""
    return bool(phrase) and re.search(rf"\w\s+{re.escape(phrase)}(?!\w)", text) is not None


def without_phrase(text: str, phrase: str) -> str:
    """A text without the first occurrence of a phrase and of the space before it."""
    return re.sub(rf"\s*(?<!\w){re.escape(phrase.rstrip(' .!'))}(?!\w)", "", text, count=1)


def _phrases(clause: str) -> list[str]:
    """The phrases after the first words of a clause, each with the places and months after it ("at a school in Bath").

    What follows a destination does not depend on it ("to Lisbon in March").
    """
    plain = plain_punctuation(clause)
    starts = [match.start() for match in _PATTERNS["preposition"].finditer(plain) if match.start() > 0]
    phrases = []
    for number, start in enumerate(starts):
        is_destination = plain.startswith("to ", start)
        others = starts[number + 1 :]
        following = (one for one in others if is_destination or not _PATTERNS["place_phrase"].match(plain, one))
        phrase = clause[start : next(following, len(clause))].strip(" .!")
        phrases += [] if _PATTERNS["list_of_phrase"].search(phrase) else [phrase]
    return phrases
