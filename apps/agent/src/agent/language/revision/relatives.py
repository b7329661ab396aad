"""Words for the same relative, which users call by several names ("my mother", "Mum")."""

from collections.abc import Iterable

from agent.language.grounding.checks import stem

# The English words have the same stems already; Romance words whose stem is also that of another relative are left out.
_NAMES = {
    "mother": "mama mutter maman mère madre mamá mamma mãe moeder",
    "father": "papa papá papai vater père papà babbo vader",
    "parents": "eltern genitori ouders",
    "grandmother": "oma großmutter vovó",
    "grandfather": "opa großvater vovô",
}
_RELATIVES = {stem(name): stem(relative) for relative, names in _NAMES.items() for name in names.split()}
RELATIVES = frozenset(_RELATIVES.values())
"""The stems of the English words, of which all forms and synonyms name the same relative."""


def as_relatives(words: Iterable[str]) -> frozenset[str]:
    """Stems, of which those of words for a relative are as that of the English word."""
    return frozenset(_RELATIVES.get(word, word) for word in words)
