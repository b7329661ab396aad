"""Split a sentence into the clauses that may differ in negation and certainty."""

import re

from agent.language.parsing.sentences import plain_punctuation

_MARKS = r"[.,;:!?\n\u3002\uff0c\uff01\uff1f\uff1b\u3001\u060c]"
_SEGMENT_END = re.compile(
    rf"(?<!{_MARKS}){_MARKS}+(?=\s|[^\x00-\x7f]|$)"
    r"|\s(?:but|though|although|however|whereas|while|aber|sondern|doch|pero|aunque|sino|mais|ma|per\u00f2|mas|maar)\s"
    r"|\s(?:and|und|y|et|e|en)\s(?=(?:i|i'\w+|we|my|our|ich|wir|mein\w*|yo|mi|je|j'\w+|mon|ma|io|eu|ik)\b)"
    "|\u4f46\u662f|\u4f46|\u4e0d\u8fc7|\u800c",
    re.IGNORECASE,
)


def split_segments(text: str) -> list[str]:
    """The clauses of a text, in any language."""
    return [segment for segment in _SEGMENT_END.split(plain_punctuation(text)) if segment.strip()]
