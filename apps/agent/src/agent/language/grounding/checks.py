"""Checks that a memory must pass: no credentials, no prompt injection, and only what the user said."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Set
from itertools import accumulate
from typing import NamedTuple

from agent.language.dates.words import NUMBERS
from agent.language.parsing.function_words import FUNCTION_WORDS, SYNONYMS
from agent.language.parsing.sentences import Span, plain_punctuation
from agent.language.safety.credentials import contains_credentials
from agent.language.safety.prompt_injection import contains_injection
from agent.language.text_cache import cache_per_user

# A word; each kana, Han or Hangul character counts as one.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+(?:['\u2019][^\W_]{1,3}(?!\w))?")
_MARKS_BEFORE = 8
_SENTENCE_START = re.compile(rf"(?:^|[.!?:\n])[\s\"'(\u00ab\u201c\u201e]{{0,{_MARKS_BEFORE}}}$")
_GIVEN_NAME = re.compile(r"(?:Ben|Dan)\b(?! (?:ik|je|jij|u)\b)")  # Dutch words, unless one of its pronouns follows
STEM_CHARS = 6
MIN_STEM_CHARS = 3
_SUFFIXES = sorted(
    [
        "ings",
        "ing",
        "edly",
        "ers",
        "er",
        "ies",
        "ied",
        "ed",
        "es",
        "est",
        "est",
        "en",
        "em",
        "et",
        "st",
        "ly",
        "s",
        "e",
        "t",
        "n",
        "y",
        "a",
        "o",
        "i",
        "as",
        "os",
        "an",
        "on",
        "ado",
        "ada",
        "ando",
        "é",
        "ó",
        "'",
    ],
    key=len,
    reverse=True,
)
_POSSESSIVE = re.compile(r"(?:'|\u2019)(?:s|m|re|ve|ll|d|t)?$")
_ARABIC_PREFIX = re.compile(
    "(?:\u0648?\u0627\u0644|[\u0623\u064a\u062a\u0646])(?=\\w{3})"
)  # the article, and persons of verbs
_ARABIC_SUFFIX = re.compile(
    "(?:\u062a\u064a|\u062a\u0647\u0627?|\u0629|\u064a|\u0647\u0627?)$"
)  # "my", "his", "her", and the feminine
_MIN_UNSPACED_CHARS = 4
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


class Word(NamedTuple):
    """A word of a text."""

    text: str
    """Case-folded."""
    stem: str
    is_name: bool
    """A number, or capitalised within a sentence."""
    is_content: bool
    """Not a function word."""


def normalise(text: str) -> str:
    """Fold case and white space and drop the final full stop; texts with equal results are the same memory."""
    return " ".join(text.casefold().split()).rstrip(".")


def rejection_reason(text: str) -> str | None:
    """The reason why a text must never be stored, "credentials" or "instructions" (prompt injection), or None."""
    if contains_credentials(text):
        return "credentials"
    return "instructions" if contains_injection(text) else None


def is_quoted(quote: str, messages: Iterable[str]) -> bool:
    """Check whether a quote occurs in one of the user's messages, ignoring case and white space."""
    return any(find_quote(quote, each) is not None for each in messages)


def find_quote(quote: str, text: str) -> Span | None:
    """Find a quote in a text, ignoring case, white space, typographic marks and the punctuation at its ends."""
    folded = " ".join(_EDGES.sub("", plain_punctuation(quote)).casefold().split())
    if not folded:
        return None
    tokens = [match.span() for match in re.finditer(r"\S+", text)]
    parts = [plain_punctuation(text[slice(*token)]).casefold() for token in tokens]
    whole = " ".join(parts)
    start = _find_words(whole, folded)
    if start is None:
        return None
    starts = list(accumulate((len(part) + 1 for part in parts), initial=0))
    first = bisect_right(starts, start) - 1
    last = bisect_right(starts, start + len(folded) - 1) - 1
    end = tokens[last][0] + start + len(folded) - starts[last]
    return tokens[first][0] + start - starts[first], min(end, tokens[last][1])


