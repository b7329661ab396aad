"""Derived records: episodes and inbox items from the same messages as a memory.

A memory that is replaced or forgotten could be recalled or formed again from them, so they are changed with it.
"""

from collections.abc import Set

from langgraph.store.base import BaseStore, GetOp, Item, SearchOp

from agent.memory.records import batches, namespaces
from agent.memory.records.lookup import MAX_READ_ITEMS
from agent.types import UserId


async def read_derived(store: BaseStore, user: UserId, messages: Set[str]) -> list[Item]:
    """Read the user's episodes and inbox items that come from any of the messages."""
    if not messages:
        return []
    episodes = SearchOp(namespaces.memories(user, "episodic"), limit=MAX_READ_ITEMS, refresh_ttl=False)
    [found] = await batches.search(store, [episodes])
    inbox = namespaces.inbox(user)
    pending = await batches.get(store, [GetOp(inbox, message, refresh_ttl=False) for message in sorted(messages)])
    items = [item for item in pending if item is not None]
    return items + [
        item for item in found if messages & {source["message"] for source in item.value.get("sources", ())}
    ]
