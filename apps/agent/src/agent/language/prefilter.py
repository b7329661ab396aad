"""Which patterns may match a text, found by the literals that it contains, in one pass for all patterns.

An analysis searches with hundreds of patterns, of which few match. `literals.json` lists literals for each pattern, of
which every match contains one; a pattern is only searched for in texts with one of them. A pattern that the file does
not list is always searched for. `make literals` writes the file.
"""

import json
import re
from collections import defaultdict
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from ahocorasick import Automaton

from agent.language.text_cache import cache_per_user

_FOLDED = str.maketrans({"\u0131": "i", "\u0130": "i", "\u0345": " "})
"""What `casefold` treats otherwise than `re.IGNORECASE`: Turkish letters that are equal to i, and a combining mark."""
_NO_WORD = re.compile(r"\W")
_BLANKS = {code: " " for code in range(128) if _NO_WORD.match(chr(code))}
"""The ASCII characters that are no part of a word, as blanks."""
MIN_PATTERN_CHARS = 150
"""Searching for a shorter pattern takes about as long as finding out whether it may match."""


def normalise(text: str) -> str:
    """Fold the case of letters, and replace every other character that is no part of a word by a space."""
    if text.isascii():
        return text.lower().translate(_BLANKS)
    return _NO_WORD.sub(" ", text.translate(_FOLDED).casefold())


def pattern_key(pattern: str, flags: int) -> str:
    """The key of a pattern in the file."""
    return blake2b(f"{int(flags)} {pattern}".encode(), digest_size=8).hexdigest()


@cache
def _literals() -> dict[str, list[str]]:
    """The literals of each pattern, by its key: normalised, with a space for the edge of a word."""
    file = files("agent.language").joinpath("literals.json")
    literals: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return literals


@cache
def _bits() -> dict[str, int]:
    """A bit for each pattern in the file, by its key."""
    return {key: 1 << number for number, key in enumerate(_literals())}


def filter_bit(pattern: str, flags: int) -> int | None:
    """The bit that `candidates` sets for texts in which a pattern may match; None if it may match in all."""
    return _bits().get(pattern_key(pattern, flags)) if len(pattern) >= MIN_PATTERN_CHARS else None


@cache
def _automaton() -> Automaton:
    """Finds the literals in a text, with the bits of their patterns."""
    bits: dict[str, int] = defaultdict(int)
    for key, literals in _literals().items():
        for literal in literals:
            bits[literal] |= _bits()[key]
    automaton = Automaton()
    for literal, patterns in bits.items():
        automaton.add_word(literal, patterns)
    automaton.make_automaton()
    return automaton


_latest = [("", 0)]
"""The text that was read last, and its bits: mostly, many patterns in turn are searched for in the same text."""


def candidates(text: str) -> int:
    """The bits of the patterns in the file that may match a text."""
    latest, found = _latest[0]
    if latest is not text:  # an equal text may be another user's
        found = _candidates(text)
        _latest[0] = text, found
    return found


@cache_per_user(maxsize=2048)
def _candidates(text: str) -> int:
    found = 0
    for _, bits in _automaton().iter(f" {normalise(text)} "):
        found |= bits
    return found
