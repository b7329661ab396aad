"""Find what a statement denies at its end ("I live in York now, not in Leeds")."""

import re
from typing import NamedTuple

from agent.language.pattern_files import load_patterns
from agent.language.requests.significant_words import NO_SPACES
from agent.language.requests.statement_matching import share_of_words

MAX_CHARS = 300

_PATTERNS = load_patterns("requests/denials.toml")
_PREPOSITIONS = re.compile(
    r"\A(?:(?:in|at|on|to|for|with|from|is|as|an?|the|im|am|bei|beim|auf|aus|als|ein\w{0,2}|en|el|los|la|a|de|à|au|chez|le"
    r"|da|il|em|no|na|o|te|bij|op|het|un[ea]?)\s)+",
    re.IGNORECASE,
)


class Denial(NamedTuple):
    """A statement and what it denies."""

    affirmed: str
    """The statement without its end."""
    words: str
    """The end, with the mark before it (", not in Leeds"); empty if nothing is denied."""
    value: str
    """What is denied ("Leeds"); empty if nothing is."""

    def makes_untrue(self, statement: str) -> bool:
        """Check whether a statement has the denied value, and otherwise only words of the affirmed one."""
        edge = "" if NO_SPACES.search(self.value) else r"\b"
        value = rf"{edge}{re.escape(self.value)}{edge}"
        rest, count = re.subn(value, " ", statement, flags=re.IGNORECASE) if self.value else (statement, 0)
        return count == 1 and share_of_words(self.affirmed, rest) == 1


def split_denial(text: str) -> Denial:
    """Split a statement from what it denies at its end."""
    match = _PATTERNS["denial"].search(text) if len(text) <= MAX_CHARS else None
    if not match or not any(map(str.isalnum, text[: match.start()])):
        return Denial(text, "", "")
    value = match["denied"] or match["denied_instead"]
    return Denial(text[: match.start()], text[match.start() :].rstrip(" .!"), _PREPOSITIONS.sub("", value, count=1))
