"""Reading a user's part of the store: a memory wherever it is, and a whole place while others write there."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from langgraph.store.base import BaseStore, GetOp, Item, SearchItem, SearchOp

from agent.memory.records import batches, namespaces
from agent.memory.records.namespaces import Namespace
from agent.types import KINDS, UserId

READ_AT_ONCE = 500  # of what is passed on page by page
KEPT_AT_ONCE = 5_000


async def find_memory(store: BaseStore, user: UserId, memory: str) -> Item | None:
    """Return a user's memory of whatever kind, None where there is none of that id."""
    gets = [GetOp(namespaces.memories(user, kind), memory) for kind in KINDS]
    return next((item for item in await batches.get(store, gets) if item is not None), None)


async def read_all(store: BaseStore, place: Namespace) -> list[SearchItem]:
    """Return all that is in a place."""
    return [item async for page in iter_pages(store, place, at_once=KEPT_AT_ONCE) for item in page]


async def iter_pages(
    store: BaseStore, place: Namespace, *, at_once: int = READ_AT_ONCE
) -> AsyncIterator[list[SearchItem]]:
    """Yield everything in a place, the latest first, page by page, each item once.

    A page begins with the last item of the one before, and the latest item is still the same. If not, something was
    written meanwhile, and what is left is not where it was: reading begins anew.
    """
    seen: set[str] = set()
    expected: list[tuple[str, datetime]] = []
    offset = 0
    while True:
        stretches = ((1, 0), (at_once, offset))
        ops = [SearchOp(place, limit=limit, offset=skipped, refresh_ttl=False) for limit, skipped in stretches]
        latest, page = await batches.search(store, ops)
        if offset and _marks(latest + page[:1]) != expected:
            offset = 0
            continue
        if new := [item for item in page if item.key not in seen]:
            yield new
        if len(page) < at_once:
            return
        seen.update(item.key for item in new)
        expected = _marks(latest + page[-1:])
        offset += at_once - 1


def _marks(items: Sequence[SearchItem]) -> list[tuple[str, datetime]]:
    return [(item.key, item.updated_at) for item in items]
