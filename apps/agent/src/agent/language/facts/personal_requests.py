"""Find the requests that mention the life of their author ("What can my daughter, who is celiac, eat?")."""

from agent.language.grounding.checks import words
from agent.language.grounding.support import is_about_user
from agent.language.parsing.notification_requests import is_reminder
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MIN_WORDS = 10
"""Shorter ones need a name, a number or the author as a subject: "Why does my cat hiss?" says too little."""

MIN_FAMILY_CHARS = 16
"""Minimum length of a request about relatives in a script without spaces, whose words cannot be counted."""
MAX_FACTUAL_WORDS = 16

_PATTERNS = load_patterns("facts/personal_requests.toml")


def is_personal_request(request: str) -> bool:
    """Check whether a question or task mentions its author beyond "can I" and "tell me", or dictates a message.

    Questions about what the user may have told before ("When did my sister move?") do not count.
    """
    plain = plain_punctuation(request)
    if _PATTERNS["creative"].search(plain):
        return False
    if is_reminder(plain) or any(_PATTERNS[name].search(plain) for name in ("dictated", "named_reason", "located")):
        return True
    return _mentions_author(plain) and not _asks_for_fact(plain)


def is_reasoned_wish(request: str) -> bool:
    """Check for what is not to be suggested because of another person ("Don't suggest nuts, Rita's allergic")."""
    return _PATTERNS["reasoned_wish"].search(plain_punctuation(request)) is not None


def reminded_start(request: str) -> int:
    """Where the fact about the author begins that a request asks to be reminded of; 0 if there is none."""
    found = _PATTERNS["reminded"].match(plain_punctuation(request))
    return found.end() if found and is_about_user(request[found.end() :]) else 0


def is_task(request: str) -> bool:
    """Check whether a request is neither creative nor about what the user may have told before."""
    plain = plain_punctuation(request)
    is_about_fact = is_about_user(plain) and _asks_for_fact(plain)
    return not is_about_fact and not _PATTERNS["creative"].search(plain)


def _mentions_author(request: str) -> bool:
    if _PATTERNS["arabic"].search(request):  # there, "my" is a suffix that many other words end in
        return _PATTERNS["arabic_possession"].search(request) is not None
    if _PATTERNS["family"].search(request):
        return has_details(request) or len(request) >= MIN_FAMILY_CHARS
    if _PATTERNS["told"].search(request):
        return True
    rest = _PATTERNS["generic"].sub(" ", request)
    if not is_about_user(rest):
        return False
    is_long = len(words(request)) >= MIN_WORDS or has_details(request)
    return is_long or any(_PATTERNS[name].search(rest) for name in ("subject", "described", "presupposed"))


def _asks_for_fact(request: str) -> bool:
    """Check whether a question may ask for a fact about the user, rather than for advice."""
    if _PATTERNS["retrospective"].search(request):
        return True
    if not _PATTERNS["factual"].search(request) or len(words(request)) > MAX_FACTUAL_WORDS:
        return False
    return not any(_PATTERNS[name].search(request) for name in ("advice", "circumstance"))


def has_details(text: str) -> bool:
    """Check whether a part of a request contains a number or a name."""
    return _PATTERNS["detail"].search(text) is not None
