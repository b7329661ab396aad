"""Compare what a request names with what memories state, by their significant words in several languages."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from agent.language.facts.extraction import extract_from_user
from agent.language.grounding.checks import is_quoted, normalise
from agent.language.parsing.sentences import Span, plain_punctuation, sentences, strip_lead_words
from agent.language.pattern_files import load_patterns
from agent.language.requests.polish_forms import base_forms, is_polish
from agent.language.text_cache import cache_per_user

MIN_SHARE = 0.5
"""Share of a memory's significant words that a request must name."""
MIN_PREFIX_CHARS = 3  # "wohne" and "wohnt" are forms of one general verb
MAX_ENDING_CHARS = 3
MIN_COMPOUND_CHARS = 5
"""Length of the first part of a compound, such as "Zahnarzt" in "Zahnarzttermin"."""

_PATTERNS = load_patterns("requests/statement_matching.toml")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W_]+")
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_PARTICLES = re.compile("[我的了是在们們你就都也很吗嗎呢吧有和不没沒]|はです|です|ます|[はがをにでのとも]")
_GERMAN = re.compile(r"\b(?:ich|mein\w{0,2}|mich|mir)\b", re.IGNORECASE)
_GERMAN_ENDINGS = ("st", "en", "t", "e", "n")
_SIBILANTS = ("s", "x", "z", "ch", "sh")

Forms = frozenset[str]
"""A word and its possible base forms; two words are forms of one if they share one."""


@dataclass(frozen=True, slots=True)
class Words:
    """The significant words of a text, in order."""

    strong: tuple[Forms, ...]
    weak: tuple[str, ...]
    """Verbs and nouns that many memories contain, such as "like"."""
    first: Forms | None
    """The first word, if it is not a general one."""
    negated: bool


@cache_per_user(maxsize=4096)
def words_of(text: str, *, polish: bool | None = None) -> Words:
    """The significant words of a text, folded.

    Args:
        text: any text.
        polish: whether it is Polish, where nouns are inflected; None if only its own words can tell.
    """
    plain = plain_punctuation(text)
    is_inflected = is_polish(plain) if polish is None else polish
    found = [word for match in _WORD.finditer(_fold(plain)) for word in _split(match[0])]
    significant = [word for word in found if not _PATTERNS["stop_words"].fullmatch(word)]
    is_german = _GERMAN.search(plain) is not None
    return Words(
        strong=tuple(
            _forms(word, german=is_german) | (base_forms(word) if is_inflected else frozenset())
            for word in significant
            if not _is_weak(word)
        ),
        weak=tuple(word for word in significant if _is_weak(word)),
        first=_forms(significant[0], german=is_german) if significant and not _is_weak(significant[0]) else None,
        negated=_PATTERNS["negation"].search(plain) is not None,
    )


def states(text: str, statement: str) -> bool:
    """Check whether a text is certainly the statement that a request names, possibly in other words."""
    is_same = is_same_statement(text, statement) or _begins_with_fact(text, statement)
    return is_same or _says_little_more(text, statement)


def is_same_statement(text: str, statement: str) -> bool:
    """Check whether two texts are equal, or state the same fact by the extraction rules."""
    if normalise(text) == normalise(statement):
        return True
    facts = _facts(statement)
    return len(facts) == 1 and facts <= (_facts(text) or {normalise(text)})


def mentions(text: str, topic: str) -> bool:
    """Check whether a text contains all significant words of a topic."""
    polish = is_polish(text) or is_polish(topic)
    wanted = words_of(topic, polish=polish)
    return bool(wanted.strong) and _missing(wanted, words_of(text, polish=polish)) == 0


def name_spans(text: str, topic: str) -> list[Span]:
    """The spans of a text from the first to the last of a topic's significant words, wherever one of them is repeated.

    Empty if a word is missing.
    """
    wanted = words_of(topic).strong
    is_german = _GERMAN.search(text) is not None
    words = [(match.span(), _forms(_fold(match[0]), german=is_german)) for match in _WORD.finditer(text)]
    found = [[span for span, forms in words if forms & one] for one in wanted]
    if not all(found) or not found:
        return []
    starts = found[0]
    return [
        (start, max([stop, *(spans[0][1] for spans in found[1:] if spans[0][0] > start)])) for start, stop in starts
    ]


def adds_nothing(text: str, message: str) -> bool:
    """Check whether all significant words of a text occur in the message that it is about, with the same negation."""
    return mentions(message, text) and words_of(text).negated == words_of(message).negated


def sentence_with(quote: str, message: str) -> str:
    """The sentence of a message that contains a quote, without its lead words; the quote itself if there is none."""
    for span in sentences(message):
        is_long_enough = span[1] - span[0] >= len(quote) / 2  # before both are normalised
        if is_long_enough and is_quoted(quote, [message[slice(*span)]]):
            return message[slice(*strip_lead_words(message, span))].strip()
    return quote


def share_of_words(text: str, statement: str) -> float:
    """The share of a statement's significant words that a text contains; of general ones if it has no others."""
    wanted, present = words_of(statement), words_of(text)
    if not wanted.strong:
        return float(bool(wanted.weak) and all(_has_weak(present, word) for word in wanted.weak))
    return sum(_has(present, forms) or _is_part(forms, text) for forms in wanted.strong) / len(wanted.strong)


@cache_per_user(maxsize=4096)
def _facts(text: str) -> frozenset[str]:
    return frozenset(normalise(fact.text) for fact in extract_from_user(text))


