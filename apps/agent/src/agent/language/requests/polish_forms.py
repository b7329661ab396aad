"""Base forms of Polish nouns and names, which are inflected ("Marcie", "Martą" and "Marty" are forms of "Marta").

The words are folded: without accents and in lower case.
"""

import re

MIN_CHARS = 3

_POLISH = re.compile(
    r"[ąęłńśźż]|\b(?:jest|jestem|mój|moj[aeąi]\w{0,3}|moi(?:m|ch|mi)|lubi|mieszka|pracuje|uczy|chodzi|nazywa|jedzie|idzie|studiuje)\b"
    r"|\b(?:w|z|na) \w{3,14}(?:ie|ach|em|ami)\b",
    re.IGNORECASE,
)
_NO_NOUNS = frozenset({"mam", "nam", "wam", "sam", "tam", "kim", "nim", "nas", "was", "moj", "dla"})
_IRREGULAR = {
    **dict.fromkeys(("psa", "psu", "psem", "psie"), "pies"),
    **dict.fromkeys(("ojca", "ojcu", "ojcem"), "ojciec"),
    **dict.fromkeys(("meza", "mezu", "mezem", "mezowi"), "maz"),
    "pawle": "paweł",
    "pawła": "paweł",
    "pawłem": "paweł",
}
# Endings of the oblique cases, with those of the nominative: a consonant before them is softened.
_ENDINGS = {
    "cie": ("ta", "t", "cia"),
    "dzie": ("da", "d", "dzia"),
    "rze": ("ra", "r"),
    "le": ("la", "ła", "ł", "l"),
    "ii": ("ia",),
    "nie": ("na", "n", "nia"),
    "wie": ("wa", "w"),
    "mie": ("ma", "m"),
    "pie": ("pa", "p"),
    "bie": ("ba", "b"),
    "fie": ("fa", "f"),
    "sie": ("sa", "s", "sia"),
    "zie": ("za", "z", "zia"),
    "dze": ("ga",),
    "ce": ("ka", "ca"),
    "sze": ("cha", "sza"),
    "ku": ("ek", "k"),
    "kiem": ("ek", "k"),
    "ka": ("ek", "k"),
    "ach": ("y", "i", "a", ""),
    "ami": ("y", "i", "a", ""),
    "owi": ("",),
    "iem": ("",),
    "em": ("",),
    "ki": ("ka",),
    "gi": ("ga",),
    "li": ("la",),
    "ni": ("nia",),
    "si": ("sia",),
    "zi": ("zia",),
    "ci": ("cia",),
    "y": ("a",),
    "e": ("a",),
    "u": ("",),
    "a": ("",),
}


def is_polish(text: str) -> bool:
    """Check whether a text is certainly Polish."""
    return _POLISH.search(text) is not None


def base_forms(word: str) -> set[str]:
    """The nouns that a folded word may be a form of."""
    if word in _IRREGULAR:
        return {_IRREGULAR[word]}
    stems = ((word.removesuffix(ending), bases) for ending, bases in _ENDINGS.items() if word.endswith(ending))
    found = {stem + base for stem, bases in stems for base in bases}
    return {one for one in found - _NO_NOUNS if len(one) >= MIN_CHARS}
