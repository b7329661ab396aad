"""Reads of single memories and of whole namespaces."""

from collections.abc import AsyncIterator, Sequence, Set
from datetime import datetime

from langgraph.store.base import BaseStore, GetOp, Item, SearchItem, SearchOp

from agent.memory.records import batches, namespaces
from agent.memory.records.namespaces import Namespace
from agent.store import ExactPostgresStore
from agent.store.counting import count_items
from agent.types import KINDS, UserId

MAX_READ_ITEMS = 10_000
"""Limit of a search that reads a whole namespace in one batch."""

PAGE_SIZE = 500
READ_ALL_PAGE_SIZE = 5_000


async def find_memory(store: BaseStore, user: UserId, memory: str) -> Item | None:
    """Find a user's memory of any kind by its id."""
    gets = [GetOp(namespaces.memories(user, kind), memory) for kind in KINDS]
    return next((item for item in await batches.get(store, gets) if item is not None), None)


async def count_memories(store: BaseStore, user: UserId) -> int:
    """Count the user's memories of all kinds."""
    spaces = [namespaces.memories(user, kind) for kind in KINDS]
    if isinstance(store, ExactPostgresStore):
        return await count_items(store, namespaces.user_root(user), spaces)
    return sum([len(await read_all(store, namespace)) for namespace in spaces])


async def read_all(store: BaseStore, namespace: Namespace) -> list[SearchItem]:
    """Read all items of a namespace."""
    return [item async for page in iter_pages(store, namespace, page_size=READ_ALL_PAGE_SIZE) for item in page]


async def read_derived(store: BaseStore, user: UserId, messages: Set[str]) -> list[Item]:
    """Read the user's inbox items of these messages and of those that follow them, and all episodes.

    A memory that is replaced or forgotten could be recalled or formed again from them, so they change with it.
    """
    inbox = namespaces.inbox(user)
    follow_ups = [SearchOp(inbox, filter={"corrects": kind}, limit=MAX_READ_ITEMS) for kind in (True, False)]
    gets = [GetOp(inbox, message, refresh_ttl=False) for message in sorted(messages)]
    found, pending = await batches.search_and_get(store, [op._replace(refresh_ttl=False) for op in follow_ups], gets)
    following = [item for items in found for item in items if messages & set(item.value["follows"])]
    own = {item.key: item for item in (*following, *pending) if item is not None}
    return [*own.values(), *await read_all(store, namespaces.memories(user, "episodic"))]


async def iter_pages(
    store: BaseStore, namespace: Namespace, *, page_size: int = PAGE_SIZE
) -> AsyncIterator[list[SearchItem]]:
    """Iterate over the items of a namespace, most recently updated first, each item once.

    Each page overlaps the previous one by one item. If that item or the most recent item of the namespace differs,
    the namespace was written to and offsets have shifted: reading restarts, and items already returned are skipped.
    """
    seen: set[str] = set()
    expected: list[tuple[str, datetime]] = []
    offset = 0
    while True:
        ops = [
            SearchOp(namespace, limit=1, refresh_ttl=False),
            SearchOp(namespace, limit=page_size, offset=offset, refresh_ttl=False),
        ]
        latest, page = await batches.search(store, ops)
        if offset and _versions(latest + page[:1]) != expected:
            offset = 0
            continue
        if new := [item for item in page if item.key not in seen]:
            yield new
        if len(page) < page_size:
            return
        seen.update(item.key for item in new)
        expected = _versions(latest + page[-1:])
        offset += page_size - 1


def _versions(items: Sequence[SearchItem]) -> list[tuple[str, datetime]]:
    return [(item.key, item.updated_at) for item in items]
