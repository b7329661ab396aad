"""Literals of regular expressions, of which every match contains one: `python -m support.required_literals`.

With `--check`, an outdated file is an error, and is not written.
"""

import json
import math
import pkgutil
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import agent
from agent.language.pattern_files import lazy_patterns
from agent.language.prefilter import MIN_PATTERN_CHARS, normalise, pattern_key

FILE = Path(str(files("agent.language"))) / "literals.json"
STARTS_AGENT = {"agent.platform", "agent.platform_embed"}
"""Modules that cannot be imported without consequences."""
MAX_COMBINATIONS = 16
MAX_FREQUENCY = 0.5
"""A pattern whose literals are more frequent than this is not listed; see `_frequency`."""
_BOUNDARY = "\0"
"""Stands for a place between a character of a word and another one, or the beginning or end of the text."""
_BESIDE_SPACE = re.compile(rf"(?<= ){_BOUNDARY}+|{_BOUNDARY}+(?= )")
_BOUNDARIES = re.compile(f"{_BOUNDARY}+")

Literals = frozenset[str]
Node = Any  # a part of a parsed pattern: its type, and a value that depends on it


_normalised = cache(normalise)
"""Of a character."""


@dataclass(frozen=True)
class _Found:
    """What a part of a pattern says of its matches."""

    required: Literals | None = None
    """Literals of which every match contains one, the rarest ones that were found."""
    exact: Literals | None = None
    """All matches, if they are few."""


def required_literals(pattern: str, flags: int) -> list[str] | None:
    """Normalised literals of which every match of a pattern contains one; None if it has none, or only frequent ones.

    A space at an edge of a literal stands for the edge of a word.
    """
    required = _of_sequence(re._parser.parse(pattern, flags)).required
    if required is None or math.fsum(map(_frequency, required)) > MAX_FREQUENCY:
        return None
    return sorted(_without_longer(required))


def _without_longer(literals: Literals) -> Iterator[str]:
    """The literals without those that contain another one."""
    for literal in literals:
        if not any(other in literal for other in literals if other != literal):
            yield literal


@cache
def _frequency(literal: str) -> float:
    """Roughly how likely a text contains a literal: each letter divides it by five, each Chinese character by 100."""
    return math.prod(0.01 if char > "\u3000" else 0.2 for char in literal)


class _Sequence:
    """Reads the parts of a sequence: joins what is exact, and keeps the rarest of what is required."""

    def __init__(self, before: str = "") -> None:
        self._run: set[str] = {before}
        self._is_exact = True
        self._required: Literals | None = None

    def join(self, exact: Collection[str]) -> bool:
        """Append each of some texts to each text of the current run, unless there are too many."""
        if self._has_too_many(exact):
            return False
        self._run = {before + after for before in self._run for after in exact}
        return True

    def branch(self, branches: Sequence[Sequence[Node]], after: Sequence[Node]) -> None:
        """Append alternatives, each read together with the run before it and the parts after it."""
        if self._has_too_many(branches):
            self.interrupt()
        joined = _any_of([_of_sequence([*one, *after], before) for before in self._run for one in branches])
        if joined.exact is None:
            self.interrupt(joined.required)
        else:
            self._run = set(joined.exact)

    def interrupt(self, required: Literals | None = None, *, then: str = "") -> None:
        """End the run, because something else may stand here, of which only some literals are known."""
        self._is_exact = False
        self._keep(_literals(self._run))
        self._keep(required)
        self._run = {then}

    def require(self, required: Literals | None) -> None:
        """Note what a lookaround requires."""
        self._keep(required)

    def found(self) -> _Found:
        self._keep(_literals(self._run))
        return _Found(self._required, frozenset(self._run) if self._is_exact else None)

    def _has_too_many(self, others: Collection[object]) -> bool:
        """Check whether the current run has too many combinations with others; one text has no more than they are."""
        return len(self._run) * len(others) > max(MAX_COMBINATIONS, len(self._run), len(others))

    def _keep(self, literals: Literals | None) -> None:
        if literals and (not self._required or _rank(literals) < _rank(self._required)):
            self._required = literals


def _rank(literals: Literals) -> tuple[float, list[str]]:
    """Orders literals by their frequency, and equally frequent ones by their letters."""
    return math.fsum(map(_frequency, literals)), sorted(literals)


def _literals(run: Iterable[str]) -> Literals | None:
    """Normalised literals; None if one of them is empty or could be anything."""
    literals = frozenset(map(_literal, run))
    return literals if all(one.strip() for one in literals) else None


@cache
def _literal(text: str) -> str:
    return _BOUNDARIES.sub(" ", _BESIDE_SPACE.sub("", text))


