"""Notes: what tools and answers brought to light in a thread, kept when the messages themselves have fallen out.

They are the thread's own, and never become memories of the user.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from agent.language.facts import Fact
from agent.language.grounding import rejection_reason
from agent.memory.recall.tip import neutralise

Note = dict[str, Any]
"""A fact as plain values: `entity`, `relation`, `value`, `confidence`, `source_turn`."""

NOTES_HEADER = "Notes from earlier in this conversation, taken from tools and answers, newest first."
MAX_NOTES = 60
NOTES_CHARS = 1_500

_MULTI_VALUED = {"mentions", "decided", "found"}
"""Relations that hold for many values at a time: who mentions a second file still mentions the first."""


def merge_notes(notes: Sequence[Note], facts: Iterable[Fact]) -> list[Note]:
    """Return the notes with new facts, newest first; what a later fact supersedes is gone.

    A fact supersedes earlier ones with the same entity and relation, and the one whose value it names. Of a relation
    that holds for many values only the same value is superseded. What may not be remembered is not noted either.
    """
    told = [fact for fact in facts if rejection_reason(fact.value) is None]
    fresh = [{name: value for name, value in asdict(fact).items() if name != "supersedes"} for fact in told]
    keys, untrue = {_key(note) for note in fresh}, {fact.supersedes for fact in told}
    kept = [note for note in notes if _key(note) not in keys and note["value"] not in untrue]
    return [*reversed(fresh), *kept][:MAX_NOTES]


def format_notes(notes: Sequence[Note], *, until_turn: int) -> str:
    """Write the notes of all turns up to one as a compact text of whole lines, newest first; empty without any."""
    text = NOTES_HEADER
    for note in notes:
        line = neutralise(f"{note['entity']} {str(note['relation']).replace('_', ' ')}: {note['value']}")
        if note["source_turn"] <= until_turn and len(text) + len(line) + len("\n· ") <= NOTES_CHARS:
            text = f"{text}\n· {line}"
    return text if text != NOTES_HEADER else ""


def _key(note: Note) -> tuple[object, ...]:
    value = note["value"] if note["relation"] in _MULTI_VALUED else None
    return note["entity"], note["relation"], value
