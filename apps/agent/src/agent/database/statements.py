"""Named SQL statements, loaded from `.sql` files and checked at import."""

import re
import sys
from importlib.resources import files

_HEADER = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


class Statements:
    """The statements of one `.sql` file.

    A subclass names the file, which lies in its own package, and declares each statement:

        class SQL(Statements, file="users.sql"):
            find: LiteralString

    In the file, each statement follows a line `-- name: find` and a comment with its purpose.

    Raises:
        TypeError: at class creation, if the declared names are not exactly the names in the file.
    """

    def __init_subclass__(cls, *, file: str) -> None:
        """Load the file into class attributes."""
        package = sys.modules[cls.__module__].__package__ or ""
        parts = _HEADER.split(files(package).joinpath(file).read_text(encoding="utf-8"))[1:]
        statements = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
        if difference := statements.keys() ^ cls.__annotations__.keys():
            raise TypeError(f"{file} and {cls.__module__}.{cls.__name__} differ in {', '.join(sorted(difference))}")
        for name, text in statements.items():
            setattr(cls, name, text)