def _of_sequence(nodes: Iterable[Node], before: str = "") -> _Found:
    """Read a sequence of parts that follow an exact text."""
    sequence, parts = _Sequence(before), list(nodes)
    while parts:
        kind, value = parts.pop(0)
        if branches := _branches(str(kind), value):
            after = [parts.pop(0)] if parts and str(parts[0][1]) == "AT_BOUNDARY" else []
            sequence.branch(branches, after)
        else:
            _read(sequence, str(kind), value)
    return sequence.found()


def _branches(kind: str, value: Node) -> Sequence[Node]:
    """The alternatives of which a part consists; empty for another part."""
    if kind == "SUBPATTERN" and len(value[3]) == 1:
        [(kind, value)] = value[3]
        kind = str(kind)
    return value[1] if kind == "BRANCH" else ()


def _read(sequence: _Sequence, kind: str, value: Node) -> None:
    """Add a part of a parsed pattern to a sequence."""
    if kind == "LITERAL":
        sequence.join([_normalised(chr(value))])
    elif kind == "AT":
        sequence.join([_BOUNDARY if str(value) == "AT_BOUNDARY" else ""])
    elif kind == "IN":
        _read_set(sequence, value)
    elif kind == "SUBPATTERN":
        _add(sequence, _of_sequence(value[3]))
    elif kind == "ATOMIC_GROUP":
        _add(sequence, _of_sequence(value))
    elif kind.endswith("REPEAT"):
        _read_repeat(sequence, *value)
    elif kind == "ASSERT":
        sequence.require(_of_sequence(value[1]).required)
    elif kind != "ASSERT_NOT":
        sequence.interrupt()


def _add(sequence: _Sequence, part: _Found) -> None:
    if part.exact is None or not sequence.join(part.exact):
        sequence.interrupt(part.required)


def _any_of(branches: Sequence[_Found]) -> _Found:
    exact = [one.exact for one in branches if one.exact is not None]
    required = [one.required for one in branches if one.required is not None]
    return _Found(
        frozenset[str]().union(*required) if len(required) == len(branches) else None,
        frozenset[str]().union(*exact) if len(exact) == len(branches) else None,
    )


def _read_set(sequence: _Sequence, members: Sequence[Node]) -> None:
    characters = _characters(members)
    if characters is None or not sequence.join(set(map(_normalised, characters))):
        if _is_outside_words(members):
            sequence.join([" "])
            sequence.interrupt(then=" ")
        else:
            sequence.interrupt()


def _characters(members: Sequence[Node]) -> set[str] | None:
    """The characters of a set; None if it is not a list of a few."""
    found: set[str] = set()
    for kind, value in members:
        if str(kind) == "LITERAL":
            found.add(chr(value))
        elif str(kind) == "RANGE" and value[1] - value[0] < MAX_COMBINATIONS:
            found.update(map(chr, range(value[0], value[1] + 1)))
        else:
            return None
    return found


def _is_outside_words(members: Sequence[Node]) -> bool:
    """Check whether a set contains only characters that are no part of a word."""
    spaces = {"CATEGORY_SPACE", "CATEGORY_NOT_WORD"}
    return all(
        str(value) in spaces if str(kind) == "CATEGORY" else str(kind) == "LITERAL" and normalise(chr(value)) == " "
        for kind, value in members
    )


def _read_repeat(sequence: _Sequence, least: int, most: int, nodes: Sequence[Node]) -> None:
    part = _of_sequence(nodes)
    if most == 1 and part.exact is not None and sequence.join(part.exact if least else part.exact | {""}):
        return
    if not least:
        sequence.interrupt()
    elif len(nodes) == 1 and str(nodes[0][0]) == "IN" and _is_outside_words(nodes[0][1]):
        sequence.join([" "])
        sequence.interrupt(then=" ")
    else:
        sequence.interrupt(part.required)


def import_patterns() -> None:
    """Import all modules of the package, so that `lazy_patterns` contains all of its patterns."""
    for module in pkgutil.walk_packages(agent.__path__, "agent."):
        if module.name not in STARTS_AGENT:
            import_module(module.name)


def literals_by_pattern() -> dict[str, list[str]]:
    """The literals of the patterns of the package, by their keys; of those for which a filter is worth its time."""
    import_patterns()
    found: dict[str, list[str]] = {}
    for one in lazy_patterns():
        if len(one.pattern) >= MIN_PATTERN_CHARS and (literals := required_literals(one.pattern, one.flags)):
            found[pattern_key(one.pattern, one.flags)] = literals
    return dict(sorted(found.items()))


def file_text() -> str:
    """The text of the file: one line for each pattern."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(ones, ensure_ascii=False)}" for key, ones in literals_by_pattern().items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        FILE.write_text(file_text(), encoding="utf-8")
    elif file_text() != FILE.read_text(encoding="utf-8"):
        sys.exit(f"{FILE.name} does not list the literals of the current patterns: run `make literals`")