def is_long_enough(quote: str, own_words: str) -> bool:
    """Check that a quote has two words, four characters of a script without spaces, or is the whole message."""
    quote = _EDGES.sub("", quote)
    unspaced = len(_UNSPACED.findall(quote))
    if len(quote.split()) > 1 or unspaced >= _MIN_UNSPACED_CHARS:
        return True
    return bool(quote) and normalise(quote) == normalise(_EDGES.sub("", own_words.replace("\0", " ")))


def is_grounded(sentence: str, *, user_texts: Iterable[str], other_texts: Iterable[str]) -> bool:
    """Check whether a model's sentence about the user, without a quote, contains only what the user said.

    Its names and numbers must occur in the user's texts, and none of its significant words may occur only in the
    other texts that the model has read: answers and existing memories.
    """
    own, other = _all_stems(user_texts), _all_stems(other_texts)
    significant = (word for word in words(sentence) if word.is_content)
    return all(word.stem in own or not (word.is_name or word.stem in other) for word in significant)


@cache_per_user(maxsize=4096)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order."""
    found = []
    for match in _WORD.finditer(text):
        folded = _POSSESSIVE.sub("", match[0].casefold())
        if not folded:
            continue
        is_number = folded[0].isdigit() or folded in NUMBERS
        is_name = is_number or (match[0][0].isupper() and not _starts_sentence(text, match.start()))
        is_content = folded not in FUNCTION_WORDS or _GIVEN_NAME.match(text, match.start()) is not None
        found.append(Word(folded, stem(folded), is_name and is_content, is_content))
    return tuple(found)


def _starts_sentence(text: str, position: int) -> bool:
    return _SENTENCE_START.search(text, max(0, position - _MARKS_BEFORE), position) is not None


def stems(text: str) -> Set[str]:
    """The stems of all words of a text."""
    return {stem(_POSSESSIVE.sub("", match) or match) for match in _WORD.findall(text.casefold())}


def significant_stems(text: str) -> set[str]:
    """The stems of the words of a text that are not function words."""
    return {word.stem for word in words(text) if word.is_content}


@cache_per_user(maxsize=8_192)
def stem(word: str) -> str:
    """A short form that the inflections of a word share; the digits of a number word."""
    word = NUMBERS.get(word, word).casefold()
    if word[0].isdigit():
        return word
    word = SYNONYMS.get(word, word)
    if "\u0600" <= word[0] <= "\u06ff" and (prefix := _ARABIC_PREFIX.match(word)):
        word = word[prefix.end() :]
    if "\u0600" <= word[0] <= "\u06ff" and (suffix := _ARABIC_SUFFIX.search(word)):
        word = word[: suffix.start()] if suffix.start() >= MIN_STEM_CHARS else word
    for ending in _SUFFIXES:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM_CHARS:
            word = word.removesuffix(ending)
            break
    if len(word) > MIN_STEM_CHARS and word[-1] == word[-2]:
        word = word[:-1]
    if len(word) > MIN_STEM_CHARS and word[-1] in "eiy":
        word = word[:-1]
    return word[:STEM_CHARS]


def _all_stems(texts: Iterable[str]) -> Set[str]:
    return {each for text in texts for each in stems(text)}


def _find_words(text: str, quote: str) -> int | None:
    start = text.find(quote)
    while start >= 0:
        if not (_is_inside_word(text, start) or _is_inside_word(text, start + len(quote))):
            return start
        start = text.find(quote, start + 1)
    return None


def _is_inside_word(text: str, offset: int) -> bool:
    """Check whether a word continues across an offset; never for caseless scripts, which may not separate words."""
    return 0 < offset < len(text) and all(char.islower() or char.isdigit() for char in text[offset - 1 : offset + 1])
