"""Remove one of the things that a document lists, so that the others remain."""

from collections.abc import Mapping
from typing import Any

from agent.language.dates.resolution import strip_dates
from agent.language.facts.standing import standing_topics
from agent.language.grounding.clarification import split_clarification
from agent.language.parsing.lists import without_item
from agent.language.parsing.sentences import sentences
from agent.language.revision.frames import separate_clauses


def without_listed(value: Mapping[str, Any], item: str) -> dict[str, Any] | None:
    """A document without something that one of its sentences lists; None if it lists no such thing."""
    text = _without(value["text"], item)
    if not text:
        return None
    changes: dict[str, Any] = {"text": text}
    if "standing" in value:
        was_inferred = bool(standing_topics(value["text"]))
        changes["standing"] = bool(standing_topics(text)) or (bool(value["standing"]) and not was_inferred)
    if "answer" in value:
        changes["answer"] = ""  # it may repeat anything
    if "sources" in value:
        changes["sources"] = [_without_quoted(source, item) for source in value["sources"]]
    return {**value, **changes}


def _without_quoted(source: Mapping[str, Any], item: str) -> dict[str, Any]:
    quote = source["quote"]
    return {**source, "quote": _without(quote, item) if item in quote else quote}


def _without(text: str, item: str) -> str:
    """A text without something that one of its sentences or clauses lists; empty if none does."""
    asked, said, note = split_clarification(text)
    clauses = (clause for span in sentences(said) for clause in separate_clauses(said[slice(*span)]) if clause)
    for clause in (said, *clauses):
        if rest := without_item(clause, item):
            remaining = said.replace(clause, rest, 1)
            return f"{asked}{remaining}{_note_about(note, remaining)}"
    return ""


def _note_about(note: str, text: str) -> str:
    """A note with dates ("(Monday: 30 November 2026; Friday: …)") without those that a text no longer mentions."""
    entries = [entry.partition(": ") for entry in note.strip(" ()").split("; ")]
    if len(entries) == 1:
        return note if strip_dates(text, relative=True) != text else ""
    kept = [f"{day}: {date}" for day, _, date in entries if day.casefold() in text.casefold()]
    return f" ({'; '.join(kept)})" if kept else ""
