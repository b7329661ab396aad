"""Find the requests that mention the life of their author ("What can my daughter, who is celiac, eat?")."""

from agent.language.grounding.checks import words
from agent.language.grounding.support import is_about_user
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MIN_WORDS = 10
"""Shorter ones need a name, a number or the author as a subject: "Why does my cat hiss?" says too little."""

_PATTERNS = load_patterns("facts/personal_requests.toml")


def is_personal_request(request: str) -> bool:
    """Check whether a question or task mentions its author beyond "can I" and "tell me", or dictates a message."""
    plain = plain_punctuation(request)
    if _PATTERNS["creative"].search(plain):
        return False
    if _PATTERNS["dictated"].search(plain):
        return True
    if _PATTERNS["arabic"].search(plain):  # there, "my" is a suffix that many other words end in
        return _PATTERNS["arabic_possession"].search(plain) is not None
    rest = _PATTERNS["generic"].sub(" ", plain)
    if not is_about_user(rest):
        return False
    return len(words(plain)) >= MIN_WORDS or has_details(plain) or _PATTERNS["subject"].search(rest) is not None


def has_details(text: str) -> bool:
    """Check whether a part of a request contains a number or a name."""
    return _PATTERNS["detail"].search(text) is not None
