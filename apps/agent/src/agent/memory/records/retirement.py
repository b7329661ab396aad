"""Retirement: memories that were replaced, edited, undone, evicted or summarised become history, never recalled.

A document in `retired` is the original document plus the fields of its retirement:

    {…the original document, "memory": its key, "place": Location,
     "retired_at": ISO-8601, "who": Actor, "why": Reason, "by": the id of its successor | None,
     "change": an id shared by all documents retired in the same change}
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from langgraph.store.base import PutOp

from agent.memory.records import namespaces
from agent.memory.records.documents import derived_id, document_op
from agent.memory.records.namespaces import Namespace
from agent.timestamps import now
from agent.types import UserId

Actor = Literal["user", "formation", "upkeep"]
"""The user, the formation of memories, or the periodic compaction job."""

Reason = Literal["replaced", "edited", "undone", "crowded_out", "folded"]
"""`crowded_out`: evicted because the user had too many facts; `folded`: summarised into the profile."""

Location = Literal["user", "episodic", "procedural", "inbox", "profile"]
"""Original location of a document: a kind of memory, the inbox or, for a sentence, the profile."""

RETIREMENT_FIELDS = ("memory", "place", "retired_at", "who", "why", "by", "change")
"""The fields that retirement adds to a document."""


@dataclass(frozen=True, slots=True)
class Retirement:
    """The reason for retiring documents. Undo restores all documents of the same change together."""

    actor: Actor
    reason: Reason
    successor: str | None = None
    """Id of the memory that replaces the retired one; an edited memory's own id."""
    retired_at: str = field(default_factory=now)
    change_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def history_op(self, user: UserId, location: Location, key: str, value: Mapping[str, Any]) -> PutOp:
        """The operation that writes a document to history. The caller deletes or changes the original."""
        retirement = {
            "memory": key,
            "place": location,
            "retired_at": self.retired_at,
            "who": self.actor,
            "why": self.reason,
            "by": self.successor,
            "change": self.change_id,
        }
        version = derived_id(user, "retired", self.change_id, location, key)
        return document_op(namespaces.retired(user), version, dict(value) | retirement)

    def move_ops(self, user: UserId, namespace: Namespace, key: str, value: Mapping[str, Any]) -> list[PutOp]:
        """The operations that move a memory or an inbox item to history."""
        return [PutOp(namespace, key, None), self.history_op(user, location_of(namespace), key, value)]


def location_of(namespace: Namespace) -> Location:
    """The location of a namespace: its last label."""
    return cast("Location", namespace[-1])


def original_document(value: Mapping[str, Any]) -> dict[str, Any]:
    """A retired document without the fields of its retirement."""
    return {name: part for name, part in value.items() if name not in RETIREMENT_FIELDS}
