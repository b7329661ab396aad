"""Compile the patterns that the first message needs."""

from functools import cache

from agent.language.message_analysis import MessageAnalysis
from agent.language.parsing.sentences import contains_request
from agent.language.requests.questions import asks_about_user, is_personal
from agent.language.revision.contradictions import contradicts

_MESSAGE = "Please remember that I moved to Oslo in May 2031, and my password is not here. What do you know about me?"
_REQUEST = "Forget the boiler service."
_FACTS = ("Lives in Oslo", "Lives in Bergen")


@cache
def compile_patterns() -> None:
    """Analyse an example, so that the patterns of the analysis are compiled; it takes about a second."""
    for message in (_MESSAGE, _REQUEST):
        MessageAnalysis.of(message, 1)
    contradicts(*_FACTS, stated_at="2031-05-01")
    for question in (contains_request, asks_about_user, is_personal):
        question(_MESSAGE)
