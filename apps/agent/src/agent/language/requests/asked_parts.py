"""Find what a statement only asks at its end ("Moved to Derby, any good pubs?")."""

import re

from agent.language.facts.addressed import asks_or_states
from agent.language.facts.personal_requests import has_details, is_personal_request
from agent.language.parsing.function_words import language_of
from agent.language.parsing.sentences import plain_punctuation

MAX_CHARS = 200  # of the end of a text

_BOUNDARY = re.compile(r"(?:[,;:.!?\u2026]{1,4}|\s-{1,2})\s{1,4}[\u00bf\u00a1]?(?=\w)")
_SENTENCE_ENDS = frozenset(".!?\u2026")
_DUTCH_YOU = re.compile(r"\bje\b", re.IGNORECASE)
_COURTESY = re.compile(
    r"\b(?:please|pls|plz|bitte|por favor|porfa|stp|svp"
    r"|s'il (?:te|vous) pla[i\u00ee]t|per favore|alsjeblieft|graag|prosz\u0119)\W{0,8}$",
    re.IGNORECASE,
)


def without_asked(text: str) -> str:
    """A text without a question or task at its end; the text itself if that mentions the user's life, or a value."""
    plain = plain_punctuation(text)
    for boundary in reversed([*_BOUNDARY.finditer(plain, max(0, len(plain) - MAX_CHARS))]):
        stated, asked = plain[: boundary.start()], plain[boundary.end() :]
        if _asks(asked):
            return text if _asks(stated) or _tells(asked, language_of(text)) else text[: boundary.start()]
        if plain[boundary.start()] in _SENTENCE_ENDS:
            return text
    return text


def _asks(text: str) -> bool:
    return asks_or_states(text, (0, len(text))) is True or _COURTESY.search(text) is not None


def _tells(asked: str, language: str | None) -> bool:
    """Check whether a question or task mentions the life of the user, a number or a name."""
    if language == "de":  # where nouns begin like names
        return is_personal_request(asked) or has_details(asked.lower())
    own = _DUTCH_YOU.sub(" ", asked) if language == "nl" else asked  # in French, it means "I"
    return is_personal_request(own) or has_details(own)
