"""What the store holds of a user, as far as forming memories depends on it, as it was when it was read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from langgraph.store.base import BaseStore, GetOp, Item, SearchOp

from agent.language.grounding import normalise
from agent.memory.formation.consolidate import RetiredFacts
from agent.memory.records import batches, namespaces, profile
from agent.memory.records.documents import from_document, last_stated
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import Profile
from agent.memory.records.retirement import Why
from agent.timestamps import parse_timestamp
from agent.types import FACTS, Memory, MemoryId, UserId

READ_AT_ONCE = 10_000
RETIRED_AT_ONCE = 1_000  # the latest; what waits in the inbox is not older than those
SETTLING: tuple[Why, ...] = ("replaced", "edited", "undone")
"""Why a memory went so that what was said before does not bring it back."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A user's waiting messages, facts and profile, and what of their facts is history."""

    inbox: Mapping[str, Item]
    facts: Mapping[MemoryId, Item]
    told: Item | None
    """The profile's document."""
    retired: Sequence[Item]

    @classmethod
    async def of(cls, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> Self:
        """Read it, of the inbox only these items."""
        gets = [GetOp(namespaces.inbox(user), item.message, refresh_ttl=False) for item in items]
        gets.append(GetOp(namespaces.profile(user), profile.KEY, refresh_ttl=False))
        searches = [
            *(SearchOp(namespaces.memories(user, kind), limit=READ_AT_ONCE, refresh_ttl=False) for kind in FACTS),
            *(
                SearchOp(namespaces.retired(user), filter={"why": why}, limit=RETIRED_AT_ONCE, refresh_ttl=False)
                for why in SETTLING
            ),
        ]
        *waiting, told = await batches.get(store, gets)
        found = await batches.search(store, searches)
        return cls(
            inbox={item.key: item for item in waiting if item is not None},
            facts={MemoryId(item.key): item for items in found[: len(FACTS)] for item in items},
            told=told,
            retired=[item for items in found[len(FACTS) :] for item in items],
        )

    @property
    def memories(self) -> dict[MemoryId, Memory]:
        """The facts, read."""
        return {key: from_document(key, item.value) for key, item in self.facts.items()}

    @property
    def profile(self) -> Profile:
        """The profile, read."""
        return Profile.from_value(None if self.told is None else self.told.value)

    def still(self, items: Sequence[InboxItem]) -> list[InboxItem]:
        """Return those of the items that still wait in the same words."""
        return [
            item
            for item in items
            if (now := self.inbox.get(item.message)) is not None and now.value["text"] == item.text
        ]

    def past(self, before: "Snapshot") -> RetiredFacts:
        """Return what is no longer known, also since a snapshot was taken before."""
        words = {normalise(item.value["text"]) for item in self.facts.values()}
        gone = {key: item for key, item in before.facts.items() if key not in self.facts}
        forgotten = {normalise(item.value["text"]) for item in gone.values()} - words
        settled: dict[str, datetime] = {}
        for item in self.retired:
            text, until = normalise(item.value["text"]), self._outdated_until(item)
            settled[text] = max(until, settled.get(text, until))
        return RetiredFacts(settled, {*gone, *forgotten})

    def _outdated_until(self, retired: Item) -> datetime:
        """Return until when what was said of a retired fact does not bring it back.

        A message is later than a replacement when it was said later, however late that was distilled.
        """
        how = retired.value
        standing = self._document(how.get("by")) if how.get("who") == "formation" else None
        if standing is None:
            return parse_timestamp(how.get("retired_at", ""))
        return last_stated(from_document(how["by"], standing))

    def _document(self, memory: str | None) -> Mapping[str, Any] | None:
        known = [item.value for key, item in self.facts.items() if key == memory]
        return next(iter(known or [item.value for item in self.retired if item.value.get("memory") == memory]), None)
