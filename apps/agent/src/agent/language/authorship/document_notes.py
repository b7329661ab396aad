"""Recognise what users state for a document of theirs ("one more for the CV: I passed my test").

The words before the colon name a text, but what follows is true. It is no text to work on, nor one by another author.
"""

from agent.language.parsing.sentences import Span
from agent.language.pattern_files import load_patterns

MAX_LABEL_CHARS = 120
MAX_NOTE_CHARS = 250
"""A longer one is a pasted text."""

_PATTERNS = load_patterns("authorship/document_notes.toml")
_ANNOUNCEMENTS = load_patterns("authorship/announcements.toml")
_OF_TEXTS = ("text", "operation", "wording", "grammar", "deictic", "speech", "verdict", "composed", "program")


def is_document_note(text: str, sentence: Span) -> bool:
    """Check whether a sentence begins with a label of what the user states for a document, and a brief note follows."""
    start, stop = sentence
    label = _PATTERNS["label"].match(text, start, min(len(text), start + MAX_LABEL_CHARS))
    if not label or _names_other_text(label["lead"] or ""):
        return False
    line = text.find("\n", label.end())
    note = text[label.end() : line if line >= 0 else len(text)]
    is_brief = len(note) <= MAX_NOTE_CHARS and label.end() < stop
    return is_brief and not _PATTERNS["task"].match(note) and ": " not in note


def _names_other_text(lead: str) -> bool:
    """Check whether the words before the document announce another text, or work on one."""
    if _PATTERNS["other_text"].search(lead):
        return True
    return any(_ANNOUNCEMENTS[name].search(lead) for name in _OF_TEXTS)
