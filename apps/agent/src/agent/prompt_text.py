"""Text of others in prompts: one line of plain data."""

import re

MAX_LINE_CHARS = 4_000
"""Maximum length of a line. A message is embedded up to the same length, and memories are shorter."""

# Characters that could end a bullet, open a block or imitate a message delimiter.
_DELIMITERS = re.compile(r"[`<>\[\]{}|]+|-{3,}|={3,}|#{2,}")
_SPACE = re.compile(r"\s+")


def neutralise(text: str) -> str:
    """Replace line breaks, control characters and delimiters, so that the text is one line of plain data.

    Of a longer text, it is the first `MAX_LINE_CHARS`.
    """
    if len(text) > MAX_LINE_CHARS:
        text = f"{text[:MAX_LINE_CHARS]}…"
    printable = text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)
    return _SPACE.sub(" ", _DELIMITERS.sub(" ", printable)).strip()
