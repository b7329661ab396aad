"""Companions: what else came from the messages that taught a memory, and would bring it back.

Where a memory is replaced or forgotten, its companions go the same way: the episodes, the inbox items, and the
sentences of the profile.
"""

from collections.abc import Set
from dataclasses import dataclass

from langgraph.store.base import BaseStore, GetOp, Item, SearchOp

from agent.memory.records import batches, namespaces, profile
from agent.memory.records.profile import Profile
from agent.types import UserId

READ_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class DerivedRecords:
    """What came from some messages, as it stands in the store."""

    items: tuple[Item, ...]
    """Episodes and inbox items."""
    profile: Item | None
    """The whole profile, if a sentence of it came from there."""

    @property
    def read(self) -> batches.ReadVersions:
        """What must still stand when something is done with them."""
        return batches.read_versions([*self.items, *([self.profile] if self.profile else [])])


async def read_derived(store: BaseStore, user: UserId, messages: Set[str]) -> DerivedRecords:
    """Return what came from a user's messages besides memories of kind user and procedural."""
    if not messages:
        return DerivedRecords((), None)
    episodes = SearchOp(namespaces.memories(user, "episodic"), limit=READ_AT_ONCE, refresh_ttl=False)
    inbox = namespaces.inbox(user)
    gets = [GetOp(inbox, message, refresh_ttl=False) for message in sorted(messages)]
    gets.append(GetOp(namespaces.profile(user), profile.KEY, refresh_ttl=False))
    [found] = await batches.search(store, [episodes])
    *waiting, known = await batches.get(store, gets)
    items: list[Item] = [item for item in waiting if item is not None]
    items += [item for item in found if messages & {source["message"] for source in item.value.get("sources", ())}]
    told = known is not None and bool(Profile.from_value(known.value).of_messages(messages))
    return DerivedRecords(tuple(items), known if told else None)
