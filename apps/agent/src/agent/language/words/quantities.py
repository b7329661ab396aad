"""Quantities in a text: the days, months, times and numbers that two statements may differ in."""

import re

from agent.language.pattern_files import compile_lazily, load_patterns
from agent.language.text_cache import cache_per_user

_NO_NUMBER = compile_lazily(
    r"(?:\b(?:is|are|was|were|be|'s|now|payment|bill|rent|essay|assignment) )due\b"
    r"|\bdue (?=(?:dates?|on|to|back|by|the|at|for|next|this|today|tomorrow|tonight|[a-z]{3,6}day)\b)"
)  # an English word that is a number in Italian
UNSPACED = r"[\u3400-\u9fff]"
TOKEN = re.compile(
    r"[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,4}|(?:星期|周|礼拜)[一二三四五六日天]|[一二两三四五六七八九十百]{1,4}|"
    rf"{UNSPACED}|\d{{1,3}}(?:[.,]\d{{3}}){{1,3}}\b|\d{{1,9}}[:.,h]\d{{1,2}}(?:[ap]m)?\b|(?:(?!{UNSPACED})[^\W_])+"
)
"""A word, number, address, or character of a script without spaces."""
FRENCH_MON = compile_lazily(
    r"(?<!\bon )(?<!\bby )(?<!next )(?<!last )(?<!this )(?<!every )(?<!from )(?<!until )(?<!and )\bmon "
    r"(?!(?:at|from|till|until|to|and|or|is|the|this|next|morning|afternoon|evening|night)\b)(?=[^\W\d])"
)
"""The French possessive, which is written as the short form of Monday."""
_KINDS = load_patterns("words/quantities.toml")
_QUANTITY = compile_lazily("|".join(pattern.pattern for pattern in _KINDS.values()))


@cache_per_user(maxsize=8192)
def is_quantity(token: str) -> bool:
    """Check for a number, a day, a time, or an identifier with digits."""
    return _QUANTITY.fullmatch(token) is not None


@cache_per_user(maxsize=8192)
def quantity_kind(token: str) -> str | None:
    """The kind of a quantity, also in the plural: "weekday", "month", "time" or "number"; None for other words."""
    forms = [form for form in (token, token.removesuffix("s")) if is_quantity(form)]
    return next((name for name, one in _KINDS.items() if any(map(one.fullmatch, forms))), None)


def quantity_kinds(token: str) -> frozenset[str]:
    """All kinds of a folded token, because "half" may be a time or a number."""
    return frozenset(name for name, pattern in _KINDS.items() if pattern.fullmatch(token))


def quantities_by_kind(text: str) -> dict[str, set[str]]:
    """The quantities in a text, folded, by kind."""
    found: dict[str, set[str]] = {}
    for word in map(str.casefold, TOKEN.findall(_NO_NUMBER.sub(" ", text))):
        token = word if is_quantity(word) else word.removesuffix("s")  # "on Mondays"
        for kind in quantity_kinds(token) if is_quantity(token) else ():
            found.setdefault(kind, set()).add(token)
    return found
