"""Put a new age of a person in the place of the one in an earlier statement ("my son Leo is 9", "Leo turned 10")."""

import re

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_CHARS = 200

_PATTERNS = load_patterns("references/ages.toml")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")


def with_new_age(statement: str, change: str) -> str | None:
    """A statement that ends with the age of a person with what a change says about it; None if it is about another.

    The change names the person by words that the statement has, too, and says nothing else.
    """
    old, new = (_PATTERNS["age"].fullmatch(plain_punctuation(one[:MAX_CHARS]).strip()) for one in (statement, change))
    if not old or not new or _NUMBER.findall(old["predicate"]) == _NUMBER.findall(new["predicate"]):
        return None
    known, named = (set(_WORD.findall(one["before"].casefold())) for one in (old, new))
    return f"{old['before']}{new['predicate']}" if named and named <= known else None
