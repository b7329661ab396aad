"""Collect the regular expressions of a package."""

import pkgutil
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import cast

from agent.language.pattern_files import LazyPattern

MAX_DEPTH = 5


def collect_patterns(package: ModuleType, *, without: frozenset[str] = frozenset()) -> dict[str, re.Pattern[str]]:
    """The distinct patterns that the modules of a package hold in variables, collections and objects, by name."""
    found: dict[tuple[str, int], str] = {}
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if info.name in without:
            continue
        for name, value in vars(import_module(info.name)).items():
            if not name.startswith("__"):
                for path, pattern in _patterns(value, f"{info.name}.{name}", MAX_DEPTH):
                    found.setdefault((pattern.pattern, pattern.flags), path)
    return {path: re.compile(*pattern) for pattern, path in found.items()}


def repeats_without_bound(pattern: re.Pattern[str]) -> bool:
    """Check whether a pattern contains `*`, `+` or `{n,}`, as a quantifier."""
    return _is_unbounded(re._parser.parse(pattern.pattern, pattern.flags))


def _is_unbounded(node: object) -> bool:
    if isinstance(node, tuple) and node and "REPEAT" in str(node[0]) and node[1][1] == re._constants.MAXREPEAT:
        return True
    parts = node if isinstance(node, tuple | list | re._parser.SubPattern) else ()
    return any(map(_is_unbounded, parts))


def distinct_characters(pattern: re.Pattern[str], alphabet: str) -> str:
    """One character for each group that a pattern treats alike: all of its parts match all of the group, or none."""
    found = {_signature(pattern, char): char for char in reversed(alphabet)}
    return "".join(sorted(found.values(), key=alphabet.index))


def _signature(pattern: re.Pattern[str], char: str) -> tuple[bool, ...]:
    forms = {char, char.lower(), char.upper()} if pattern.flags & re.IGNORECASE else {char}
    by_boundary = (char.isalnum() or char == "_", char.isspace(), char == "\n")
    sets = _sets(re._parser.parse(pattern.pattern, pattern.flags))
    return (*by_boundary, *(any(_is_member(form, members) for form in forms) for members in sets))


def _sets(node: object) -> Iterator[list[tuple[object, object]]]:
    """The sets of characters that the parts of a parsed pattern match, each as the members of a set."""
    if isinstance(node, tuple) and len(node) == 2 and str(node[0]) in {"LITERAL", "NOT_LITERAL", "RANGE", "CATEGORY"}:
        yield [node]
    elif isinstance(node, tuple) and len(node) == 2 and str(node[0]) == "IN":
        yield node[1]
    else:
        parts = node if isinstance(node, tuple | list | re._parser.SubPattern) else ()
        for part in parts:
            yield from _sets(part)


def _is_member(char: str, members: list[tuple[object, object]]) -> bool:
    return any(_matches(char, str(name), value) for name, value in members)


def _matches(char: str, name: str, value: object) -> bool:
    if name in {"LITERAL", "NOT_LITERAL"}:
        return ord(char) == value
    if name == "RANGE":
        first, last = cast("tuple[int, int]", value)
        return first <= ord(char) <= last
    of_category = {"DIGIT": char.isdecimal(), "SPACE": char.isspace(), "WORD": char.isalnum() or char == "_"}
    return name == "CATEGORY" and of_category[str(value).rpartition("_")[2]]


def _patterns(value: object, path: str, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:
    if _is_pattern(value):
        yield path, cast("re.Pattern[str]", value)
        return
    if depth:
        for name, part in _parts(value):
            yield from _patterns(part, f"{path}.{name}", depth - 1)


def _is_pattern(value: object) -> bool:
    return isinstance(value, LazyPattern) or (isinstance(value, re.Pattern) and isinstance(value.pattern, str))


def _parts(value: object) -> Iterator[tuple[object, object]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list | tuple | set | frozenset):
        yield from enumerate(value)
    elif type(value).__module__.startswith("agent.") and not isinstance(value, type):
        names = [*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", {})]
        yield from ((name, getattr(value, name, None)) for name in names)
