"""Split a text into passages: the vector of a long text is near to no question about one of its sentences."""

import re
from math import ceil

from agent.language.parsing.sentences import sentences

MAX_PASSAGES = 8
MIN_BYTES = 12
"""Minimum size of a passage with a meaning of its own, in UTF-8; a Chinese character, a word or half of one, has 3."""

_JOINT = re.compile(r" … | → |; |\n+")
"""Separators between the statements of a memory that were made apart."""


def passages(text: str) -> tuple[str, ...]:
    """The sentences of a text, consecutive ones together if it has more than `MAX_PASSAGES`; none if it is one."""
    spans = ((whole, *span) for whole in _JOINT.split(text) for span in sentences(whole))
    parts = [part for whole, start, stop in spans if len((part := whole[start:stop].strip()).encode()) >= MIN_BYTES]
    if len(parts) <= 1:
        return ()
    size = ceil(len(parts) / MAX_PASSAGES)
    return tuple(" ".join(parts[start : start + size]) for start in range(0, len(parts), size))
