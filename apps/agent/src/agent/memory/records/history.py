"""History: earlier versions of memories, read from the user's retired documents."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Self

from langgraph.store.base import BaseStore, Item

from agent.memory.records import lookup, namespaces
from agent.memory.records.documents import from_document, source_messages
from agent.memory.records.retirement import original_document
from agent.types import FACT_KINDS, KINDS, Memory, MemoryId, UserId

SUPERSEDED_REASONS = ("replaced", "edited")
"""Reasons with a successor that is a newer statement; the successor of an undone memory is an older one."""


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier version of a memory, and its retirement."""

    id: MemoryId
    """Of this version; `memory.id` is the id of the memory."""
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

    @classmethod
    async def load(cls, store: BaseStore, user: UserId) -> Self:
        """Load the user's history."""
        items = await lookup.read_all(store, namespaces.retired(user))
        return cls(tuple(sorted(items, key=lambda item: str(item.value.get("retired_at", "")), reverse=True)))

    def latest_version(self, memory: str) -> Item | None:
        """The latest version of a memory; if there is none, the version whose own id is `memory`."""
        versions = [item for item in self.items if _is_version(item)]
        of_memory = [item for item in versions if item.value["memory"] == memory]
        return next(iter(of_memory or [item for item in versions if item.key == memory]), None)

    def predecessor(self, memory: str) -> Item | None:
        """The version that a memory superseded last; for an edited memory, its own earlier version."""
        superseded = (item for item in self.items if item.value.get("why") in SUPERSEDED_REASONS)
        return next((item for item in superseded if _successor(item) == memory), None)

    def lineage(self, memories: Set[str]) -> list[Item]:
        """The versions of memories and of all memories that they superseded, directly or indirectly."""
        known, size = set(memories), 0
        while len(known) > size:
            size = len(known)
            known |= {item.value["memory"] for item in self.items if _successor(item) in known}
        return [item for item in self.items if _is_version(item) and item.value["memory"] in known]

    def same_change(self, version: Item) -> list[Item]:
        """All documents that were retired in the same change, including the version."""
        return [item for item in self.items if item.value.get("change") == version.value["change"]]

    def derived_from(self, messages: Set[str]) -> list[Item]:
        """The retired episodes, inbox items and sentences that come from any of the messages."""
        others = (item for item in self.items if item.value.get("place") not in FACT_KINDS)
        return [item for item in others if messages & source_messages(item.value, item.value.get("memory", ""))]


def to_version(item: Item) -> Version:
    """Convert the retired document of a memory."""
    value = item.value
    return Version(
        id=MemoryId(item.key),
        memory=from_document(value["memory"], original_document(value)),
        retired_at=value.get("retired_at", ""),
        actor=value.get("who", "user"),
        reason=value.get("why", ""),
        successor=value.get("by"),
    )


def _is_version(item: Item) -> bool:
    return item.value.get("place") in KINDS and "memory" in item.value


def _successor(item: Item) -> str | None:
    """The id of the memory that replaced this one; None for a document that was only derived from its messages."""
    value = item.value
    is_replaced = _is_version(item) and (value["place"] in FACT_KINDS or value["memory"] == value.get("by"))
    return value.get("by") if is_replaced else None
