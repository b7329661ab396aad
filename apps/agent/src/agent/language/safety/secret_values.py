"""Detect values that only their owner should know, by their form and by what the same sentence says they open.

Unlike the patterns of credentials, this does not depend on the words between a name and its value.
"""

import re

from agent.language.parsing.folding import load_folded_patterns
from agent.language.parsing.sentences import sentences

MIN_SPOKEN_DIGITS = 3
MIN_SEED_WORDS = 8
MIN_MIXED_CHARS = 5
MAX_DISTANCE = 120  # characters between what is opened and the value
STRONG_CHARS = 8  # with letters in both cases, a digit and a mark; no word looks like this

_PATTERNS = load_folded_patterns("safety/secret_values.toml")
_TOKEN = re.compile(r"[^\s\"'`\u00ab\u00bb(){}\[\]<>,;]{4,100}")
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
_WORD_LIST = re.compile(rf"(?:[a-z]{{3,10}}[ ,]{{1,2}}){{{MIN_SEED_WORDS - 1},30}}[a-z]{{3,10}}")
_LIST_START = re.compile(r"[:=]|\bare\b|\bis\b|\bsind\b|\bson\b|\bsont\b")
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED_WORD = re.compile(r"['\"]\w{4,30}['\"]")


def contains_secret_value(text: str) -> bool:
    """Check the sentences of a folded text for secret values."""
    return any(_is_secret(text[slice(*span)]) for span in sentences(text))


def _is_secret(sentence: str) -> bool:
    lower = sentence.lower()
    if _PATTERNS["seed"].search(lower) and _lists_words(lower):
        return True
    if any(_is_strong(token) for token in _tokens(sentence)):
        return True
    opened = None if _is_name(lower) else _PATTERNS["opened"].search(lower)
    if opened and any(map(_is_mixed, _tokens(sentence[opened.end() : opened.end() + MAX_DISTANCE]))):
        return True
    if _QUOTED_WORD.search(sentence) and _PATTERNS["password"].search(lower):
        return True
    dialled = _PATTERNS["dialled"].search(lower)
    if dialled is None or _PATTERNS["owed"].search(lower, 0, dialled.start()):
        return False
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


def _has_digits(text: str) -> bool:
    spoken = [word for word in _WORD.findall(text) if _PATTERNS["spoken"].fullmatch(word)]
    if len(spoken) >= MIN_SPOKEN_DIGITS or _CJK_DIGITS.search(text) or _TURNS.search(text):
        return True
    numbers = _DIGITS.finditer(text)
    return any(not (_UNIT.match(text, number.end()) or _YEAR.fullmatch(number[0])) for number in numbers)


def _lists_words(lower: str) -> bool:
    start = _LIST_START.search(lower)
    return start is not None and _WORD_LIST.search(lower, start.end()) is not None
