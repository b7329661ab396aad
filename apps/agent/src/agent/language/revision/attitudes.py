"""Detect that a user's attitude to something was reversed: they like what they disliked, or the opposite."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.language.grounding.checks import significant_stems
from agent.language.parsing.openers import read_opener
from agent.language.parsing.sentences import NON_FACTUAL, QUESTION_MARKS, plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words.frames import clauses

MAX_CLAUSE_CHARS = 120
_PATTERNS = load_patterns("revision/attitudes.toml")
_STARTS = ("speaker", "disliked", "liked")


@dataclass(frozen=True, slots=True)
class Attitude:
    """What a clause says that the user likes or dislikes."""

    is_liked: bool
    things: frozenset[str]
    """The stems of the words for it."""


@cache_per_user(maxsize=4096)
def attitudes(text: str) -> tuple[Attitude, ...]:
    """The attitudes that a text states; mostly none."""
    return tuple(_attitudes(with_apostrophes(plain_punctuation(text))))


def is_reversed(new: str, old: str) -> bool:
    """Check whether a text states the opposite attitude to exactly the same thing."""
    return any(
        one.things == other.things and one.is_liked is not other.is_liked
        for one in attitudes(new)
        for other in attitudes(old)
    )


def _attitudes(text: str) -> Iterator[Attitude]:
    for start, stop in sentences(text):
        first, _ = read_opener(text, start, stop)
        sentence = text[first:stop].strip()
        if sentence.endswith(QUESTION_MARKS) or NON_FACTUAL.search(sentence):
            continue
        for clause in clauses(sentence):
            if len(clause) <= MAX_CLAUSE_CHARS and any(_PATTERNS[name].match(clause) for name in _STARTS):
                yield from _attitude(_PATTERNS["reason"].split(clause, maxsplit=1)[0])


def _attitude(clause: str) -> Iterator[Attitude]:
    for name in ("disliked", "liked"):
        match = _PATTERNS[name].search(clause)
        if match:
            kept = " ".join(value for value in match.groupdict().values() if value)
            rest = f"{clause[: match.start()]} {kept} {clause[match.end() :]}"
            things = frozenset(significant_stems(_PATTERNS["beside"].sub(" ", rest)))
            if things:
                yield Attitude(name == "liked", things)
            return
