"""Find tasks to write a text for another person ("…, put that in a message to my boss"): they state nothing."""

from collections.abc import Iterator
from itertools import dropwhile

from agent.language.facts.addressed import asks_or_states
from agent.language.facts.personal_requests import has_details
from agent.language.parsing.sentences import Span, sentences, strip_lead_words
from agent.language.pattern_files import load_patterns

MAX_TASK_CHARS = 300  # the rest of a task is not examined

_PATTERNS = load_patterns("facts/text_tasks.toml")


def split_text_tasks(text: str) -> Iterator[Span]:
    """Yield the spans of the sentences; a task to write a text after a statement is a sentence by itself."""
    for start, stop in sentences(text):
        separator = _separator(text, (start, stop))
        if separator and asks_or_states(text, (start, separator[0])) is False:
            yield start, separator[0]
            yield separator[1], stop
        else:
            yield start, stop


def begins_text_task(text: str, sentence: Span) -> bool:
    """Check whether a sentence begins with a task to write a text."""
    return _is_task(text, *strip_lead_words(text, sentence))


def names_value(task: str) -> bool:
    """Check whether a task names a day, a number or a person, which nothing else may state."""
    return _PATTERNS["day"].search(task) is not None or has_details(_PATTERNS["no_name"].sub(" ", task))


def without_text_task(message: str) -> str:
    """A message without tasks to write a text at its end, if it states something before them."""
    said = [span for span in split_text_tasks(message) if message[slice(*span)].strip()]
    stated = list(dropwhile(lambda span: _is_mere_task(message, span), reversed(said)))
    return message[: stated[0][1]].rstrip() if stated and len(stated) < len(said) else message


def _is_mere_task(message: str, sentence: Span) -> bool:
    return begins_text_task(message, sentence) and not names_value(message[slice(*sentence)])


def _separator(text: str, sentence: Span) -> Span | None:
    """What separates a task from the clause before it in a sentence; None if there is no task."""
    ends = (end.span() for end in _PATTERNS["boundary"].finditer(text, *sentence))
    return next((end for end in ends if _is_task(text, end[1], sentence[1])), None)


def _is_task(text: str, start: int, stop: int) -> bool:
    stop = min(stop, start + MAX_TASK_CHARS)
    return bool(_PATTERNS["task"].match(text, start, stop)) and not _PATTERNS["habit"].search(text, start, stop)
