"""History: what a memory was before, as the user's retired documents tell it."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, Self

from langgraph.store.base import BaseStore, Item

from agent.memory.records import lookup, namespaces
from agent.memory.records.documents import from_document
from agent.memory.records.retirement import original_document
from agent.types import FACTS, KINDS, Memory, MemoryId, UserId

GAVE_WAY = ("replaced", "edited")
"""Why something went of which another came in the place; what is undone went for what it had replaced."""


@dataclass(frozen=True, slots=True)
class Version:
    """A memory as it was, and how it ceased to be so."""

    id: MemoryId
    """Of this version; `memory.id` is the memory's own."""
    memory: Memory
    retired_at: str
    who: str
    why: str
    by: str | None
    """The memory that stands in its place; an edited one's own id."""


@dataclass(frozen=True, slots=True)
class History:
    """All that a user has retired, as it was read, the latest first."""

    items: tuple[Item, ...]

    @classmethod
    async def of(cls, store: BaseStore, user: UserId) -> Self:
        """Read it."""
        found = await lookup.read_all(store, namespaces.retired(user))
        return cls(tuple(sorted(found, key=lambda item: str(item.value.get("retired_at", "")), reverse=True)))

    def latest(self, memory: str) -> Item | None:
        """Return the latest version of a memory, or the version that has this id itself."""
        versions = [item for item in self.items if _is_version(item)]
        mine = [item for item in versions if item.value["memory"] == memory]
        return next(iter(mine or [item for item in versions if item.key == memory]), None)

    def before(self, memory: str) -> Item | None:
        """Return what the memory came in the place of last, be it with its own earlier words."""
        gave_way = (item for item in self.items if item.value.get("why") in GAVE_WAY and _by(item) == memory)
        return next(gave_way, None)

    def chain(self, memories: Set[str]) -> list[Item]:
        """Return the versions of memories, of those in whose place they came, of those before them, and so on."""
        known, size = set(memories), 0
        while len(known) > size:
            size = len(known)
            known |= {item.value["memory"] for item in self.items if _by(item) in known}
        return [item for item in self.items if _is_version(item) and item.value["memory"] in known]

    def change_of(self, version: Item) -> list[Item]:
        """Return all that went in the same change, the version among it."""
        return [item for item in self.items if item.value.get("change") == version.value["change"]]

    def derived(self, messages: Set[str]) -> list[Item]:
        """Return the episodes, inbox items and sentences that came from some messages."""
        others = (item for item in self.items if item.value.get("place") not in FACTS)
        return [item for item in others if messages & messages_of(item.value, item.value.get("memory", ""))]


def as_version(item: Item) -> Version:
    """Read a retired document of a memory."""
    how = item.value
    return Version(
        id=MemoryId(item.key),
        memory=from_document(how["memory"], original_document(how)),
        retired_at=how.get("retired_at", ""),
        who=how.get("who", "user"),
        why=how.get("why", ""),
        by=how.get("by"),
    )


def messages_of(value: Mapping[str, Any], key: str) -> set[str]:
    """Return the messages that a memory, an inbox item or a sentence came from."""
    if "sources" in value:
        return {source["message"] for source in value["sources"]}
    return set(value["messages"]) if "messages" in value else {key}


def _is_version(item: Item) -> bool:
    return item.value.get("place") in KINDS and "memory" in item.value


def _by(item: Item) -> str | None:
    """Return the memory that came in an item's place; none came for what only went along with another."""
    how = item.value
    took = _is_version(item) and (how["place"] in FACTS or how["memory"] == how.get("by"))
    return how.get("by") if took else None
