"""Regular expressions in TOML files, whose long alternatives in several languages are data rather than code."""

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files


def load_patterns(file: str) -> dict[str, re.Pattern[str]]:
    """Compile the lists of alternatives in a file, by name, ignoring case."""
    return {name: re.compile("|".join(alternatives), re.IGNORECASE) for name, alternatives in read(file).items()}


def load_pattern_lists(file: str) -> dict[str, tuple[re.Pattern[str], ...]]:
    """Compile each alternative in a file on its own, because groups of several alternatives have the same names."""
    return {name: tuple(re.compile(one, re.IGNORECASE) for one in ones) for name, ones in read(file).items()}


def read(file: str) -> dict[str, list[str]]:
    """Read the lists of alternatives in a file, by name.

    Line breaks are removed. In each alternative, `<name>` stands for an entry of the file's table `parts`.
    """
    data = tomllib.loads(files("agent.language").joinpath(file).read_text(encoding="utf-8"))
    parts = data.pop("parts", {})
    return {name: [_expand(one, parts) for one in alternatives] for name, alternatives in data.items()}


def _expand(alternative: str, parts: Mapping[str, str]) -> str:
    for part, text in parts.items():
        alternative = alternative.replace(f"<{part}>", text)
    return alternative.replace("\n", "")
