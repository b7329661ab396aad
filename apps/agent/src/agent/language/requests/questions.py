"""Recognise messages that concern the user, by their form in several languages."""

import re

from agent.language.parsing.sentences import contains_request, plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.requests.joints import asks_for_rest
from agent.language.requests.memory_requests import memory_requests

MAX_CHARS = 200  # longer messages ask for something specific

_PATTERNS = load_patterns("requests/questions.toml")
_SINGLE_WORD = re.compile(r"\s*(?:[A-Za-z\u00c0-\u024f\u0370-\u052f'-]+|\d{1,2})[\s.]*")  # in scripts with spaces


def is_personal(message: str) -> bool:
    """Check whether a message concerns the user ("What should I cook?") rather than general knowledge."""
    return _PATTERNS["personal"].search(_PATTERNS["recipient"].sub(" ", plain_punctuation(message))) is not None


def asks_about_user(message: str) -> bool:
    """Check whether a message asks for everything that is known about the user ("What do you know about me?")."""
    if len(message) > MAX_CHARS:
        return False
    return _PATTERNS["asks_about_user"].search(plain_punctuation(message)) is not None


def is_other_task(message: str) -> bool:
    """Check whether a message asks for something else than what is known about the user, remembering or forgetting."""
    return contains_request(message) and not asks_about_user(message) and not memory_requests(message)


def is_search_word(message: str) -> bool:
    """Check for a single word or small number ("diet"), which states nothing unless it answers a question."""
    return _SINGLE_WORD.fullmatch(message) is not None


def asks_for_everything(message: str) -> bool:
    """Check whether a message asks for all that is known, or for what is left of it ("Forget my cat. What's left?")."""
    is_about_rest = asks_for_rest(message) and any(request.action == "forget" for request in memory_requests(message))
    return is_about_rest or asks_about_user(message)
