"""The significant words of texts in several languages, and their forms."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from agent.language.parsing.sentences import Span, plain_punctuation
from agent.language.pattern_files import load_pattern_lists, load_patterns
from agent.language.requests.polish_forms import base_forms, is_polish
from agent.language.text_cache import cache_per_user

MIN_PREFIX_CHARS = 3  # "wohne" and "wohnt" are forms of one general verb
MAX_ENDING_CHARS = 3

_PATTERNS = load_patterns("requests/statement_matching.toml")
_IRREGULAR = load_pattern_lists("requests/statement_matching.toml")["irregular"]
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W_]+")
NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_PARTICLES = re.compile("[我的了是在们們你就都也很吗嗎呢吧有和不没沒]|はです|です|ます|[はがをにでのとも]")
_GERMAN = re.compile(r"\b(?:ich|mein\w{0,2}|mich|mir)\b", re.IGNORECASE)
_GERMAN_ENDINGS = ("st", "en", "t", "e", "n")
_SIBILANTS = ("s", "x", "z", "ch", "sh")

_CURRENCIES = frozenset({"euro", "quid", "pound", "dollar", "bucks", "peso", "reais", "franc", "franken"})
"""What statements call an amount of money."""

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
    found = [word for match in WORD.finditer(fold(plain)) for word in _split(match[0])]
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


def name_spans(text: str, topic: str) -> list[Span]:
    """The spans of a text from the first to the last of a topic's significant words, wherever one of them is repeated.

    Empty if a word is missing.
    """
    polish = is_polish(text) or is_polish(topic)
    wanted, is_german = words_of(topic, polish=polish).strong, _GERMAN.search(text) is not None
    folded = [(match.span(), fold(match[0])) for match in WORD.finditer(text)]
    words = [
        (span, _forms(word, german=is_german) | (base_forms(word) if polish else frozenset())) for span, word in folded
    ]
    found = [[span for span, forms in words if forms & one] for one in wanted]
    if not all(found) or not found:
        return []
    starts = found[0]
    return [
        (start, max([stop, *(spans[0][1] for spans in found[1:] if spans[0][0] > start)])) for start, stop in starts
    ]


def matches(forms: Forms, words: Iterable[Forms]) -> bool:
    """Check whether a word is a form of one of several."""
    return any(forms & other for other in words)


def is_form(word: str, other: str) -> bool:
    """Check whether two general words, such as "wohne" and "wohnt", are forms of one."""
    length = next(
        (n for n, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), min(len(word), len(other))
    )
    is_irregular = any(one.fullmatch(word) and one.fullmatch(other) for one in _IRREGULAR)
    return (
        word == other
        or is_irregular
        or (length >= MIN_PREFIX_CHARS and max(len(word), len(other)) - length <= MAX_ENDING_CHARS)
    )


def _is_weak(word: str) -> bool:
    return any(_PATTERNS["weak_words"].fullmatch(form) for form in _forms(word, german=False))


@cache_per_user(maxsize=8192)
def _forms(word: str, *, german: bool) -> Forms:
    forms = {word}
    if word.startswith("ال"):
        forms.add(word.removeprefix("ال"))
    if len(word) > MIN_PREFIX_CHARS and word.isalpha() and word.isascii():
        forms |= _base_forms(word)
        if _PATTERNS["money"].fullmatch(word):
            forms |= _CURRENCIES
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
        if stem != word and len(stem) == MIN_PREFIX_CHARS - 1:
            forms.add(f"{stem}e")  # "owed", "using"
        elif stem != word and len(stem) >= MIN_PREFIX_CHARS:
            forms |= {stem, f"{stem}e"} | ({stem[:-1]} if stem[-1] == stem[-2] else set())
    for ending in ("en", "n"):
        if word.endswith(ending) and len(word) - len(ending) > MIN_PREFIX_CHARS:
            forms.add(word.removesuffix(ending))
    return forms


def _split(word: str) -> list[str]:
    """The word itself; a run of characters without spaces gives its pairs."""
    if not NO_SPACES.match(word):
        return [word]
    runs = [run for run in _CJK_PARTICLES.split(word) if run]
    return [run[n : n + 2] for run in runs for n in range(max(1, len(run) - 1))]


def fold(text: str) -> str:
    """A text without capitals and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if not unicodedata.combining(char)))
