"""Snapshots of the parts of a user's memory that formation depends on."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from langgraph.store.base import BaseStore, GetOp, Item, SearchOp

from agent.language.grounding.checks import normalise
from agent.memory.formation.consolidate import RetiredFacts
from agent.memory.records import batches, namespaces, profile
from agent.memory.records.documents import from_document, last_stated
from agent.memory.records.history import Reason
from agent.memory.records.inbox import InboxItem
from agent.memory.records.lookup import MAX_READ_ITEMS
from agent.memory.records.profile import Profile
from agent.timestamps import parse_timestamp
from agent.types import FACT_KINDS, Memory, MemoryId, UserId

MAX_EPISODES_READ = 1_000
MAX_RETIRED_READ = 1_000  # per reason, the latest first; items in the inbox are not older than those
OUTDATING_REASONS: tuple[Reason, ...] = ("replaced", "edited", "undone", "forgotten", "wrong")
"""A fact retired for one of these reasons is not restored by an earlier message."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A user's pending messages, facts, profile and retired facts at one time."""

    inbox: Mapping[str, Item]
    facts: Mapping[MemoryId, Item]
    profile_item: Item | None
    retired: Sequence[Item]
    episodes: Sequence[Item]
    """The episodes that were written last."""

    @classmethod
    async def read(cls, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> Self:
        """Read the current state; of the inbox, only these items."""
        gets = [GetOp(namespaces.inbox(user), item.message, refresh_ttl=False) for item in items]
        gets.append(GetOp(namespaces.profile(user), profile.KEY, refresh_ttl=False))
        searches = [SearchOp(namespaces.memories(user, kind), limit=MAX_READ_ITEMS) for kind in FACT_KINDS]
        searches.append(SearchOp(namespaces.memories(user, "episodic"), limit=MAX_EPISODES_READ))
        retired = namespaces.retired(user)
        searches += [SearchOp(retired, filter={"why": reason}, limit=MAX_RETIRED_READ) for reason in OUTDATING_REASONS]
        *pending, profile_item = await batches.get(store, gets)
        results = await batches.search(store, [op._replace(refresh_ttl=False) for op in searches])
        facts, [episodes, *past] = results[: len(FACT_KINDS)], results[len(FACT_KINDS) :]
        return cls(
            inbox={item.key: item for item in pending if item is not None},
            facts={MemoryId(item.key): item for result in facts for item in result},
            profile_item=profile_item,
            retired=[item for result in past for item in result],
            episodes=episodes,
        )

    @property
    def memories(self) -> dict[MemoryId, Memory]:
        """The facts as memories."""
        return {key: from_document(key, item.value) for key, item in self.facts.items()}

    @property
    def profile(self) -> Profile:
        """The profile; empty if there is none."""
        return Profile.from_value(None if self.profile_item is None else self.profile_item.value)

    def without(self, ids: Set[MemoryId]) -> Self:
        """A copy without these facts."""
        return replace(self, facts={key: item for key, item in self.facts.items() if key not in ids})

    def unchanged(self, items: Sequence[InboxItem]) -> list[InboxItem]:
        """Those of the items that are still in the inbox with the same text."""
        texts = {message: stored.value["text"] for message, stored in self.inbox.items()}
        return [item for item in items if texts.get(item.message) == item.text]

    def retired_facts(self, before: "Snapshot") -> RetiredFacts:
        """The facts that must not come back: retired ones, and those that disappeared since an earlier snapshot."""
        texts = {normalise(item.value["text"]) for item in self.facts.values()}
        missing = {key: item for key, item in before.facts.items() if key not in self.facts}
        missing_texts = {normalise(item.value["text"]) for item in missing.values()} - texts
        # The current version of each fact or, if it is retired, the latest one, which comes first in `retired`.
        documents = {item.value.get("memory"): item.value for item in reversed(self.retired)}
        documents |= {key: item.value for key, item in self.facts.items()}
        outdated_until: dict[str, datetime] = {}
        for item in self.retired:
            text, until = normalise(item.value["text"]), parse_timestamp(item.value.get("retired_at", ""))
            successor = item.value.get("by")
            if successor and successor in documents and item.value.get("who") == "formation":
                # The time of the replacing statement counts, not of its processing.
                until = last_stated(from_document(successor, documents[successor]))
            outdated_until[text] = max(until, outdated_until.get(text, until))
        return RetiredFacts(outdated_until, {*missing, *missing_texts})
