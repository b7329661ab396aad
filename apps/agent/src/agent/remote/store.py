"""The store of the LangGraph server, as a LangGraph store."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from agent.errors import StoreUnavailableError
from agent.remote.server import translated_server_errors

CONCURRENT_REQUESTS = 16
"""Maximum number of concurrent requests of one batch."""
BATCH_SECONDS = 30.0
MAX_SORTED_ITEMS = 10_000

T = TypeVar("T")


class RemoteStore(BaseStore):
    """Passes each operation to the server, which embeds texts and searches them.

    The server has no transactions: of a batch, only a part may be written. Deletions come last, so that what is
    moved is never lost.
    """

    supports_ttl = True

    def __init__(self, client: LangGraphClient) -> None:
        self._items = client.store
        self._lists_latest_first = True

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Not supported: the client is asynchronous."""
        raise NotImplementedError("only async")

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations: reads and writes concurrently, then deletions. The last write of an item counts.

        Raises:
            StoreUnavailableError: the server did not answer.
            InvalidInputError: it rejected a value.
        """
        every = list(ops)
        last_writes = {(op.namespace, op.key): n for n, op in enumerate(every) if isinstance(op, PutOp)}
        reads: list[tuple[int, Op]] = []
        writes: list[tuple[int, Op]] = []
        deletions: list[tuple[int, Op]] = []
        for n, op in enumerate(every):
            if not isinstance(op, PutOp):
                reads.append((n, op))
            elif last_writes[op.namespace, op.key] == n:
                (deletions if op.value is None else writes).append((n, op))
        with translated_server_errors(StoreUnavailableError):
            async with asyncio.timeout(BATCH_SECONDS):
                results = dict(await self._execute_all([*reads, *writes]))
                await self._execute_all(deletions)
        return [results.get(n) for n in range(len(every))]

    async def _execute_all(self, ops: Sequence[tuple[int, Op]]) -> list[tuple[int, Result]]:
        slots = asyncio.Semaphore(CONCURRENT_REQUESTS)

        async def execute(n: int, op: Op) -> tuple[int, Result]:
            async with slots:
                return n, await self._execute(op)

        return await asyncio.gather(*(execute(n, op) for n, op in ops))

    async def _execute(self, op: Op) -> Result:
        match op:
            case SearchOp(query=None):
                return await self._list(op)
            case SearchOp():
                return await self._search(op)
            case GetOp():
                return await self._get(op)
            case PutOp(value=None):
                await self._items.delete_item(op.namespace, op.key)
                return None
            case PutOp():
                ttl = None if op.ttl is None else round(op.ttl)
                await self._items.put_item(op.namespace, op.key, op.value or {}, index=op.index, ttl=ttl)
                return None
            case ListNamespacesOp():
                return await self._list_namespaces(op)
        raise NotImplementedError(type(op).__name__)

    async def _list(self, op: SearchOp) -> list[SearchItem]:
        """List items, the latest first; `langgraph dev` lists them in the order of their creation."""
        if self._lists_latest_first:
            items = await self._search(op)
            self._lists_latest_first = items == sorted(items, key=_by_update)
            if self._lists_latest_first:
                return items
        items = await self._search(op._replace(limit=MAX_SORTED_ITEMS, offset=0))
        return sorted(items, key=_by_update)[op.offset : op.offset + op.limit]

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        found = await self._items.search_items(
            op.namespace_prefix,
            filter=op.filter,
            limit=op.limit,
            offset=op.offset,
            query=op.query,
            refresh_ttl=op.refresh_ttl,
        )
        return [SearchItem(**_fields(item), score=item.get("score")) for item in found["items"]]

    async def _get(self, op: GetOp) -> Item | None:
        try:
            item: Any = await self._items.get_item(op.namespace, op.key, refresh_ttl=op.refresh_ttl)
        except NotFoundError:
            return None
        return Item(**_fields(item)) if item else None

    async def _list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        paths = {condition.match_type: list(condition.path) for condition in op.match_conditions or ()}
        found = await self._items.list_namespaces(
            prefix=paths.get("prefix"),
            suffix=paths.get("suffix"),
            max_depth=op.max_depth,
            limit=op.limit,
            offset=op.offset,
        )
        return [tuple(namespace) for namespace in found["namespaces"]]


def _by_update(item: SearchItem) -> float:
    return -item.updated_at.timestamp()


def _fields(item: Any) -> dict[str, Any]:  # noqa: ANN401 - the SDK's types declare other types than the server sends
    return {
        "namespace": tuple(item["namespace"]),
        "key": item["key"],
        "value": item["value"],
        "created_at": datetime.fromisoformat(item["created_at"]),
        "updated_at": datetime.fromisoformat(item["updated_at"]),
    }
