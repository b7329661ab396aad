"""Words for the same relative or event, which users call by several names ("my mother", "Mum")."""

from collections.abc import Iterable

from agent.language.grounding.checks import Word, stem

# The English words have the same stems already; Romance words whose stem is also that of another relative are left out.
_NAMES = {
    "mother": "mama mutter maman mère madre mamá mamma mãe moeder",
    "father": "papa papá papai vater père papà vader",
    "parents": "eltern genitori ouders",
    "grandmother": "oma großmutter vovó",
    "grandfather": "opa großvater vovô",
}
_RELATIVES = {name: stem(relative) for relative, names in _NAMES.items() for name in names.split()}
_STEMS = {stem(name): relative for name, relative in _RELATIVES.items()}
_EVENTS = {
    "wedding": "marry marrying married",
    "flight": "fly flying flies flights flew",
    "operation": (
        "op surgery operatie opereren geopereerd opereert operiert operieren operación operar operan opera operado"
        " operada operazione operare operano operato operata operação opération opérer opère opèrent opéré opérée"
    ),
}
EVENTS = {name: event for event, names in _EVENTS.items() for name in (event, *names.split())}
"""The word by which an event is known, by words that may mean it."""
_EVENT_STEMS = {name: stem(event) for name, event in EVENTS.items() if name != "married"}  # mostly a state
RELATIVES = frozenset(_RELATIVES.values())
"""The stems of the English words, of which all forms and synonyms name the same relative."""


def shared_stem(word: Word) -> str:
    """The stem of a word, for a relative that of the English word, and for an event that of its name."""
    return _RELATIVES.get(word.text) or _EVENT_STEMS.get(word.text, word.stem)


def as_relatives(persons: Iterable[str]) -> frozenset[str]:
    """Stems of words for persons, of which those for relatives are as those of the English words."""
    return frozenset(_STEMS.get(person, person) for person in persons)
