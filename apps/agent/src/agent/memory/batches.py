"""How memory talks to a LangGraph store: in batches of its own, with types.

A store's `asearch` and `aput` wait in one line with everybody's operations, and fail with a neighbour's; a batch called
directly runs at once, and alone.
"""

from collections.abc import Sequence
from typing import cast

from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchItem, SearchOp


async def search(store: BaseStore, ops: Sequence[SearchOp]) -> list[list[SearchItem]]:
    """Return what each search finds, [len(ops)][up to its limit], best first; without a query the latest first."""
    return cast("list[list[SearchItem]]", await store.abatch(ops))


async def get(store: BaseStore, ops: Sequence[GetOp]) -> list[Item | None]:
    """Return each item, None where there is none."""
    return cast("list[Item | None]", await store.abatch(ops))


async def put(store: BaseStore, ops: Sequence[PutOp]) -> None:
    """Write all, or nothing; a value of None deletes. What is written lives for as long as the store is told."""
    minutes = store.ttl_config.get("default_ttl") if store.ttl_config else None
    await store.abatch([op if op.value is None or op.ttl is not None else op._replace(ttl=minutes) for op in ops])
