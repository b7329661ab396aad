"""Spell words as other texts do: messages from phones often lack accents and capitals ("lucia", "Lucía")."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher

from agent.language.parsing.function_words import FUNCTION_WORDS
from agent.language.pattern_files import read_tables
from agent.language.text_cache import cache_per_user

MIN_NAME_CHARS = 4
MIN_SIMILARITY = 0.7  # of two spellings of a name

_WORD = re.compile(r"[^\W\d_]{3,30}")
_WORD_IN_SPACES = re.compile(r"[^\s*,.:;!()-]\S*[^\s*,.:;!()-]")
_NAME = re.compile(r"(?<=[\w,;'\u2019] )[A-ZÀ-Þ][^\W\d_]{2,29}")


@cache_per_user(maxsize=4096)
def with_accents(text: str) -> str:
    """Add the accents that people leave out, to words that mean nothing else without them ("murio")."""
    return _respelled(text, _ACCENTED, _key)


def spelled_like(text: str, other: str) -> str:
    """Spell the names in a text as another text does."""
    names = _names(other)
    if not names or _words(text).isdisjoint(key for key, _ in names):
        return text
    return _respelled(text, dict(names), _unaccented)


def respells_name(text: str, statement: str) -> bool:
    """Check whether a text has a name of a statement, but for a few letters ("Kathryn", "Katherine")."""
    names = {word for word in _long_words(statement) if word[0].isupper()}
    return any(_are_similar(name, word) for name in names for word in _long_words(text) - names)


def _are_similar(name: str, word: str) -> bool:
    is_other = name[0] == word[0].upper() and not name.casefold().startswith(word.casefold()[: len(name) - 1])
    return is_other and SequenceMatcher(None, name.casefold(), word.casefold()).ratio() > MIN_SIMILARITY


def _long_words(text: str) -> set[str]:
    return {word for word in _WORD_IN_SPACES.findall(text) if len(word) >= MIN_NAME_CHARS}


def _respelled(text: str, spellings: Mapping[str, str], key: Callable[[str], str]) -> str:
    def respell(match: re.Match[str]) -> str:
        word = match[0]
        spelled = spellings.get(key(word), word)
        return spelled if word[0].islower() or spelled[0].isupper() else spelled.capitalize()

    return _WORD.sub(respell, text)


def _unaccented(word: str) -> str:
    """A word without accents, casefolded."""
    if word.isascii():
        return word.casefold()
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _key(word: str) -> str:
    """A word without accents, except at the end of a participle: "déménage" is another form than "déménagé"."""
    return _unaccented(word[:-1]) + "é" if word.endswith("é") else _unaccented(word)


@cache_per_user(maxsize=4096)
def _names(text: str) -> tuple[tuple[str, str], ...]:
    """The names in a text, each after its form without accents; of German, all nouns."""
    names = ((_unaccented(name), name) for name in _NAME.findall(text))
    return tuple((key, name) for key, name in names if key not in FUNCTION_WORDS)


@cache_per_user(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(map(_unaccented, _WORD.findall(text)))


_ACCENTED = {
    _key(word): word for words in read_tables("words/spelling.toml")["accented"].values() for word in words.split()
}
