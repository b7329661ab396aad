"""SQL is source: named statements in a `.sql` file, each under a line `-- name: what_it_does`."""

import re
from importlib.resources import files
from typing import LiteralString, cast

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


class Statements:
    """The statements of one `.sql` file, by name.

    Raises:
        KeyError: there is no statement of that name.
    """

    def __init__(self, text: str) -> None:
        parts = _NAME.split(text)[1:]
        self._by_name = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))

    def __getitem__(self, name: str) -> LiteralString:
        return cast("LiteralString", self._by_name[name])  # our own file, never a user's words

    @property
    def names(self) -> frozenset[str]:
        """Every name in the file."""
        return frozenset(self._by_name)


def load_statements(package: str, name: str) -> Statements:
    """Read `name` from the folder of `package`."""
    return Statements(files(package).joinpath(name).read_text(encoding="utf-8"))
