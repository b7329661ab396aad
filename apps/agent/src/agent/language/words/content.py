"""The significant words of a statement: things, quantities and persons."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from agent.language.grounding.checks import Word, stem, words
from agent.language.grounding.support import mentioned_persons
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words.quantities import FRENCH_MON, quantity_kind
from agent.language.words.synonyms import as_relatives, shared_stem

MIN_NOUN_CHARS = 3
_MA = re.compile(r"\bma (?=\w)")
_ADJACENT = re.compile(
    r"(?P<article>\b(?:[Aa]n?|[Tt]he|[Mm]y|[Oo]ur) )?"
    r"(?<![^\W_])(?P<first>[^\W\d_\u3040-\uffff][\w'-]{0,30}+)(?= (?P<next>[^\W_][\w'-]{0,30}))"
)

# What the number before it counts is named after it.
_CONTAINER = re.compile(
    r"\b(?:cups?|glass(?:es)?|mugs?|pints?|bottles?|cans?|packs?|packets?|slices?|portions?) of (?=\w)", re.IGNORECASE
)
_OF_US = re.compile(r"\b(?:of|from) (?:us|them|you)\b", re.IGNORECASE)
_GET_MARRIED = re.compile(r"\b(?:get|getting|be|being) married\b", re.IGNORECASE)

# A race ("the Leeds half"), and no part of something or time ("half past nine", "the other half").
_HALF = re.compile(
    r"(?P<before>\bthe|\b(?-i:[A-Z])[\w-]{2,20}) half(?: marathon)?"
    r"(?=\s?(?:[.,;!]|$)|\s(?:in|on|next|this|again|now|after|because|since|any ?more)\b)",
    re.IGNORECASE,
)
_OF_OTHER = re.compile(r"\b(?:his|her|their|its) (?:number|email|e-mail|address|phone|mobile)\b", re.IGNORECASE)
_PATTERNS = load_patterns("revision/change_patterns")
SCHEDULE = frozenset({"weekday", "month", "time"})
"""The kinds of quantities that say when something takes place."""

_DIGITS = "0123456789.,"

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class Content:
    """The significant words of a sentence."""

    things: Stems
    """Stems of the words, without general words and quantities."""
    quantities: tuple[tuple[str, str, str], ...]
    """Kind, value, and the stem of the next word, which may be empty."""
    persons: Stems
    compounds: Stems
    """The words that another one follows directly, with which they form a name of something else."""


@cache_per_user(maxsize=4096)
def content_of(sentence: str) -> Content:
    """Read the significant words of a sentence."""
    sentence = _OF_US.sub("guests", _CONTAINER.sub("", sentence))  # "nine of us"
    sentence = _GET_MARRIED.sub("wedding", FRENCH_MON.sub("", _with_race(sentence)))
    frequencies = [("frequency", match[0].casefold(), "") for match in _PATTERNS["frequency"].finditer(sentence)]
    sentence = _PATTERNS["frequency"].sub(" ", sentence) if frequencies else sentence
    every = words(sentence)
    found = [word for word in every if quantity_kind(word.text) or (word.is_content and _is_thing(word.text))]
    adjacent = {id(word): follower for word, follower in pairwise(every)}
    quantities = frequencies
    for word, following in zip(found, (*found[1:], None), strict=False):
        if kind := quantity_kind(word.text):
            # "Second year" is of a year, but "two years" are a measure of something else.
            follower = adjacent.get(id(word)) if kind == "ordinal" else following
            is_counted = follower and (kind == "ordinal" or not _is_measure(follower.text))
            is_unit = follower and is_counted and not quantity_kind(follower.text) and not _is_change(follower.text)
            suffix = word.text.lstrip(_DIGITS) if word.text[:1] in _DIGITS and kind in {"number", "code"} else ""
            unit = suffix or (follower.stem if follower and is_unit else "")
            quantities.append((kind, stem(word.text), unit))
    things = frozenset(shared_stem(word) for word in found if not quantity_kind(word.text))
    adjacent_words = set(_adjacent_words(sentence))
    compounds = (
        shared_stem(one)
        for one, other in pairwise(every)
        if (one.text, other.text) in adjacent_words and _is_name(other)
    )
    return Content(things, tuple(quantities), persons_in(sentence), frozenset(compounds))


@cache_per_user(maxsize=4096)
def stems(text: str) -> Stems:
    """The stems of the things in a text, without general words."""
    return frozenset(shared_stem(word) for word in words(_with_race(text)) if word.is_content and _is_thing(word.text))


def _with_race(text: str) -> str:
    return _HALF.sub(r"\g<before> halfmarathon", text) if "half" in text.casefold() else text


@cache_per_user(maxsize=4096)
def persons_in(text: str) -> Stems:
    """The stems of the nouns for other people and animals in a text; a French "ma" before a noun is no mother."""
    return as_relatives(mentioned_persons(_MA.sub("", text)))


def words_of(text: str) -> frozenset[str]:
    """All words of a text, casefolded."""
    return frozenset(word.text for word in words(text))


def _adjacent_words(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the words that may form a name of something else with the next one, such as "cat food", casefolded.

    The name of a thing does not count ("my cat Milo", "a Fiat Panda").
    """
    for match in _ADJACENT.finditer(sentence):
        first, following = match["first"], match["next"]
        if not (following[0].isupper() and (first.islower() or match["article"])):
            yield first.casefold().removesuffix("'s"), following.casefold().removesuffix("'s")


def _is_measure(word: str) -> bool:
    return any(_PATTERNS[name].fullmatch(word) for name in ("passing", "measure"))


def _is_change(word: str) -> bool:
    return _PATTERNS["changed"].fullmatch(word) is not None


def _is_noun(word: Word) -> bool:
    is_long = len(word.text) >= MIN_NOUN_CHARS
    return is_long and word.is_content and _is_thing(word.text) and not quantity_kind(word.text)


def _is_name(word: Word) -> bool:
    """Check for a noun that forms a name with the one before it."""
    return _is_noun(word) and _PATTERNS["generic"].fullmatch(word.text) is None


@cache_per_user(maxsize=8192)
def _is_thing(word: str) -> bool:
    return _PATTERNS["general"].fullmatch(word) is None


def is_owned(statement: str) -> bool:
    """Check for a possession of another person ("Nan's cat", "his number")."""
    return "'s " in statement or _OF_OTHER.search(statement) is not None


def named_words(match: re.Match[str], kind: str) -> str:
    """The words in the groups of a kind, which is the first letter of their names."""
    return " ".join(value for name, value in match.groupdict().items() if value and name[0] == kind)
