"""How memory talks to a LangGraph store: in batches of its own, with types.

A store's `asearch` and `aput` wait in one line with everybody's operations, and fail with a neighbour's; a batch called
directly runs at once, and alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, cast, runtime_checkable

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem, SearchOp

ReadVersions = Mapping[tuple[tuple[str, ...], str], datetime | None]
"""What somebody has read, by namespace and key: when it was last updated, None where there was nothing."""

ERASED_AT_ONCE = 1_000


@runtime_checkable
class TransactionalStore(Protocol):
    """A store that can tell in one transaction whether what was read still stands, and write."""

    async def acommit(self, ops: Sequence[PutOp], unchanged: ReadVersions) -> bool:
        """Write all, if all that was read still stands; say whether it was so."""
        ...


@runtime_checkable
class ErasingStore(Protocol):
    """A store that can delete everything of an owner's at once, also what is written at the same moment."""

    async def aerase(self, owner: tuple[str, ...]) -> dict[str, dict[tuple[str, ...], int]]:
        """Delete all under an owner's labels; return how many rows went, by table and namespace."""
        ...


async def search(store: BaseStore, ops: Sequence[SearchOp]) -> list[list[SearchItem]]:
    """Return what each search finds, [len(ops)][up to its limit], best first; without a query the latest first."""
    return cast("list[list[SearchItem]]", await store.abatch(ops))


async def get(store: BaseStore, ops: Sequence[GetOp]) -> list[Item | None]:
    """Return each item, None where there is none."""
    return cast("list[Item | None]", await store.abatch(ops))


async def put(store: BaseStore, ops: Sequence[PutOp]) -> None:
    """Write all, or nothing; a value of None deletes. What is written lives for as long as the store is told."""
    await store.abatch(_lasting(store, ops))


async def commit(store: BaseStore, ops: Sequence[PutOp], *, unchanged: ReadVersions) -> bool:
    """Write all, if all that was read still stands; say whether it was so. If not, nothing is written.

    In LangGraph's own stores it is not one transaction: there, what changes between the look and the writing is lost.
    """
    ops = _lasting(store, ops)
    if isinstance(store, TransactionalStore):
        return await store.acommit(ops, unchanged)
    found = await get(store, [GetOp(namespace, key) for namespace, key in unchanged])
    if [item and item.updated_at for item in found] != list(unchanged.values()):
        return False
    await store.abatch(ops)
    return True


async def erase(store: BaseStore, owner: tuple[str, ...]) -> dict[str, dict[tuple[str, ...], int]]:
    """Delete everything of an owner's; return how many rows went, by table and namespace."""
    if isinstance(store, ErasingStore):
        return await store.aerase(owner)
    gone: Counter[tuple[str, ...]] = Counter()
    for namespace in await store.alist_namespaces(prefix=owner, limit=ERASED_AT_ONCE):
        while found := (await search(store, [SearchOp(namespace, limit=ERASED_AT_ONCE)]))[0]:
            await put(store, [PutOp(item.namespace, item.key, None) for item in found])
            gone.update(item.namespace for item in found)
    return {"store": gone}


def read_versions(items: Sequence[Item]) -> dict[tuple[tuple[str, ...], str], datetime | None]:
    """Return what items were when they were read."""
    return {(item.namespace, item.key): item.updated_at for item in items}


def _lasting(store: BaseStore, ops: Sequence[PutOp]) -> list[PutOp]:
    minutes = store.ttl_config.get("default_ttl") if store.ttl_config else None
    return [op if op.value is None or op.ttl is not None else op._replace(ttl=minutes) for op in ops]
