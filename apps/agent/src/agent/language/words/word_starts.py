"""The beginnings of words, of which a pattern that costs more needs one."""

import re

START_CHARS = 3

_WORD = re.compile(r"\w+")
_NAME_START = re.compile(rf"(?:^|(?<=\|))\w{{1,{START_CHARS}}}")


def word_starts(text: str) -> frozenset[str]:
    """The beginnings of all words of a text, casefolded."""
    return frozenset(word[:START_CHARS] for word in _WORD.findall(text.casefold()))


def name_starts(names: str) -> frozenset[str]:
    """The beginnings of names that are separated by `|`, in which a space may be optional."""
    return frozenset(_NAME_START.findall(f"{names}|{names.replace(' ?', '')}"))
