"""Regular expressions in TOML files, whose long alternatives in several languages are data rather than code."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any, cast

from agent.language.prefilter import candidates, filter_bit

Replacement = str | Callable[[re.Match[str]], str]


class LazyPattern:
    """A regular expression that is compiled on first use, because all of them together take three seconds."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self.pattern, self.flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute of a pattern
        value = getattr(self.compiled, name)
        setattr(self, name, value)  # later uses take no longer than those of a compiled pattern
        return value


class _FilteredPattern(LazyPattern):
    """A pattern that is searched for only in texts that contain one of its literals; see `prefilter`."""

    def __init__(self, pattern: str, flags: int, bit: int) -> None:
        super().__init__(pattern, flags)
        self._bit = bit

    def search(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self.compiled.search(text, *bounds) if candidates(text) & self._bit else None

    def match(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self.compiled.match(text, *bounds) if candidates(text) & self._bit else None

    def fullmatch(self, text: str, *bounds: int) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, *bounds) if candidates(text) & self._bit else None

    def finditer(self, text: str, *bounds: int) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, *bounds) if candidates(text) & self._bit else iter(())

    def findall(self, text: str, *bounds: int) -> list[Any]:
        return self.compiled.findall(text, *bounds) if candidates(text) & self._bit else []

    def sub(self, replacement: Replacement, text: str, count: int = 0) -> str:
        return self.compiled.sub(replacement, text, count) if candidates(text) & self._bit else text

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        return self.compiled.split(text, maxsplit) if candidates(text) & self._bit else [text]


_lazy_patterns: dict[tuple[str, int], LazyPattern] = {}


def compile_lazily(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Create a pattern that is compiled on first use; it is invalid only then."""
    known = _lazy_patterns.get((pattern, flags))
    if known is None:
        bit = filter_bit(pattern, flags)
        known = LazyPattern(pattern, flags) if bit is None else _FilteredPattern(pattern, flags, bit)
        _lazy_patterns[pattern, flags] = known
    return cast("re.Pattern[str]", known)


def lazy_patterns() -> tuple[LazyPattern, ...]:
    """The distinct patterns of the modules that were imported."""
    return tuple(_lazy_patterns.values())


def compile_remaining() -> Iterator[re.Pattern[str]]:
    """Compile the patterns that were not used yet one by one, and yield each; most take about a millisecond."""
    for lazy in lazy_patterns():
        if "compiled" not in vars(lazy):
            yield lazy.compiled


def load_patterns(name: str) -> dict[str, re.Pattern[str]]:
    """Read the lists of alternatives in a file or folder as patterns, by name, ignoring case; see `read`."""
    return {name: compile_lazily("|".join(alternatives)) for name, alternatives in read(name).items()}


def load_pattern_lists(name: str) -> dict[str, tuple[re.Pattern[str], ...]]:
    """Read each alternative in a file or folder as a pattern, because groups of several have the same names."""
    return {name: tuple(map(compile_lazily, ones)) for name, ones in read(name).items()}


def read(name: str) -> dict[str, list[str]]:
    """Read the lists of alternatives in a file, or in all files of a folder, by name.

    Line breaks are removed. In each alternative, `<name>` stands for an entry of the table `parts` of its file, or of
    the folder's file `parts.toml`.
    """
    path = files("agent.language").joinpath(name)
    if path.is_file():
        return _lists(tomllib.loads(path.read_text(encoding="utf-8")), {})
    tables = {one.name: tomllib.loads(one.read_text(encoding="utf-8")) for one in path.iterdir()}
    common = tables.pop("parts.toml")["parts"]
    lists = [_lists(table, common) for _, table in sorted(tables.items())]
    return {name: alternatives for table in lists for name, alternatives in table.items()}


def _lists(table: Mapping[str, Any], common: Mapping[str, str]) -> dict[str, list[str]]:
    parts = {**table.get("parts", {}), **common}
    return {name: [_expand(one, parts) for one in ones] for name, ones in table.items() if name != "parts"}


def read_tables(file: str) -> dict[str, dict[str, str]]:
    """Read the tables of a file, by name. Line breaks are removed."""
    data = tomllib.loads(files("agent.language").joinpath(file).read_text(encoding="utf-8"))
    return {table: {name: text.replace("\n", "") for name, text in entries.items()} for table, entries in data.items()}


def _expand(alternative: str, parts: Mapping[str, str]) -> str:
    for part, text in parts.items():
        alternative = alternative.replace(f"<{part}>", text)
    return alternative.replace("\n", "")
