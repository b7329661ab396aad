"""Search by words, for texts without a vector."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from langgraph.store.base import BaseStore, SearchItem


@runtime_checkable
class LexicalStore(Protocol):
    """A store that can search by words, without a vector."""

    async def asearch_words(
        self, namespaces: Sequence[tuple[str, ...]], query: str, *, limit: int, unindexed: bool = False
    ) -> list[list[SearchItem]]:
        """Search each namespace for up to `limit` items that share a word with the query, best first.

        If `unindexed`, only items without a vector are returned.
        """


async def search_words(
    store: BaseStore, searched: Sequence[tuple[str, ...]], text: str, *, limit: int, unindexed: bool = False
) -> list[list[SearchItem]]:
    """Search each namespace, as in `LexicalStore`; a store that has no such search finds nothing."""
    if isinstance(store, LexicalStore):
        return await store.asearch_words(searched, text, limit=limit, unindexed=unindexed)
    return [[] for _ in searched]
