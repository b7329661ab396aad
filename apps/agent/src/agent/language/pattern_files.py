"""Regular expressions in TOML files, whose long alternatives in several languages are data rather than code."""

import re
import tomllib
from importlib.resources import files


def load_patterns(file: str) -> dict[str, re.Pattern[str]]:
    """Compile the lists of alternatives in a file, by name, ignoring case.

    Line breaks are removed. In each alternative, `<name>` stands for an entry of the file's table `parts`.
    """
    data = tomllib.loads(files("agent.language").joinpath(file).read_text(encoding="utf-8"))
    parts = data.pop("parts", {})
    patterns = {}
    for name, alternatives in data.items():
        pattern = "|".join(alternatives)
        for part, text in parts.items():
            pattern = pattern.replace(f"<{part}>", text)
        patterns[name] = re.compile(pattern.replace("\n", ""), re.IGNORECASE)
    return patterns