def names_other_subject(text: str, statement: str) -> bool:
    """Check whether a text mentions people or several things that a statement does not mention."""
    people, known = (set(_PATTERNS["relation"].findall(_fold(one))) for one in (text, statement))
    return bool(people - known) or _PATTERNS["coordination"].search(text) is not None


def names_several_people(text: str) -> bool:
    """Check whether a text mentions several people by what they are to the user ("My brother's boss")."""
    return len(_PATTERNS["relation"].findall(_fold(text))) > 1


def are_different_people(name: str, texts: Iterable[str]) -> bool:
    """Check whether texts call several people by one name ("my sister Anna", "my colleague Anna")."""
    folded = re.escape(_fold(name))
    before = re.compile(rf"\b(\w+),? (?:is called |called |named )?{folded}\b")
    found = {word for text in texts for word in before.findall(_fold(text))}
    return len({word for word in found if _PATTERNS["relation"].fullmatch(word)}) > 1


def begins_with_other_person(text: str) -> bool:
    """Check whether a text begins with another person, whose attributes it states ("My mother lives in Oslo")."""
    return _PATTERNS["other_person"].match(_fold(text)) is not None


def subject_of(text: str) -> str:
    """The noun and name of the person or thing that a statement begins with ("son Ben"); empty if there is none."""
    match = _PATTERNS["subject"].match(plain_punctuation(text))
    return (match["own"] or match["bare"]) if match else ""


def has_same_negation(text: str, statement: str) -> bool:
    """Check whether both texts are negated, or none."""
    return words_of(text).negated == words_of(statement).negated


def _begins_with_fact(text: str, statement: str) -> bool:
    """Check whether a text is the fact that a statement gives, with a place, a time or the like after it."""
    [fact, *others] = _facts(statement) or [""]
    start = normalise(fact).rstrip(".")
    rest = normalise(text).removeprefix(start) if start and not others else ""
    is_detailed = rest != normalise(text) and _PATTERNS["detail"].match(rest) is not None
    return is_detailed and not names_other_subject(rest.lstrip(" ,"), statement)


def _says_little_more(text: str, statement: str) -> bool:
    """Check that a text contains the statement's words with the same negation, and little else."""
    wanted, present = words_of(statement), words_of(text)
    if not wanted.strong or wanted.negated != present.negated or _missing(wanted, present):
        return False
    if not any(not _matches(forms, wanted.strong) for forms in present.strong):
        return True
    is_mostly_named = len(wanted.strong) >= MIN_SHARE * len(present.strong)
    begins_alike = present.first is None or _matches(present.first, wanted.strong)
    return is_mostly_named and begins_alike and not names_other_subject(text, statement)


def _missing(wanted: Words, present: Words) -> int:
    strong = sum(not _has(present, forms) for forms in wanted.strong)
    return strong + sum(not _has_weak(present, word) for word in wanted.weak)


def _has(present: Words, forms: Forms) -> bool:
    return _matches(forms, present.strong)


def _matches(forms: Forms, words: Iterable[Forms]) -> bool:
    return any(forms & other for other in words)


def _is_part(forms: Forms, text: str) -> bool:
    """Check for a word within another: a character of a script without spaces, or the beginning of a compound."""
    folded = _fold(text)
    for form in forms:
        if len(form) == 1 and _NO_SPACES.match(form) and form in text:
            return True
        if len(form) >= MIN_COMPOUND_CHARS and re.search(rf"\b{re.escape(form)}\w{{3}}", folded):
            return True
    return False


def _has_weak(present: Words, word: str) -> bool:
    return any(_is_form(word, other) for other in present.weak)


def _is_form(word: str, other: str) -> bool:
    length = next(
        (n for n, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), min(len(word), len(other))
    )
    return word == other or (length >= MIN_PREFIX_CHARS and max(len(word), len(other)) - length <= MAX_ENDING_CHARS)


def _is_weak(word: str) -> bool:
    return any(_PATTERNS["weak_words"].fullmatch(form) for form in _forms(word, german=False))


@cache_per_user(maxsize=8192)
def _forms(word: str, *, german: bool) -> Forms:
    forms = {word}
    if word.startswith("ال"):
        forms.add(word.removeprefix("ال"))
    if len(word) > MIN_PREFIX_CHARS and word.isalpha() and word.isascii():
        forms |= _base_forms(word)
        forms |= {
            word.removesuffix(ending)
            for ending in _GERMAN_ENDINGS
            if german and len(word) - len(ending) > MIN_PREFIX_CHARS
        }
    return frozenset(forms)


def _base_forms(word: str) -> set[str]:
    forms: set[str] = set()
    if word.endswith("s") and not word.endswith("ss"):
        forms.add(word[:-1])
    if word.endswith("es") and word[:-2].endswith(_SIBILANTS):
        forms.add(word[:-2])
    if word.endswith(("ies", "ied")):
        forms.add(f"{word[:-3]}y")
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= MIN_PREFIX_CHARS:
            forms |= {stem, f"{stem}e"} | ({stem[:-1]} if stem[-1] == stem[-2] else set())
    for ending in ("en", "n"):
        if word.endswith(ending) and len(word) - len(ending) > MIN_PREFIX_CHARS:
            forms.add(word.removesuffix(ending))
    return forms


def _split(word: str) -> list[str]:
    """The word itself; a run of characters without spaces gives its pairs."""
    if not _NO_SPACES.match(word):
        return [word]
    runs = [run for run in _CJK_PARTICLES.split(word) if run]
    return [run[n : n + 2] for run in runs for n in range(max(1, len(run) - 1))]


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if not unicodedata.combining(char)))
