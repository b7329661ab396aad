"""Typed batches of operations on a LangGraph store.

A store's `asearch` and `aput` share one queue with the operations of all users, and fail if an operation of another
user in the same batch fails. A direct call of `abatch` runs immediately and on its own.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem, SearchOp

from agent.memory.records.namespaces import Namespace
from agent.store import ExactPostgresStore
from agent.store.change_log import DescribeChanges

ReadVersions = Mapping[tuple[Namespace, str], datetime | None]
"""Time of the last update of each item that was read, by namespace and key; None if the item did not exist."""

ERASE_BATCH_SIZE = 1_000


async def search(store: BaseStore, ops: Sequence[SearchOp]) -> list[list[SearchItem]]:
    """[len(ops)][up to the limit of each] items, best first; without a query, the most recent first."""
    return cast("list[list[SearchItem]]", await store.abatch(ops))


async def get(store: BaseStore, ops: Sequence[GetOp]) -> list[Item | None]:
    """Get items by key; None for each item that does not exist."""
    return cast("list[Item | None]", await store.abatch(ops))


async def search_and_get(
    store: BaseStore, searches: Sequence[SearchOp], gets: Sequence[GetOp]
) -> tuple[list[list[SearchItem]], list[Item | None]]:
    """Search and get in one batch; see `search` and `get`."""
    results = await store.abatch([*searches, *gets])
    found, read = results[: len(searches)], results[len(searches) :]
    return cast("list[list[SearchItem]]", found), cast("list[Item | None]", read)


async def put(store: BaseStore, ops: Sequence[PutOp]) -> None:
    """Write all operations or none; a value of None deletes. Items expire after the store's default TTL."""
    await store.abatch(_with_default_ttl(store, ops))


async def commit(
    store: BaseStore, ops: Sequence[PutOp], *, unchanged: ReadVersions, describe: DescribeChanges | None = None
) -> bool:
    """Write all operations and return True if every version in `unchanged` is still current.

    `describe` gives the entries for the log of changes, which only `ExactPostgresStore` has. LangGraph's own stores
    have no transactions: with them, a change between the check and the write is lost.
    """
    ops = _with_default_ttl(store, ops)
    if isinstance(store, ExactPostgresStore):
        return await store.acommit(ops, unchanged, describe)
    items = await get(store, [GetOp(namespace, key) for namespace, key in unchanged])
    if [item and item.updated_at for item in items] != list(unchanged.values()):
        return False
    await store.abatch(ops)
    return True


async def erase(store: BaseStore, owner: tuple[str, ...]) -> dict[str, dict[Namespace, int]]:
    """Delete all rows of an owner; return their number by table and namespace."""
    if isinstance(store, ExactPostgresStore):
        return await store.aerase(owner)
    deleted: Counter[Namespace] = Counter()
    for namespace in await store.alist_namespaces(prefix=owner, limit=ERASE_BATCH_SIZE):
        while items := (await search(store, [SearchOp(namespace, limit=ERASE_BATCH_SIZE)]))[0]:
            await put(store, [PutOp(item.namespace, item.key, None) for item in items])
            deleted.update(item.namespace for item in items)
    return {"store": deleted}


def read_versions(items: Sequence[Item]) -> dict[tuple[Namespace, str], datetime | None]:
    """The versions of items, as preconditions of a commit."""
    return {(item.namespace, item.key): item.updated_at for item in items}


def _with_default_ttl(store: BaseStore, ops: Sequence[PutOp]) -> list[PutOp]:
    minutes = store.ttl_config.get("default_ttl") if store.ttl_config else None
    return [op if op.value is None or op.ttl is not None else op._replace(ttl=minutes) for op in ops]
