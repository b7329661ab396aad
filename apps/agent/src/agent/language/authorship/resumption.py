"""Find where users speak again after a text that is not their own: after a mail, a rule, or "in real life"."""

from collections.abc import Iterator

from agent.language.pattern_files import load_patterns

MAX_OWN_CHARS = 600
"""Maximum length of what the user adds after a text; a rule or signature before more does not end the text."""
MAX_END_CHARS = 600
"""Maximum length of closing words with a signature."""
MAX_ENDS = 3

_PATTERNS = load_patterns("authorship/resumption.toml")


def resumptions(text: str) -> list[int]:
    """The offsets at which the user may speak again, if what precedes is not their own.

    Args:
        text: a message with plain punctuation.
    """
    real = _PATTERNS["real"].search(text)
    is_left = real is not None and _PATTERNS["fiction"].search(text, 0, real.start())
    left = [real.start()] if real and is_left and not _PATTERNS["other"].search(text, 0, real.start()) else []
    return sorted({*left, *list(_ends(text))[-MAX_ENDS:]})


def _ends(text: str) -> Iterator[int]:
    """Yield the ends of mails and of ruled texts that a short text follows."""
    first = max(0, len(text) - MAX_OWN_CHARS - MAX_END_CHARS)
    for end in _PATTERNS["signed"].finditer(text, first):
        if _is_followed(text, end.end()):
            yield end.end()
    for end in _PATTERNS["ruled"].finditer(text, first):
        line = text.rfind("\n", 0, end.start())
        is_lead = line < 0 or text[line : end.start()].rstrip().endswith(":")
        if not is_lead and _is_followed(text, end.end()):
            yield end.end()


def _is_followed(text: str, position: int) -> bool:
    """Check whether a short text follows that is no part of a mail."""
    rest = text[position:]
    return 0 < len(rest.strip()) <= MAX_OWN_CHARS and not _PATTERNS["appended"].match(rest)
