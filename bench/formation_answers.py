"""Whether recalled texts state the right value of a row, and no outdated one."""

from collections.abc import Sequence

from .formation_service import folded
from .formation_sets import Row

ENDED = ("no longer", "anymore", "any more", "used to", "stopped", "nicht mehr", "ya no")
"""Words of a memory that states that the outdated value no longer holds."""


def newer_first(row: Row, texts: Sequence[str]) -> bool:
    """Whether the right value is in the prompt and no outdated one before it; nothing if it was to be forgotten."""
    right, outdated = _positions(row, texts)
    if not row["right"]:
        return not outdated
    return bool(right) and not any(old < right[0] for old in outdated)


def only_newer(row: Row, texts: Sequence[str]) -> bool:
    """Whether the right value is in the prompt and no outdated one."""
    right, outdated = _positions(row, texts)
    return bool(right or not row["right"]) and not outdated


def only_newer_words(row: Row, texts: Sequence[str]) -> bool:
    """Whether the right value is in the prompt and no words of an outdated one, also not beside their correction."""
    return only_newer(row, texts) and not any(
        folded(value) in folded(text) for value in row["outdated"] for text in texts
    )


def _positions(row: Row, texts: Sequence[str]) -> tuple[list[int], list[int]]:
    """The positions of memories that state the right value, and of those that state only the outdated one."""
    plain = [folded(text) for text in texts]
    right = [n for n, text in enumerate(plain) if any(folded(value) in text for value in row["right"])]
    outdated = [n for n, text in enumerate(plain) if any(folded(value) in text for value in row["outdated"])]
    return right, [n for n in outdated if n not in right and not any(word in plain[n] for word in ENDED)]
