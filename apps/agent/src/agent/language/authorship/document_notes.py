"""Recognise what users state for a document of theirs ("one more for the CV: I passed my test").

The words before the colon name a text, but what follows is true. It is no text to work on, nor one by another author.
"""

from agent.language.parsing.notification_requests import is_reminder
from agent.language.parsing.sentences import Span
from agent.language.pattern_files import load_patterns

MAX_LABEL_CHARS = 120
MAX_NOTE_CHARS = 250
"""A longer one is a pasted text."""

_PATTERNS = load_patterns("authorship/document_notes.toml")
_OF_TEXTS = {"text", "operation", "wording", "grammar", "deictic", "speech", "verdict", "composed", "program"}
_OTHER_TEXT = (
    _PATTERNS["other_text"],
    load_patterns("authorship/framing.toml")["invention"],
    *(pattern for name, pattern in load_patterns("authorship/announcements.toml").items() if name in _OF_TEXTS),
)


def is_document_note(text: str, sentence: Span) -> bool:
    """Check whether a sentence begins with a label of what the user states for a document, and a brief note follows.

    An address or a number after any other label is a note as well ("My new mail: ada@example.org"), and so is what a
    reminder is for ("Make me a reminder: dentist on 4 March").
    """
    start, stop = sentence
    is_for_user = stop - start <= MAX_NOTE_CHARS and is_reminder(text[start:stop])
    if is_for_user or _PATTERNS["contact"].match(text, start):
        return True
    label = _PATTERNS["label"].match(text, start, min(len(text), start + MAX_LABEL_CHARS))
    if not label or label.end() >= stop or _names_other_text(label["lead"] or ""):
        return False
    line = text.find("\n", label.end())
    note = text[label.end() : line if line >= 0 else len(text)]
    return len(note) <= MAX_NOTE_CHARS and not (_PATTERNS["task"].match(note) or ": " in note)


def _names_other_text(lead: str) -> bool:
    """Check whether the words before the document announce another text, or work on one."""
    return any(pattern.search(lead) for pattern in _OTHER_TEXT)
