"""Remove a statement, a thing in a list or a companion from a document, so that the rest remains."""

from collections.abc import Mapping
from typing import Any

from agent.language.dates.resolution import strip_dates
from agent.language.facts.standing import standing_topics
from agent.language.grounding.clarification import split_clarification
from agent.language.parsing.lists import without_item
from agent.language.removal.companions import find_companion
from agent.memory.editing.separation import separate_statements, without_added_clause, without_statement


def without_part(value: Mapping[str, Any], item: str) -> dict[str, Any] | None:
    """A document without a statement or something that a sentence lists; None if that is all, or not part of it."""
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
        sources = [_without_quoted(source, item) for source in value["sources"]]
        changes["sources"] = [source for source in sources if source["quote"]] or sources
    return {**value, **changes}


def _without_quoted(source: Mapping[str, Any], item: str) -> dict[str, Any]:
    quote = source["quote"]
    return {**source, "quote": _without(quote, item) if item in quote else quote}


def _without(text: str, item: str) -> str:
    """A text without one of its statements, or without something that one lists; empty if nothing else remains."""
    asked, said, note = split_clarification(text)
    remaining = without_statement(said, item)
    for statement in (said, *separate_statements(said)):
        if not remaining and (rest := without_item(statement, item) or _without_companion(statement, item)):
            remaining = said.replace(statement, rest, 1)
    remaining = remaining or without_added_clause(said, item)
    return f"{asked}{remaining}{_note_about(note, remaining)}" if remaining else ""


def _without_companion(statement: str, person: str) -> str:
    companion = find_companion(statement, person)
    return companion.rest if companion and companion.text == person else ""


def _note_about(note: str, text: str) -> str:
    """A note with dates ("(Monday: 30 November 2026; Friday: …)") without those that a text no longer mentions."""
    entries = [entry.partition(": ") for entry in note.strip(" ()").split("; ")]
    if len(entries) == 1:
        return note if strip_dates(text, relative=True) != text else ""
    kept = [f"{day}: {date}" for day, _, date in entries if day.casefold() in text.casefold()]
    return f" ({'; '.join(kept)})" if kept else ""
