"""Retired: what was replaced, edited, undone, crowded out or folded up. It is history, and never recalled.

A document in `retired` is the one that went, with how it went:

    {…the document as it was, "memory": its key, "place": where it was,
     "retired_at": ISO-8601, "who": Who, "why": Why, "by": the memory that stands in its place | None,
     "change": what went together has the same}
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from langgraph.store.base import PutOp

from agent.memory.records import namespaces
from agent.memory.records.documents import derived_id
from agent.memory.records.namespaces import Namespace
from agent.timestamps import now
from agent.types import UserId

Who = Literal["user", "formation", "upkeep"]
"""The user themselves, a drain of their inbox, or the periodic job."""

Why = Literal["replaced", "edited", "undone", "crowded_out", "folded"]

Place = Literal["user", "episodic", "procedural", "inbox", "profile"]
"""Where a document was: a kind of memory, the inbox, or, for one sentence of it, the profile."""

HOW = ("memory", "place", "retired_at", "who", "why", "by", "change")
"""The fields that tell how a document went."""


@dataclass(frozen=True, slots=True)
class Retirement:
    """How something goes: all that goes in the same change comes back with it."""

    who: Who
    why: Why
    by: str | None = None
    """The memory that stands in its place; an edited one's own id."""
    at: str = field(default_factory=now)
    change: str = field(default_factory=lambda: str(uuid.uuid4()))

    def keeps(self, user: UserId, place: Place, key: str, value: Mapping[str, Any]) -> PutOp:
        """Return what keeps a document as history; the document itself is the caller's to delete or to change."""
        how = {
            "memory": key,
            "place": place,
            "retired_at": self.at,
            "who": self.who,
            "why": self.why,
            "by": self.by,
            "change": self.change,
        }
        kept = derived_id(user, "retired", self.change, place, key)
        return PutOp(namespaces.retired(user), kept, dict(value) | how, index=False)

    def retires(self, user: UserId, place: Place, key: str, value: Mapping[str, Any]) -> list[PutOp]:
        """Return what moves a document of the store to history."""
        return [PutOp(namespace_of(user, place), key, None), self.keeps(user, place, key, value)]


def namespace_of(user: UserId, place: Place) -> Namespace:
    """Return where a document of a place is in the store."""
    if place == "inbox":
        return namespaces.inbox(user)
    if place == "profile":
        return namespaces.profile(user)
    return namespaces.memories(user, place)


def place_of(namespace: Namespace) -> Place:
    """Return the place of a namespace: its last label."""
    return cast("Place", namespace[-1])


def original_document(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a retired document as it was."""
    return {name: part for name, part in value.items() if name not in HOW}
