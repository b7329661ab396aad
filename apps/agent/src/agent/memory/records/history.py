"""History: memories that were replaced, edited, undone, evicted or summarised. They are never recalled.

A document in `retired` is the original document plus the fields of its retirement:

    {…the original document, "memory": its key, "place": Location,
     "retired_at": ISO-8601, "who": Actor, "why": Reason, "by": the id of its successor | None,
     "change": an id shared by all documents retired in the same change}
"""

import uuid
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Literal, Self, cast

from langgraph.store.base import BaseStore, Item, PutOp

from agent.memory.records import lookup, namespaces
from agent.memory.records.documents import derived_id, document_op, from_document
from agent.memory.records.namespaces import Namespace
from agent.timestamps import now
from agent.types import FACT_KINDS, KINDS, Memory, MemoryId, UserId

Actor = Literal["user", "formation", "compaction"]
"""The user, the formation of memories, or the periodic compaction job."""

Reason = Literal["replaced", "edited", "undone", "evicted", "summarised", "forgotten", "wrong"]
"""`evicted`: because the user had too many facts; `summarised`: into the profile; `forgotten`: at the user's request in
a chat, and deleted permanently a day later; `wrong`: as the user has said."""

Location = Literal["user", "episodic", "procedural", "inbox", "profile"]
"""Original location of a document: a kind of memory, the inbox or, for a sentence, the profile."""

_CURRENT_VALUES = {"upkeep": "compaction", "crowded_out": "evicted", "folded": "summarised"}

RETIREMENT_FIELDS = ("memory", "place", "retired_at", "who", "why", "by", "change")
"""The fields that retirement adds to a document."""

SUPERSEDED_REASONS = ("replaced", "edited")
"""Reasons with a successor that is a newer statement; the successor of an undone memory is an older one."""


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


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier version of a memory, and its retirement."""

    id: MemoryId
    """Id of this version; `memory.id` is the id of the memory."""
    memory: Memory
    retired_at: str
    actor: str
    reason: str
    successor: str | None
    """Id of the memory that replaced this version; an edited memory's own id."""


@dataclass(frozen=True, slots=True)
class History:
    """All retired documents of a user, the most recently retired first."""

    items: tuple[Item, ...]
    fact_changes: frozenset[str | None]
    """The changes in which a fact was retired."""

    @classmethod
    async def load(cls, store: BaseStore, user: UserId) -> Self:
        """Load the user's history."""
        items = await lookup.read_all(store, namespaces.retired(user))
        fact_changes = frozenset(item.value.get("change") for item in items if item.value.get("place") in FACT_KINDS)
        latest_first = sorted(items, key=lambda item: str(item.value.get("retired_at", "")), reverse=True)
        return cls(tuple(latest_first), fact_changes)

    def latest_version(self, memory: str) -> Item | None:
        """The latest version of a memory; if there is none, the version whose own id is `memory`."""
        versions = [item for item in self.items if is_version(item.value)]
        of_memory = [item for item in versions if item.value["memory"] == memory]
        return next(iter(of_memory or [item for item in versions if item.key == memory]), None)

    def latest_message(self, message: str) -> Item | None:
        """The latest retired inbox item of a message; None if it was not retired."""
        pending = (item for item in self.items if item.value.get("place") == "inbox")
        return next((item for item in pending if item.value.get("memory") == message), None)

    def predecessor(self, memory: str) -> Item | None:
        """The version that a memory superseded last; for an edited memory, its own earlier version."""
        superseded = (item for item in self.items if item.value.get("why") in SUPERSEDED_REASONS)
        return next((item for item in superseded if self._successor(item) == memory), None)

    def lineage(self, memories: Set[str]) -> list[Item]:
        """The versions of memories and of all memories that they superseded, directly or indirectly."""
        known, size = set(memories), 0
        while len(known) > size:
            size = len(known)
            known |= {item.value["memory"] for item in self.items if self._successor(item) in known}
        return [item for item in self.items if is_version(item.value) and item.value["memory"] in known]

    def _successor(self, item: Item) -> str | None:
        """The id of the memory that supersedes a version; None if it only changed along with a replaced fact."""
        value = item.value
        if not is_version(item.value):
            return None
        is_replaced = value["place"] in FACT_KINDS or value["memory"] == value.get("by")
        is_replaced |= value.get("why") == "replaced" and value.get("change") not in self.fact_changes
        return value.get("by") if is_replaced else None


def to_version(item: Item) -> Version:
    """Convert the retired document of a memory."""
    value = item.value
    return Version(
        id=MemoryId(item.key),
        memory=from_document(value["memory"], original_document(value)),
        retired_at=value.get("retired_at", ""),
        actor=current_value(value.get("who", "user")),
        reason=current_value(value.get("why", "")),
        successor=value.get("by"),
    )


def current_value(value: str) -> str:
    """The value of `who` or `why` for one that an earlier version wrote; any other value as it is.

    The migration of the store converts such values in Postgres. Exports, other stores and documents that a process of
    an earlier version writes later still contain them.
    """
    return _CURRENT_VALUES.get(value, value)


def is_version(value: Mapping[str, Any]) -> bool:
    """Check whether a retired document is that of a memory."""
    return value.get("place") in KINDS and "memory" in value
