"""The notes of a thread: facts from tool results and answers that outlive their messages.

They belong to the thread and never become memories of the user.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from agent.language.grounding.checks import rejection_reason
from agent.memory.rules import Fact
from agent.prompt_text import neutralise

Note = dict[str, Any]
"""A fact as plain values: `entity`, `relation`, `value`, `confidence`, `source_turn`."""

NOTES_HEADER = "Notes from earlier in this conversation, taken from tools and answers, newest first."
MAX_NOTES = 60
NOTES_CHARS = 1_500

_MULTI_VALUED = {"mentions", "decided", "found"}
"""Relations of an entity that can have several values at the same time."""


def merge_notes(notes: Sequence[Note], facts: Iterable[Fact]) -> list[Note]:
    """Add facts to a thread's notes.

    A fact replaces the notes with the same entity and relation (for `_MULTI_VALUED` relations, only those with the
    same value too), and notes whose value equals its `supersedes`. Facts with credentials or instructions are dropped.
    The result has at most `MAX_NOTES` notes, newest first.
    """
    accepted = [fact for fact in facts if not any(map(rejection_reason, (fact.entity, fact.value)))]
    new = [{name: value for name, value in asdict(fact).items() if name != "supersedes"} for fact in accepted]
    new_keys, superseded = {_key(note) for note in new}, {fact.supersedes for fact in accepted}
    kept = [note for note in notes if _key(note) not in new_keys and note["value"] not in superseded]
    return [*reversed(new), *kept][:MAX_NOTES]


def format_notes(notes: Sequence[Note], *, until_turn: int) -> str:
    """Format the notes of all turns up to one as text, one per line, newest first; empty without notes."""
    text = NOTES_HEADER
    for note in notes:
        line = neutralise(f"{note['entity']} {str(note['relation']).replace('_', ' ')}: {note['value']}")
        if note["source_turn"] <= until_turn and len(text) + len(line) + len("\n· ") <= NOTES_CHARS:
            text = f"{text}\n· {line}"
    return text if text != NOTES_HEADER else ""


def _key(note: Note) -> tuple[object, ...]:
    value = note["value"] if note["relation"] in _MULTI_VALUED else None
    return note["entity"], note["relation"], value
