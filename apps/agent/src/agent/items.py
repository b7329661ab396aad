"""Items that clients keep in the store, in namespaces of their own below the user's.

They are stored next to the user's memories and erased with the account, but memories are neither formed nor recalled
from them, and no namespace of a client reaches the memories.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from langgraph.store.base import BaseStore, GetOp, PutOp, SearchItem, SearchOp

from agent.errors import InvalidIdError, InvalidInputError, InvalidNamespaceError, TooManyItemsError
from agent.limits.usage import Usage
from agent.memory.records import batches, namespaces
from agent.store import ExactPostgresStore
from agent.store.counting import count_below
from agent.store.key_locks import KeyLocks
from agent.types import UserId

MAX_LABELS = 8
MAX_LABEL_CHARS = 64
MAX_KEY_CHARS = 256
MAX_NAMESPACES = 10_000

Namespace = tuple[str, ...]
Index = Sequence[str] | Literal[False]
"""The fields of an item that are embedded, or False for none."""


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item in a namespace of a client."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    score: float | None = None
    """The cosine similarity to the query of a search; None without a query."""


@dataclass(frozen=True, slots=True)
class Items:
    """The items of all users. Namespaces are relative to those of the user.

    Raises:
        InvalidNamespaceError: from each method; see `_validate`.
        UnstorableTextError: from each method, if a text cannot be stored.
        StoreUnavailableError: from each method, if the database is unavailable.
    """

    store: BaseStore
    usage: Usage
    _locks: KeyLocks = field(default_factory=KeyLocks)

    async def put(  # noqa: PLR0913 - as in LangGraph's stores
        self,
        user: UserId,
        namespace: Sequence[str],
        key: str,
        value: Mapping[str, Any],
        *,
        index: Index | None = None,
        ttl_minutes: float | None = None,
    ) -> None:
        """Write an item; by default, its member `text` is embedded.

        Raises:
            InvalidIdError: the key is empty or too long.
            InvalidInputError: the value cannot be stored.
            TooManyItemsError: the user has as many items as memories are allowed.
            DailyLimitError: the user has embedded too much.
        """
        root = namespaces.items(user)
        where = (*root, *_validate(namespace, required=True))
        fields: Any = list(index) if isinstance(index, Sequence) else index
        op = PutOp(where, _validate_key(key), dict(value), index=fields, ttl=ttl_minutes)
        await self._spend(user, value, index)
        with _translated():
            async with self._locks.acquire([(user, "")]):
                await self._check_count(user, where, key)
                await batches.put(self.store, [op])

    async def get(self, user: UserId, namespace: Sequence[str], key: str) -> StoredItem | None:
        """Read an item; None if it does not exist."""
        root = namespaces.items(user)
        where = (*root, *_validate(namespace, required=True))
        with _translated():
            [item] = await batches.get(self.store, [GetOp(where, _validate_key(key))])
        if item is None:
            return None
        return StoredItem(item.namespace[len(root) :], item.key, item.value, item.created_at, item.updated_at)

    async def delete(self, user: UserId, namespace: Sequence[str], key: str) -> None:
        """Delete an item, if it exists."""
        where = (*namespaces.items(user), *_validate(namespace, required=True))
        with _translated():
            await batches.put(self.store, [PutOp(where, _validate_key(key), None)])

    async def search(  # noqa: PLR0913 - as in LangGraph's stores
        self,
        user: UserId,
        prefix: Sequence[str],
        *,
        query: str | None = None,
        condition: Mapping[str, Any] | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[StoredItem]:
        """Search a namespace and those below it; `condition` compares members as in LangGraph's stores.

        Returns:
            The items, most similar first; without a query, the most recently updated first.

        Raises:
            InvalidInputError: the condition has an unknown operator or value.
            EmbedderUnavailableError: the query could not be embedded.
        """
        root = namespaces.items(user)
        op = SearchOp((*root, *_validate(prefix)), filter=dict(condition or {}), query=query, limit=offset + limit)
        if query:
            await self.usage.spend(user, {"embedded_bytes": len(query.encode(errors="replace"))})
        with _translated():
            [items] = await batches.search(self.store, [op])
        return [_stored(item, len(root)) for item in items[offset:]]

    async def list_namespaces(  # noqa: PLR0913 - as in LangGraph's stores
        self,
        user: UserId,
        *,
        prefix: Sequence[str] = (),
        suffix: Sequence[str] = (),
        max_depth: int | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[Namespace]:
        """List the namespaces that contain items, truncated to `max_depth` labels, in alphabetical order."""
        root = namespaces.items(user)
        with _translated():
            found = await self.store.alist_namespaces(
                prefix=(*root, *_validate(prefix)), suffix=_validate(suffix) or None, limit=MAX_NAMESPACES
            )
        depth = max_depth or MAX_LABELS
        unique = sorted({namespace[len(root) :][:depth] for namespace in found if len(namespace) > len(root)})
        return unique[offset : offset + limit]

    async def _spend(self, user: UserId, value: Mapping[str, Any], index: Index | None) -> None:
        texts = [value.get("text")] if index is None else [value] if index else []
        if size := sum(len(str(text).encode(errors="replace")) for text in texts if text):
            await self.usage.spend(user, {"embedded_bytes": size})

    async def _check_count(self, user: UserId, namespace: Namespace, key: str) -> None:
        limit = self.usage.limits.memories
        if not limit or not isinstance(self.store, ExactPostgresStore):
            return
        [existing] = await batches.get(self.store, [GetOp(namespace, key, refresh_ttl=False)])
        root = namespaces.items(user)
        if existing is None and await count_below(self.store, namespaces.user_root(user), root) >= limit:
            raise TooManyItemsError(f"the limit is {limit:,} items; delete some of them")


def _stored(item: SearchItem, root_labels: int) -> StoredItem:
    namespace = item.namespace[root_labels:]
    return StoredItem(namespace, item.key, item.value, item.created_at, item.updated_at, item.score)


def _validate(labels: Sequence[str], *, required: bool = False) -> Namespace:
    if len(labels) > MAX_LABELS or (required and not labels):
        raise InvalidNamespaceError(f"a namespace has 1 to {MAX_LABELS} labels")
    for label in labels:
        if not label or len(label) > MAX_LABEL_CHARS or "." in label or "*" in label:
            raise InvalidNamespaceError(f"a label has 1 to {MAX_LABEL_CHARS} characters, and no period or asterisk")
    return tuple(labels)


def _validate_key(key: str) -> str:
    if not key or len(key) > MAX_KEY_CHARS:
        raise InvalidIdError(f"a key has 1 to {MAX_KEY_CHARS} characters")
    return key


@contextmanager
def _translated() -> Iterator[None]:
    """Report values, conditions and namespaces that the store rejects."""
    try:
        yield
    except InvalidInputError:
        raise
    except (RecursionError, TypeError, ValueError) as error:
        raise InvalidInputError("the namespace, value or filter cannot be stored or compared") from error
