"""Detect credentials by their format: keys, tokens, passwords, card and account numbers."""

import re

from agent.language.parsing.folding import load_folded_patterns, readings
from agent.language.parsing.sentences import compile_any
from agent.language.safety.secret_values import contains_secret_value
from agent.language.text_cache import cache_per_user

_PATTERNS = load_folded_patterns("safety/credentials.toml")
_NAMED_FORMS = [_PATTERNS[name] for name in ("code", "identity", "seed")]
_NAMES = tuple(_PATTERNS.pop("names").pattern.split("|"))  # one of them is part of each name in the patterns
# Ordinary words and placeholders in the position of a secret.
_NOT_A_SECRET = compile_any(
    r"(?:\w{0,30}(?:ed|ing|able|ible|ful|less|ly|ous|ive|ent|ect|est|ic|en)|wrong|weak|strong|too|very|not"
    r"|the|all|only|also|lost|reset|long|short|secure|safe|invalid|easy|hard|good|bad|fine|same|known|what"
    r"|here|there|mine|gone|stuck|never|always|null|none|true|false|empty|free|just|both|different|unknown"
    r"|[a-z_.]{2,40}\(.{0,3}|old|new|two|how|why|when|where|something|nothing|[x*•.]{3,}.{0,30}|[<${\[(].{0,200}|.{0,80}(?:environ"
    r"|getenv|process\.env|secrets?\.|\.get\(|\(\)|[- ]bit).{0,200})"
)
_KEYCAP = "\u20e3"  # of an emoji for a digit
MIN_KEYCAPS = 3
_QUOTES = "\"'`,;.!?\u00ab\u00bb"
_RANDOM = re.compile(r"\d|[_@#$%^&*+~]|[^\W\d_]![^\W_]|[a-z][A-Z]")
_DIGIT_GROUPS = re.compile(r"(?<![\d.])\d(?:[ \u00a0-]?\d){12,}")
_CARD_NUMBER = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15}(?:\d{3})?"
)
_CARD_GROUPS = {(13,), (14,), (15,), (16,), (19,), (4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)}
_IBAN_SHAPE = re.compile(r"^(?=(?:\D{0,24}\d){10})[A-Za-z0-9]{15,34}$")
_IBAN = compile_any(r"(?<![a-z0-9])[a-z]{2}\d{2}(?:[ \u00a0-]?[a-z0-9]){11,44}")


@cache_per_user(maxsize=128)
def contains_credentials(text: str) -> bool:
    """Check a text for keys, tokens, passwords, codes, and numbers of cards, accounts and identity documents.

    Disguised letters are read as letters; see `readings`.
    """
    return text.count(_KEYCAP) >= MIN_KEYCAPS or any(map(_contains_credentials, readings(text)))


def _contains_credentials(text: str) -> bool:
    if _PATTERNS["key"].search(text) or any(map(_contains_card_number, _DIGIT_GROUPS.findall(text))):
        return True
    if any(map(_contains_iban, _IBAN.findall(text))) or _PATTERNS["number"].search(text) or contains_secret_value(text):
        return True
    lower = text.lower()
    return any(name in lower for name in _NAMES) and _contains_named_secret(lower, text)


def _contains_named_secret(lower: str, text: str) -> bool:
    return bool(
        any(pattern.search(lower) for pattern in _NAMED_FORMS)
        or any(_is_secret(match, text) for match in _PATTERNS["named"].finditer(lower))
        or any(_is_random(match, text) for match in _PATTERNS["named_random"].finditer(lower))
        or any(not _NOT_A_SECRET.fullmatch(match["value"]) for match in _PATTERNS["named_word"].finditer(lower))
    )


def _is_secret(match: re.Match[str], text: str) -> bool:
    """Tell a secret from an ordinary word ("my password is weak") by its characters and its position."""
    value = text[slice(*match.span("value"))].strip(_QUOTES)
    if not value or _NOT_A_SECRET.fullmatch(value):
        return False
    looks_random = not value.isalpha() or not (value.islower() or value.istitle())
    return looks_random or not match["rest"].strip(" \t.,;!?\"'")


def _is_random(match: re.Match[str], text: str) -> bool:
    value = text[slice(*match.span(match.lastgroup or 0))].strip(_QUOTES)
    return _RANDOM.search(value) is not None and not _NOT_A_SECRET.fullmatch(value)


def _contains_card_number(digits: str) -> bool:
    parts = re.split(r"[ \u00a0-]", digits)
    max_groups = max(map(len, _CARD_GROUPS))
    runs = (parts[start : start + n] for start in range(len(parts)) for n in range(1, max_groups + 1))
    return any(tuple(map(len, run)) in _CARD_GROUPS and _is_card_number("".join(run)) for run in runs)


def _is_card_number(number: str) -> bool:
    """Check issuer, length and checksum (the Luhn formula, ISO/IEC 7812-1, annex B)."""
    doubled = "".join(str(int(digit) * (1 + n % 2)) for n, digit in enumerate(reversed(number)))
    return bool(_CARD_NUMBER.fullmatch(number)) and sum(map(int, doubled)) % 10 == 0


def _contains_iban(candidate: str) -> bool:
    parts = re.split(r"[ \u00a0-]", candidate)
    return any(_is_iban("".join(parts[: n + 1])) for n in range(len(parts)))


def _is_iban(number: str) -> bool:
    """Check length and checksum (ISO 13616-1: 1 modulo 97 as a number in which A is 10 and Z is 35)."""
    if not _IBAN_SHAPE.fullmatch(number):
        return False
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1
