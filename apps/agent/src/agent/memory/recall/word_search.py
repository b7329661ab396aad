"""Search by words, for texts without a vector."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from langgraph.store.base import BaseStore, SearchItem

from agent.memory.records import batches
from agent.memory.records.namespaces import Namespace
from agent.store.operations import UnindexedSearchOp, WordSearchOp


@runtime_checkable
class LexicalStore(Protocol):
    """A store that can search by words, without a vector: its batches may contain `WordSearchOp`."""

    searches_words: bool


async def search_words(
    store: BaseStore, searched: Sequence[Namespace], text: str, *, limit: int
) -> list[list[SearchItem]]:
    """Search each namespace by words; a store that has no such search finds nothing."""
    if not isinstance(store, LexicalStore):
        return [[] for _ in searched]
    return await batches.search(store, [WordSearchOp(space, query=text, limit=limit) for space in searched])


def unindexed_searches(store: BaseStore, space: Namespace, text: str, *, limit: int) -> list[UnindexedSearchOp]:
    """The search for items without a vector that share a word with a text; none if the store has no such search."""
    return [UnindexedSearchOp(space, query=text, limit=limit)] if isinstance(store, LexicalStore) else []
