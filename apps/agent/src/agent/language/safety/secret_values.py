"""Detect values that only their owner should know, by their form and by what the same sentence says they open.

Unlike the patterns of credentials, this does not depend on the words between a name and its value.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.language.parsing.folding import load_folded_patterns
from agent.language.parsing.sentences import sentences

MIN_SPOKEN_DIGITS = 3
MIN_SEED_WORDS = 8
MIN_MIXED_CHARS = 5
MAX_DISTANCE = 120  # characters between what is opened and the value
MAX_NAME_CHARS = 40  # of a sentence that only names what is opened
MIN_OF_KIND = 2
MIN_KIND_SWITCHES = 8
MIN_DIGIT_SWITCHES = 4
MIN_SPACED_DIGITS = 5
STRONG_CHARS = 8  # with letters in both cases, a digit and a mark; no word looks like this

_PATTERNS = load_folded_patterns("safety/secret_values.toml")
_TOKEN = re.compile(r"[^\s\"'`\u00ab\u00bb(){}\[\]<>,;]{4,100}")
_COLUMN = re.compile(r"(?:\n[^\s\d.)*•-][ \t]*(?=\n|$)){2,40}(?:\n\S[ \t]*(?=\n|$)){2,40}")
_MORSE_CODE = re.compile(r"(?:[.-]{4,5} ){3}[.-]{4,5}")
_PART = re.compile(r"[A-Za-z0-9]{8,100}")
_SPACED = re.compile(r"(?<![\w.,])[A-Za-z\d@#$%&](?:[ ,\u00b7\u2022\u2027_|-]{1,2}[A-Za-z\d@#$%&]){5,40}(?!\w)")
_EDGES = ".,;:!?/|+=-"
_DIGITS = re.compile(r"(?<![\w.,/:])\d(?:[ -]?\d){3,11}(?![\w%]|[.,:/]\d)")
_TURNS = re.compile(
    r"(?:\b(?:left|right|(?:anti)?-?clockwise|links|rechts|gauche|droite|izquierda|derecha|sinistra|destra)\W{1,3}"
    r"(?:to )?\d{1,2}\b\W{0,3}(?:\w{1,6}\W{1,3}){0,2}){2}"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_CJK_DIGITS = re.compile(
    r"[\u96f6\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d](?:\s?[\u96f6\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d]){3}"
)
_UNIT = re.compile(
    r"\s?(?:euros?|dollars?|pounds?|eur|usd|gbp|chf|[\u20ac$\u00a3\u5143\u5757]|people|users|members|days|steps|kcal|km|miles|years)\b",
    re.IGNORECASE,
)
_LISTED_WORD = r"(?!(?:the|and|how|for|with|was|are|but|not|our|her|his)\b)[a-z]{3,10}"
_WORD_LIST = re.compile(rf"(?:{_LISTED_WORD}[ ,]{{1,2}}){{{MIN_SEED_WORDS - 1},30}}{_LISTED_WORD}")
_LIST_START = re.compile(r"[:=]|\bare\b|\bis\b|\bsind\b|\bson\b|\bsont\b")
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED_WORD = re.compile(r"['\"]\w{4,30}['\"]")


def contains_secret_value(text: str) -> bool:
    """Check the sentences of a folded text for secret values; a brief one may name what the next one opens."""
    if _COLUMN.search(text) or _MORSE_CODE.search(text):
        return True
    before = ""
    for start, stop in sentences(text):
        sentence = before + text[start:stop]
        if _is_secret(sentence):
            return True
        before = sentence if len(sentence) <= MAX_NAME_CHARS else ""
    return False


def _is_secret(sentence: str) -> bool:
    lower = sentence.lower()
    return _has_secret_form(sentence, lower) or _opens_by_word(sentence, lower) or _opens_by_digits(sentence, lower)


def _has_secret_form(sentence: str, lower: str) -> bool:
    """Check whether a sentence contains a secret, whatever it opens."""
    if _PATTERNS["partial"].search(lower) or _contains_seed_phrase(lower):
        return True
    if any(map(_is_strong, _tokens(sentence))) or any(map(_is_key_like, _PART.findall(sentence))):
        return True
    return any(map(_is_spaced_secret, _SPACED.findall(sentence)))


def _opens_by_word(sentence: str, lower: str) -> bool:
    """Check whether a sentence names what is opened by a word or by any mix of characters, and its value."""
    opened = None if _is_name(lower) else _PATTERNS["opened"].search(lower)
    if opened and any(map(_is_mixed, _tokens(sentence[opened.end() : opened.end() + MAX_DISTANCE]))):
        return True
    if opened and any(_PATTERNS[name].search(lower) for name in ("spelled", "encoded")):
        return True
    is_password = _PATTERNS["password"].search(lower) is not None
    return is_password and (_QUOTED_WORD.search(sentence) is not None or _spoken(lower) >= MIN_SPOKEN_DIGITS)


def _opens_by_digits(sentence: str, lower: str) -> bool:
    """Check whether a sentence names what is opened by digits, and their value."""
    dialled = _PATTERNS["dialled"].search(lower)
    if dialled is None or _PATTERNS["owed"].search(lower, 0, dialled.start()):
        return False
    if any(_PATTERNS[name].search(lower) for name in ("spelled", "encoded")):
        return True
    if any(map(_alternates, _PART.findall(sentence))):
        return True
    return _has_digits(lower[max(0, dialled.start() - MAX_DISTANCE) :])


def _is_name(lower: str) -> bool:
    """Check whether a sentence tells what an account or network is called, but no password."""
    return _PATTERNS["naming"].search(lower) is not None and not _PATTERNS["password"].search(lower)


def _tokens(text: str) -> list[str]:
    return [token.strip(_EDGES) for token in _TOKEN.findall(text)]


def _is_mixed(token: str) -> bool:
    """Check whether a token mixes letters with digits or marks, and is neither a date nor the like."""
    if len(token) < MIN_MIXED_CHARS or "/" in token or _PATTERNS["ordinary"].fullmatch(token.lower()):
        return False
    has_letter, has_digit = any(map(str.isalpha, token)), any(map(str.isdigit, token))
    has_mark = any(char in "_#$!@%^&*" for char in token[1:])
    return has_letter and (has_digit or (has_mark and "@" not in token))


def _is_strong(token: str) -> bool:
    """Check whether no word, name or address looks like a token."""
    if len(token) < STRONG_CHARS or "/" in token or _PATTERNS["ordinary"].fullmatch(token.lower()):
        return False
    kinds = [any(map(test, token)) for test in (str.islower, str.isupper, str.isdigit)]
    has_mark = any(char in "#$!%^&*" for char in token[1:])
    return all(kinds) and has_mark


def _is_key_like(part: str) -> bool:
    """Check whether letters in both cases and digits alternate as in no word, name or measure ("9fA2xQ77LmZ0bV")."""
    counts = [sum(map(test, part[1:])) for test in (str.isdigit, str.isupper, str.islower)]  # names are capitalised
    kinds = [(char.isdigit(), char.isupper()) for char in part]
    return min(counts) >= MIN_OF_KIND and _switches(kinds) >= MIN_KIND_SWITCHES


def _alternates(part: str) -> bool:
    """Check whether letters are replaced by digits ("ch4t3l1n")."""
    return _switches(list(map(str.isdigit, part))) >= MIN_DIGIT_SWITCHES


def _switches(kinds: Sequence[object]) -> int:
    return sum(one != other for one, other in pairwise(kinds))


def _is_spaced_secret(characters: str) -> bool:
    """Check whether single characters with separators are digits or contain marks ("5 1 9 4 4 8", "K w @ 7 7 z")."""
    digits = sum(map(str.isdigit, characters))
    return digits >= MIN_SPACED_DIGITS or (digits > 0 and any(char in "@#$%&" for char in characters))


def _spoken(text: str) -> int:
    """The number of words for numbers and for letters."""
    return sum(_PATTERNS["spoken"].fullmatch(word) is not None for word in _WORD.findall(text))


def _has_digits(text: str) -> bool:
    if _spoken(text) >= MIN_SPOKEN_DIGITS or _CJK_DIGITS.search(text) or _TURNS.search(text):
        return True
    numbers = _DIGITS.finditer(text)
    return any(not (_UNIT.match(text, number.end()) or _YEAR.fullmatch(number[0])) for number in numbers)


def _contains_seed_phrase(lower: str) -> bool:
    """Check for a list of words whose name is before or after it."""
    start = _LIST_START.search(lower)
    listed = _WORD_LIST.search(lower, start.end()) if start else None
    if listed is None:
        return False
    return any(_PATTERNS["seed"].search(text) for text in (lower[: listed.start()], lower[listed.end() :]))
