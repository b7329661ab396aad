"""Compile the patterns of the analysis before the messages arrive."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

from agent.language.message_analysis import MessageAnalysis
from agent.language.parsing.sentences import contains_request
from agent.language.pattern_files import compile_remaining
from agent.language.requests.questions import asks_about_user, is_personal
from agent.language.revision.contradictions import contradicts

BATCH = 10
"""Patterns that are compiled between two points at which the process may end."""
_MESSAGE = "Please remember that I moved to Oslo in May 2031, and my password is not here. What do you know about me?"
_REQUEST = "Forget the boiler service."
_FACTS = ("Lives in Oslo", "Lives in Bergen")


@cache
def compile_first_patterns() -> None:
    """Analyse an example, so that the patterns that each message needs are compiled; it takes about a second."""
    for message in (_MESSAGE, _REQUEST):
        MessageAnalysis.of(message, [message])
    contradicts(*_FACTS, stated_at="2031-05-01")
    for question in (contains_request, asks_about_user, is_personal):
        question(_MESSAGE)


def compile_other_patterns() -> Iterator[int]:
    """Compile the other patterns, about a second in total.

    Yields:
        the number of patterns of each batch; a batch takes a few milliseconds.
    """
    patterns = compile_remaining()
    while batch := tuple(islice(patterns, BATCH)):
        yield len(batch)
